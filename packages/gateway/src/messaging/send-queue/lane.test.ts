import { describe, expect, it } from 'vitest';
import type { Claim } from '../../model/delivery.ts';
import { directoryOf } from '../../model/world-fixture.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { claim, laneWith } from './lane-fixture.ts';

const accepted = { kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'X' }] } as const;

describe('a lane', () => {
  it('hands over no more than the window and goes on as answers come', async () => {
    const { clock, peer, store, lane } = laneWith([1, 2, 3, 4, 5].map((n) => claim(n)));
    lane.nudge();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_1', 'msg_2']);
    peer.answer(['msg_2'], { ...accepted, parts: [...accepted.parts] });
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_1', 'msg_3']);
    expect(store.settlements).toMatchObject([{ messageId: 'msg_2', to: 'sent', parts: [{ carrierMessageId: 'X' }] }]);
    expect(store.claims.every((request) => request.token === 7 && request.limit <= 2)).toBe(true);
  });

  it('counts what it has handed over, and what is due that it has not claimed', async () => {
    const { clock, peer, lane } = laneWith([1, 2, 3, 4, 5].map((n) => claim(n)));
    lane.nudge(5);
    await clock.pass(0);
    expect(lane.handed()).toBe(2);
    peer.answer(['msg_1', 'msg_2'], { ...accepted, parts: [...accepted.parts] });
    await clock.pass(0);
    expect(lane.handed()).toBe(4);
    peer.answer(['msg_3', 'msg_4'], { ...accepted, parts: [...accepted.parts] });
    await clock.pass(0);
    expect([lane.handed(), lane.waiting()]).toEqual([5, 0]);
  });

  it('settles before it claims again, so that both share a transaction', async () => {
    const { clock, peer, store, lane } = laneWith(
      [1, 2].map((n) => claim(n)),
      1,
    );
    const calls: string[] = [];
    const { settle, claim: claimNow } = store;
    store.settle = (batch) => {
      calls.push('settle');
      return settle(batch);
    };
    store.claim = (request) => {
      calls.push('claim');
      return claimNow(request);
    };
    lane.nudge();
    await clock.pass(0);
    calls.length = 0;
    peer.answer(['msg_1'], { ...accepted, parts: [] });
    expect(calls).toEqual(['settle', 'claim']);
  });

  it('gives no place twice in the moment in which a claim comes back', async () => {
    const queue: Claim[] = [];
    const { clock, peer, store, lane } = laneWith(queue);
    lane.nudge();
    await clock.pass(0);
    const claimNow = store.claim;
    let given = 0;
    store.claim = (request) => {
      const claimed = claimNow(request);
      void claimed.then(async () => {
        for (let step = 0; step < 10; step += 1) {
          given += lane.reserve(2)?.count ?? 0;
          await Promise.resolve();
        }
      });
      return claimed;
    };
    queue.push(claim(1), claim(2));
    lane.nudge(2);
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_1', 'msg_2']);
    expect(given).toBe(0);
  });

  it('claims what became due while an empty claim came back', async () => {
    const queue: Claim[] = [];
    const { clock, peer, store, lane } = laneWith(queue);
    const claimNow = store.claim;
    store.claim = async (request) => {
      const claimed = await claimNow(request);
      if (store.claims.length > 1) return claimed;
      queue.push(claim(1));
      lane.nudge(1);
      return claimed;
    };
    lane.nudge();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_1']);
    expect([lane.waiting(), store.claims.length]).toEqual([0, 2]);
  });

  it('claims nothing while nothing is bound', async () => {
    const { clock, peer, store, lane } = laneWith([claim(1)]);
    peer.state.bound = false;
    lane.nudge();
    await clock.pass(0);
    expect(store.claims).toEqual([]);
    peer.state.bound = true;
    peer.ready();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_1']);
  });

  it('hands nothing over while another node may have taken over, and goes on once that is ruled out', async () => {
    const { clock, peer, store, lane } = laneWith([claim(1)]);
    store.lease.isHeld = false;
    lane.nudge();
    await clock.pass(0);
    expect(lane.reserve(1)).toBeNull();
    expect(store.claims).toEqual([]);
    store.lease.isHeld = true;
    lane.nudge();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_1']);
  });

  it('gives back what it claimed when the lease has run out before it could be handed over', async () => {
    const { clock, peer, store, lane } = laneWith([claim(1)]);
    const claimNow = store.claim;
    store.claim = (request) => {
      const claimed = claimNow(request);
      store.lease.isHeld = false;
      return claimed;
    };
    lane.nudge();
    await clock.pass(0);
    expect(peer.submitted).toEqual([]);
    expect(store.settlements).toMatchObject([{ messageId: 'msg_1', to: 'queued', countsAttempt: false }]);
  });

  it('gives back what was accepted for a free place when the lease has run out meanwhile', async () => {
    const { clock, peer, store, lane } = laneWith([]);
    lane.nudge();
    await clock.pass(0);
    const room = lane.reserve(1)!;
    store.lease.isHeld = false;
    room.take([claim(1)]);
    await clock.pass(0);
    expect(peer.submitted).toEqual([]);
    expect(store.settlements).toMatchObject([{ messageId: 'msg_1', to: 'queued', countsAttempt: false }]);
  });

  it('stops what was switched off meanwhile', async () => {
    const directory = directoryOf({ campaigns: [] });
    const { clock, peer, store, lane } = laneWith([claim(1), claim(2, { from: '12025550111' })], 2, directory);
    lane.nudge();
    await clock.pass(0);
    expect(peer.submitted).toEqual([]);
    expect(store.settlements).toMatchObject([
      { messageId: 'msg_1', to: 'failed', code: 'CAMPAIGN_NOT_ACTIVE' },
      { messageId: 'msg_2', to: 'failed', code: 'SENDER_NOT_ENABLED' },
    ]);
  });

  it('stops what a person opted out of meanwhile, and lets confirmations pass', async () => {
    const queue = [claim(1), claim(2), claim(3, { keyId: 'consent:out' }), claim(4, { partsAccepted: [1] })];
    const optedOut = [1, 3, 4].map((n) => `campaign:C1 ${claim(n).to}`);
    const { clock, peer, store, lane } = laneWith(queue, 4, directoryOf(), [...optedOut, `campaign:C2 ${claim(2).to}`]);
    lane.nudge();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_2', 'msg_3']);
    expect(store.settlements).toMatchObject([
      { messageId: 'msg_1', to: 'failed', code: 'OPTED_OUT', detail: expect.stringMatching(/; nothing was sent\.$/) },
      {
        messageId: 'msg_4',
        to: 'failed',
        code: 'OPTED_OUT',
        detail: expect.stringMatching(/; the rest was not sent\.$/),
      },
    ]);
  });

  it('keeps an outcome until the store takes it, and claims nothing meanwhile', async () => {
    const { clock, peer, store, lane } = laneWith(
      [1, 2, 3].map((n) => claim(n)),
      1,
    );
    lane.nudge();
    await clock.pass(0);
    store.fails.settle = new StoreUnavailable('full', 'disk full');
    store.fails.claim = new StoreUnavailable('full', 'disk full');
    peer.answer(['msg_1'], { ...accepted, parts: [] });
    await clock.pass(2_000);
    store.fails.claim = null;
    const before = store.claims.length;
    lane.nudge();
    await clock.pass(0);
    expect(store.claims.length).toBe(before);
    store.fails.settle = null;
    await clock.pass(300);
    expect(store.settlements).toMatchObject([{ messageId: 'msg_1', to: 'sent' }]);
    lane.nudge();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_2']);
  });

  it('says once that the store gives no work, each time it is away', async () => {
    const { clock, peer, store, lane, warnings } = laneWith([claim(1)]);
    for (const time of [1, 2]) {
      store.fails.claim = new StoreUnavailable('down', 'away');
      for (let tries = 0; tries < 5; tries += 1) {
        lane.nudge();
        await clock.pass(250);
      }
      expect(warnings).toEqual(Array(time).fill('the store gives no work now'));
      store.fails.claim = null;
      lane.nudge();
      await clock.pass(0);
    }
    expect(peer.open()).toEqual(['msg_1']);
  });

  it('ignores an outcome of no known try', async () => {
    const { clock, peer, store, lane } = laneWith([claim(1)]);
    lane.nudge();
    await clock.pass(0);
    peer.answer(['msg_99'], { ...accepted, parts: [] });
    peer.answer(['msg_1'], { ...accepted, parts: [] });
    peer.answer(['msg_1'], { ...accepted, parts: [] });
    await clock.pass(0);
    expect(store.settlements.map((settlement) => settlement.messageId)).toEqual(['msg_1']);
  });

  it('stops while busy: claims nothing more and settles what is under way', async () => {
    const { clock, peer, store, lane } = laneWith([1, 2, 3].map((n) => claim(n)));
    lane.nudge();
    await clock.pass(0);
    const stopped = lane.stop(1_000);
    await clock.pass(0);
    await stopped;
    expect(store.settlements.map((settlement) => [settlement.messageId, settlement.to])).toEqual([
      ['msg_1', 'uncertain'],
      ['msg_2', 'uncertain'],
    ]);
    lane.nudge();
    await clock.pass(0);
    expect(peer.submitted).toHaveLength(2);
  });
});
