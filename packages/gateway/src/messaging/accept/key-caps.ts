/**
 * The daily cap of a key pair: messages accepted per UTC day, by all nodes together; the new pair of a rotation counts on
 * with the old one. The store gives a node a hundredth of the cap ahead, so that few requests wait for it; a restart loses
 * at most that much, and what was given back, and never resets the cap.
 */
import { type Clock, dayMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { KeyId } from '../../kernel/ids.ts';
import type { Caller, SendOutcome } from '../../model/send.ts';
import type { SystemStore } from '../../store/system/module.ts';

export type CapTaken =
  /** Call `giveBack` if nothing was accepted in the end. */
  | { ok: true; giveBack(): void }
  /** Messages left today. */
  | { ok: false; left: number };

export interface CapRequest {
  /** The pair, or after a rotation the one that it counts with. */
  keyId: KeyId;
  cap: number;
  count: number;
  /** A dry run: takes nothing. */
  trial: boolean;
}

export interface KeyCaps {
  /** Takes `count` messages from today's `cap`, all or none. Rejects when the store does. */
  take(request: CapRequest): Promise<CapTaken>;
}

interface Share {
  day: number;
  /** Granted to this node and unused. */
  free: number;
  /** One query to the store at a time: its grant may also serve later requests. */
  lastQuery: Promise<unknown>;
}

const steps = 100;

export function createKeyCaps(parts: { store: Pick<SystemStore, 'takeOfDay'>; clock: Pick<Clock, 'now'> }): KeyCaps {
  const { store, clock } = parts;
  const shares = new Map<string, Share>();
  const today = (): number => Math.floor(clock.now() / dayMs);

  function shareOf(keyId: KeyId, day: number): Share {
    const known = shares.get(keyId) ?? { day, free: 0, lastQuery: Promise.resolve() };
    shares.set(keyId, known);
    if (known.day !== day) Object.assign(known, { day, free: 0 });
    return known;
  }

  /**
   * Takes them, after getting more units from the store if this node has too few. Returns null, or the number left if
   * that is too small.
   */
  async function fillAndTake({ keyId, cap, count, trial }: CapRequest): Promise<number | null> {
    for (;;) {
      const day = today();
      const share = shareOf(keyId, day);
      const needed = count - share.free;
      if (needed <= 0) {
        if (!trial) share.free -= count;
        return null;
      }
      if (trial) {
        const { left } = await store.takeOfDay({ name: `key_day:${keyId}`, day, cap, needed: 0, wanted: 0 });
        return left >= needed ? null : share.free + left;
      }
      const wanted = needed + Math.floor(cap / steps);
      const { given, left } = await store.takeOfDay({ name: `key_day:${keyId}`, day, cap, needed, wanted });
      if (share.day === day) share.free += given;
      if (given < needed) return share.free + left;
    }
  }

  return {
    take: async (request) => {
      const { keyId, count, trial } = request;
      const day = today();
      const share = shareOf(keyId, day);
      const take = () => fillAndTake(request);
      let taken: Promise<number | null>;
      if (share.free >= count) taken = take();
      else {
        taken = share.lastQuery.then(take, take);
        share.lastQuery = taken;
      }
      const left = await taken;
      if (left !== null) return { ok: false, left };
      const giveBack = (): void => {
        if (!trial && share.day === day) share.free += count;
      };
      return { ok: true, giveBack };
    },
  };
}

/** For a pair without a daily cap. */
export const noCap: CapTaken = { ok: true, giveBack: () => {} };

export function overCap({ key }: Caller, left: number): SendOutcome {
  return {
    kind: 'rejected',
    reason: 'SPEND_LIMIT_REACHED',
    detail: `This key pair may have ${counted(key.dailyCap ?? 0, 'message')} accepted a day (UTC), and ${left} ${left === 1 ? 'is' : 'are'} left today. Send to fewer, or raise its cap under API keys. Nothing was sent or billed.`,
  };
}
