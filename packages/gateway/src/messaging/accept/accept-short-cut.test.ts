import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../store/faults.ts';
import { claim, laneWith } from '../send-queue/lane-fixture.ts';
import { world } from './accept-fixture.ts';

const to = ['12025550100', '12025550101', '12025550102'];

describe('accepting for a lane with room', () => {
  it('stores as many as there is room for as sending, hands them over after the commit, and queues the rest', async () => {
    const { send, stored, nudged, slots } = world();
    slots.free = 2;
    await send({ to });
    expect(stored[0]!.deliveries).toMatchObject([{ sending: true }, { sending: true }, {}]);
    expect(stored[0]!.deliveries[2]).not.toHaveProperty('sending');
    expect(slots.taken).toMatchObject([
      { messageId: stored[0]!.deliveries[0]!.messageId, to: to[0], attempt: 1, lane: 'a', text: 'Hi', dupRisk: false },
      { messageId: stored[0]!.deliveries[1]!.messageId, to: to[1], attempt: 1 },
    ]);
    expect(nudged).toEqual(['a']);
  });

  it('hands nothing over, and gives the room back, when nothing was stored', async () => {
    const { send, slots, gate } = world();
    slots.free = 3;
    gate.fails = new StoreUnavailable('full', 'disk full');
    await expect(send({ to })).rejects.toThrow(StoreUnavailable);
    expect(slots).toEqual({ free: 3, taken: [] });
  });

  it('hands nothing over, gives the room back and wakes the lane, when its node had given the lane up meanwhile', async () => {
    const { send, nudged, slots, gate } = world();
    slots.free = 2;
    gate.waits = true;
    await send({ to });
    expect(slots).toEqual({ free: 2, taken: [] });
    expect(nudged).toEqual(['a']);
  });

  it('reserves no room on a dry run', async () => {
    const { send, slots } = world();
    slots.free = 3;
    await send({ to }, { dryRun: true });
    expect(slots).toEqual({ free: 3, taken: [] });
  });
});

const laneOf = (window: number, queued: number) =>
  laneWith(
    Array.from({ length: queued }, (_, n) => claim(n)),
    window,
  );

describe('room in a lane', () => {
  it('is not given before the queue has been looked at, nor while more waits than it holds', async () => {
    const { clock, lane, peer } = laneOf(2, 3);
    expect(lane.reserve(1)).toBeNull();
    lane.nudge();
    await clock.pass(0);
    peer.answer(['msg_0'], { kind: 'accepted', parts: [] });
    expect(lane.reserve(1)).toBeNull();
  });

  it('is kept for its owner and never given twice', async () => {
    const { clock, lane, peer, store } = laneOf(3, 0);
    lane.nudge();
    await clock.pass(0);
    const slots = lane.reserve(2);
    expect(slots?.count).toBe(2);
    expect(lane.reserve(5)?.count).toBe(1);
    expect(lane.reserve(1)).toBeNull();
    lane.nudge();
    await clock.pass(0);
    expect(store.claims).toHaveLength(1);
    slots?.take([claim(1), claim(2)]);
    expect(peer.open()).toEqual(['msg_1', 'msg_2']);
    expect(lane.reserve(1)).toBeNull();
  });

  it('that is released goes to what waits', async () => {
    const { clock, lane, peer, store } = laneOf(1, 0);
    lane.nudge();
    await clock.pass(0);
    const slots = lane.reserve(1);
    store.claim = async () => [claim(7)];
    lane.nudge(1);
    await clock.pass(0);
    expect(peer.open()).toEqual([]);
    slots?.release();
    await clock.pass(0);
    expect(peer.open()).toEqual(['msg_7']);
  });

  it('leaves the places of the counted queue to the queue', async () => {
    const { clock, lane, store } = laneOf(4, 0);
    lane.nudge();
    await clock.pass(0);
    store.claim = () => new Promise(() => {});
    lane.nudge(3);
    expect(lane.reserve(9)?.count).toBe(1);
  });

  it('that ends with its lane gives the deliveries back unsent, no attempt spent', async () => {
    const { clock, lane, store } = laneOf(4, 0);
    lane.nudge();
    await clock.pass(0);
    const slots = lane.reserve(1);
    await lane.stop(0);
    slots?.take([claim(1)]);
    await clock.pass(0);
    expect(store.settlements).toMatchObject([{ messageId: 'msg_1', to: 'queued', countsAttempt: false, parts: [] }]);
    expect(lane.reserve(1)).toBeNull();
  });
});
