/** Contract: segments sent since a time, whatever their outcome; messages held by a limit become due. */
import { describe, expect, it } from 'vitest';
import type { HandedOver } from '../../messaging/store/operations/pacing.ts';
import type { Settlement } from '../../model/delivery.ts';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { mmsItem, queuedMedia } from './media-fixture.ts';
import { useWorld } from './world.ts';

const own = '15550001111';
const second = '15550002222';

export function pacingContract(factory: StoreFactory): void {
  describe('limits of the networks', () => pacingSuite(factory));
}

function pacingSuite(factory: StoreFactory): void {
  const world = useWorld(factory);

  async function handed(since: number, limit = 1_000, lately = start + 99 * hour): Promise<HandedOver[]> {
    const all: HandedOver[] = [];
    let after = await world.store.positionAt(since);
    for (;;) {
      const page = await world.store.handedOver({ after, limit, since, lately, claimedUntil: start + 99 * hour });
      all.push(...page.handed, ...page.underWay);
      after = page.position;
      if (!page.more) return all;
    }
  }

  async function units(since: number, number = own, limit?: number): Promise<number> {
    const rows = (await handed(since, limit)).filter((row) => row.number === number);
    return rows.reduce((sum, row) => sum + row.units, 0);
  }

  describe('sent segments', () => {
    it('include every segment that a carrier took or may have taken, also under way', async () => {
      expect(await units(start)).toBe(0);
      await world.sent(['a1', 'a2', 'a3']);
      await world.uncertain({ segments: 2 });
      await world.claimed({ segments: 4 });
      await world.accept({ segments: 50, lane: 'c2' });
      await world.sent(['b1'], { from: second });
      expect([await units(start), await units(start, second)]).toEqual([9, 1]);
    });

    it('are in one page each, and those under way apart, by when they were claimed', async () => {
      const [claimedAt, all] = [start + 1_000, { limit: 1_000, since: start, lately: start + hour }];
      world.clock.set(claimedAt);
      const claim = await world.claimed({ segments: 2 });
      const [row, before] = [{ number: own, kind: 'SMS' as const, second: 0 }, claimedAt - 1];
      const look = (after: number, claimedUntil: number) => world.store.handedOver({ ...all, after, claimedUntil });
      expect(await look(0, before)).toMatchObject({ handed: [], underWay: [] });
      const first = await look(0, claimedAt);
      expect(first).toMatchObject({ handed: [], underWay: [{ ...row, units: 2 }], more: false });
      await world.settle(claim);
      await world.sent(['a1']);
      await world.claimed({ segments: 5 });
      const next = await look(first.position, claimedAt);
      expect(next).toMatchObject({ handed: [{ ...row, units: 3 }], underWay: [{ ...row, units: 5 }] });
      expect(await look(next.position, before)).toMatchObject({ handed: [], underWay: [] });
    });

    it('include no refused ones except the parts that were taken; a second attempt adds the rest', async () => {
      const refused = await world.claimed({ segments: 3 });
      await world.settle(refused, { to: 'failed', code: 'CARRIER_REJECTED', parts: [] });
      const split = await world.claimed({ segments: 3 });
      world.clock.set(start + 1_000);
      const parts = [{ part: 1, carrierMessageId: 'p1' }];
      await world.settle(split, { to: 'queued', code: 'CARRIER_UNAVAILABLE', parts, dueAt: start + 2_000 });
      expect(await units(start)).toBe(1);
      world.clock.set(start + 2_000);
      const [again] = await world.claim();
      expect(await units(start)).toBe(3);
      const rest = [2, 3].map((part) => ({ part, carrierMessageId: `p${part}` }));
      world.clock.set(start + 3_000);
      await world.settle(again!, { parts: rest });
      expect(await units(start)).toBe(3);
    });

    it('count again when an uncertain message is sent again', async () => {
      await world.uncertain();
      world.clock.set(start + 2 * minute);
      await world.sweep();
      const [again] = await world.claim();
      await world.settle(again!);
      expect(await units(start)).toBe(2);
    });

    it('since a time are summed, late ones by second, in pages of any size, after a restart too', async () => {
      for (let n = 0; n < 7; n++) {
        world.clock.set(start + n * minute);
        await world.sent([`n${n}`]);
      }
      for (const limit of [1, 2, 1_000]) {
        const found = [];
        for (const n of [0, 1, 4, 6, 7]) found.push(await units(start + n * minute, own, limit));
        expect(found).toEqual([7, 6, 3, 1, 0]);
      }
      const late = await handed(start, 1_000, start + 4.5 * minute);
      expect(late.map(({ second: at, units: sum }) => [at, sum]).sort((a, b) => a[0]! - b[0]!)).toEqual([
        [0, 5],
        [start / 1_000 + 300, 1],
        [start / 1_000 + 360, 1],
      ]);
      await world.claimed();
      await world.restart();
      await world.store.recover({ token: world.store.token, now: start + hour, dueAt: start + hour, limit: 10 });
      expect(await units(start)).toBe(8);
    });

    it('count one for an MMS', async () => {
      const item = mmsItem(start);
      await world.store.accept([item]);
      await world.store.prepareMedia([queuedMedia(item, start)]);
      const [claim] = await world.claim();
      await world.settle(claim!);
      expect(await handed(start)).toEqual([{ number: own, kind: 'MMS', second: 0, units: 1 }]);
    });
  });

  describe('messages held by a limit', () => {
    const later = { to: 'queued', parts: [], countsAttempt: false, dueAt: start + hour } satisfies Partial<Settlement>;

    const codes = ['CAMPAIGN_LIMIT', 'DAILY_CAP_REACHED'] as const;

    async function all(limit: number): Promise<{ messageId: string; number: string }[]> {
      const found = [];
      let page = await world.store.waitingFor({ codes, now: start, after: null, limit });
      for (; page.next !== null; ) {
        found.push(...page.waiting);
        page = await world.store.waitingFor({ codes, now: start, after: page.next, limit });
      }
      return found;
    }

    it('are found in all lanes, and no others', async () => {
      const ids = [];
      for (const [index, lane] of ['c1', 'c2', 'c2', 'c3'].entries()) {
        const claim = await world.claimed({ lane, from: index === 0 ? second : own });
        await world.settle(claim, { ...later, code: index === 1 ? 'DAILY_CAP_REACHED' : 'CAMPAIGN_LIMIT' });
        ids.push(claim.messageId);
      }
      const other = await world.claimed();
      await world.settle(other, { ...later, code: 'CARRIER_UNAVAILABLE' });
      await world.accept();
      for (const limit of [1, 2, 100]) expect((await all(limit)).map((one) => one.messageId)).toEqual(ids);
      expect((await all(100)).map((one) => one.number)).toEqual([second, own, own, own]);
    });

    it('are due at once when released, without losing their place or an attempt', async () => {
      const claims = [await world.claimed(), await world.claimed()];
      for (const claim of claims) await world.settle(claim, { ...later, code: 'CAMPAIGN_LIMIT' });
      const sent = await world.sent(['a1']);
      expect(await world.claim()).toEqual([]);
      const ids = claims.map(({ messageId }) => messageId);
      expect(await world.store.makeDue([...ids, sent, 'msg_unknown'], start)).toBe(2);
      expect(await world.store.makeDue(ids, start)).toBe(0);
      expect((await world.claim()).map(({ messageId, attempt }) => [messageId, attempt])).toEqual(
        ids.map((id) => [id, 1]),
      );
      expect(await world.store.makeDue([], start)).toBe(0);
    });
  });
}
