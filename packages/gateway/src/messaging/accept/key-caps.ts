/**
 * The daily cap of a key pair: messages accepted per UTC day. Counts live in memory; the store reserves them ahead in
 * steps of a hundredth of the cap, so a restart loses at most one step and never resets the cap.
 */
import type { Clock } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { KeyId } from '../../kernel/ids.ts';
import type { Caller, SendOutcome } from '../../model/send.ts';
import type { SystemStore } from '../../store/system/module.ts';

export type CapTaken =
  /** `giveBack` when nothing was accepted after all. */
  | { ok: true; giveBack(): void }
  /** How many are left today. */
  | { ok: false; left: number };

export interface KeyCaps {
  /** Takes `count` messages of today's `cap`; all or none. `trial`: only says whether it could. Rejects as the store does. */
  take(request: { keyId: KeyId; cap: number; count: number; trial: boolean }): Promise<CapTaken>;
}

interface Spent {
  day: number;
  used: number;
  /** On disk, or about to be: `saved` resolves when it is. */
  granted: number;
  saved: Promise<unknown>;
}

const dayMs = 86_400_000;
const steps = 100;
const nameOf = (keyId: KeyId): string => `key_day:${keyId}`;

export function createKeyCaps(parts: {
  store: Pick<SystemStore, 'getSetting' | 'putSetting'>;
  clock: Pick<Clock, 'now'>;
}): KeyCaps {
  const { store, clock } = parts;
  const all = new Map<string, Promise<Spent>>();

  async function load(keyId: KeyId): Promise<Spent> {
    const [, day, used] = /^(\d+) (\d+)$/.exec((await store.getSetting(nameOf(keyId))) ?? '') ?? [];
    return { day: Number(day ?? 0), used: Number(used ?? 0), granted: Number(used ?? 0), saved: Promise.resolve() };
  }

  function spentOf(keyId: KeyId): Promise<Spent> {
    const known = all.get(keyId);
    if (known !== undefined) return known;
    const loaded = load(keyId);
    all.set(keyId, loaded);
    loaded.catch(() => all.delete(keyId));
    return loaded;
  }

  return {
    take: async ({ keyId, cap, count, trial }) => {
      const spent = await spentOf(keyId);
      const today = Math.floor(clock.now() / dayMs);
      if (spent.day !== today) Object.assign(spent, { day: today, used: 0, granted: 0 });
      if (spent.used + count > cap) return { ok: false, left: Math.max(0, cap - spent.used) };
      if (trial) return { ok: true, giveBack: () => {} };
      spent.used += count;
      const giveBack = (): void => {
        if (spent.day === today) spent.used -= count;
      };
      if (spent.used > spent.granted) {
        spent.granted = Math.min(cap, spent.used + Math.floor(cap / steps));
        const { granted } = spent;
        spent.saved = spent.saved.catch(() => {}).then(() => store.putSetting(nameOf(keyId), `${today} ${granted}`));
      }
      try {
        await spent.saved;
      } catch (error) {
        giveBack();
        // The state on disk is unknown: the next write repeats it.
        spent.granted = 0;
        throw error;
      }
      return { ok: true, giveBack };
    },
  };
}

/** Of a pair without a daily cap. */
export const noCap: CapTaken = { ok: true, giveBack: () => {} };

export function overCap({ key }: Caller, left: number): SendOutcome {
  return {
    kind: 'rejected',
    reason: 'SPEND_LIMIT_REACHED',
    detail: `This key pair may have ${counted(key.dailyCap ?? 0, 'message')} accepted a day (UTC), and ${left} ${left === 1 ? 'is' : 'are'} left today. Send to fewer, or raise its cap under API keys. Nothing was sent or billed.`,
  };
}
