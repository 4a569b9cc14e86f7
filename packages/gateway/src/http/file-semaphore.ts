/** Limits how many file bodies are in memory, overall and per account. */
import type { AccountId } from '../kernel/ids.ts';

export interface FileSlots {
  bytesMax: number;
  /** Bodies in memory at one time. */
  atOnce: number;
  /** Bodies in memory for each account. */
  atOncePerAccount: number;
}

/**
 * Reserves room for one body. Returns the function that releases it, to be called once, or null when there is no room.
 */
export type AcquireFileSlot = (accountId: AccountId) => (() => void) | null;

export function createFileSemaphore({ atOnce, atOncePerAccount }: FileSlots): AcquireFileSlot {
  const byAccount = new Map<string, number>();
  let all = 0;
  return (accountId) => {
    const own = byAccount.get(accountId) ?? 0;
    if (all >= atOnce || own >= atOncePerAccount) return null;
    all++;
    byAccount.set(accountId, own + 1);
    return () => {
      all--;
      const left = byAccount.get(accountId)! - 1;
      if (left === 0) byAccount.delete(accountId);
      else byAccount.set(accountId, left);
    };
  };
}
