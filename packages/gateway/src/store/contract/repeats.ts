/** Contract: how often an uncertain message is sent again, how long it waits each time, and how it ends. */
import { describe, expect, it } from 'vitest';
import type { Settlement } from '../../model/delivery.ts';
import type { DoubtCause } from '../../model/repeats.ts';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

export function repeatsContract(factory: StoreFactory): void {
  describe('repeats of an uncertain message', () => {
    const world = useWorld(factory);
    const doubtful = (cause: DoubtCause): Partial<Settlement> => ({
      to: 'uncertain',
      code: 'UNCERTAIN',
      cause,
      parts: [],
      dueAt: world.clock.now() + minute,
    });

    /**
     * Sweeps when the policy is due, and lets the repeated attempt end uncertain again; returns the wait, or null when
     * it was not repeated.
     */
    async function repeatAfter(messageId: string, cause: DoubtCause): Promise<number | null> {
      const { dueAt } = (await world.view(messageId))!.doubt!;
      const waitMs = dueAt - world.clock.now();
      world.clock.set(dueAt - 1);
      expect((await world.sweep()).moves).toEqual([]);
      world.clock.set(dueAt);
      const { moves } = await world.sweep();
      if (moves.length === 0) return null;
      expect(moves).toMatchObject([{ messageId, state: 'queued' }]);
      const [claim] = await world.claim();
      await world.settle(claim!, doubtful(cause));
      return waitMs;
    }

    async function repeatsUntilNone(messageId: string, cause: DoubtCause): Promise<number[]> {
      const waits: number[] = [];
      for (;;) {
        const waitMs = await repeatAfter(messageId, cause);
        if (waitMs === null) return waits;
        waits.push(waitMs / minute);
      }
    }

    it.each([
      ['unanswered', [1]],
      ['broken', [1, 5, 30, 120, 120]],
    ] as const)('%s: after %j minutes, and then no more', async (cause, waits) => {
      const claim = await world.claimed({ expiresAt: start + 48 * hour });
      await world.settle(claim, doubtful(cause));
      expect(await repeatsUntilNone(claim.messageId, cause)).toEqual(waits);
      expect((await world.view(claim.messageId))?.doubt).toEqual({
        accountId: 'acc1',
        cause,
        repeats: waits.length,
        dueAt: start + 48 * hour,
        expiresAt: start + 48 * hour,
      });
      world.clock.set(start + 48 * hour - 1);
      expect((await world.sweep()).moves).toEqual([]);
      world.clock.set(start + 48 * hour);
      expect((await world.sweep()).moves).toMatchObject([{ state: 'unconfirmed', code: 'UNCERTAIN' }]);
    });

    it('counts over a restart, and a crash counts as a broken link', async () => {
      const claim = await world.claimed({ expiresAt: start + 48 * hour });
      await world.settle(claim, doubtful('broken'));
      await repeatAfter(claim.messageId, 'broken');
      await repeatAfter(claim.messageId, 'broken');
      const due = (await world.view(claim.messageId))!.doubt!.dueAt;
      world.clock.set(due);
      await world.sweep();
      expect(await world.claim()).toHaveLength(1);
      await world.restart();
      const { token } = world.store;
      await world.store.recover({ token, now: due, dueAt: due + minute, limit: 10 });
      expect((await world.view(claim.messageId))?.doubt).toMatchObject({
        cause: 'broken',
        repeats: 3,
        dueAt: due + 120 * minute,
      });
    });

    it('a carrier that does not answer ends the repeats that a broken link began', async () => {
      const claim = await world.claimed({ expiresAt: start + 48 * hour });
      await world.settle(claim, doubtful('broken'));
      await repeatAfter(claim.messageId, 'unanswered');
      expect(await repeatAfter(claim.messageId, 'unanswered')).toBeNull();
    });

    it('the account sets how many, a carrier fewer; with none a person decides', async () => {
      const accounts = { acc1: { repeatsUnanswered: 3, repeatsBroken: 2 } };
      const due = async (cause: DoubtCause, lane: string, carriers = {}) => {
        const claim = await world.claimed({ lane, expiresAt: start + 48 * hour });
        await world.settle(claim, doubtful(cause));
        world.clock.set(world.clock.now() + minute);
        const { moves } = await world.sweep({ repeats: { accounts, carriers } });
        return { ...claim, moves: moves.map(({ state }) => state) };
      };
      const one = await due('unanswered', 'c1');
      expect(one.moves).toEqual(['queued']);
      expect((await world.view(one.messageId))?.events.at(-1)?.detail).toContain('repeat 1 of at most 3');
      const fewer = await due('unanswered', 'c2', { c2: { repeatsUnanswered: 1 } });
      expect((await world.view(fewer.messageId))?.events.at(-1)?.detail).toContain('repeat 1 of at most 1');
      const more = await due('broken', 'c3', { c3: { repeatsBroken: 9 } });
      expect((await world.view(more.messageId))?.events.at(-1)?.detail).toContain('repeat 1 of at most 2');
      expect((await due('unanswered', 'c4', { c4: { repeatsUnanswered: 0 } })).moves).toEqual(['held']);
    });

    it('a repeat that waits when the validity ends is unconfirmed, because an earlier attempt may have arrived', async () => {
      const messageId = await world.uncertain({ expiresAt: start + 2 * minute });
      world.clock.set(start + minute);
      await world.sweep();
      world.clock.set(start + 2 * minute);
      expect((await world.sweep()).moves).toMatchObject([{ messageId, state: 'unconfirmed', code: 'UNCERTAIN' }]);
      expect(await world.timeline(messageId)).not.toContain('expired');
    });

    it('a late receipt settles an unconfirmed message, once, and it is billed', async () => {
      const messageId = await world.uncertain({ expiresAt: start + minute });
      world.clock.set(start + minute);
      await world.sweep();
      world.clock.set(start + hour);
      const { to } = (await world.view(messageId))!;
      const late = { carrierMessageId: 'late', idKeys: ['late'], to };
      expect(await world.receipts(late)).toMatchObject([{ messageId, state: 'delivered' }]);
      expect(await world.receipts(late)).toEqual([]);
      const { taken } = await world.store.countsAfter({ after: 0, limit: 1_000 });
      expect(taken.reduce((sum, { messages }) => sum + messages, 0)).toBe(1);
    });

    it('a receipt days after the end proves nothing', async () => {
      const messageId = await world.uncertain({ expiresAt: start + minute });
      world.clock.set(start + minute);
      await world.sweep();
      world.clock.set(start + 73 * hour);
      const { to } = (await world.view(messageId))!;
      expect(await world.receipts({ carrierMessageId: 'late', idKeys: ['late'], to })).toEqual([]);
    });
  });
}
