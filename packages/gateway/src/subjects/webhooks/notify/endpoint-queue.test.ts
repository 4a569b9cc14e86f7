/** The queue of one endpoint: rows of a look are neither taken twice nor missed, whatever happens meanwhile. */
import { describe, expect, it } from 'vitest';
import { EndpointQueue, queuedPerEndpointMax } from './endpoint-queue.ts';
import { delivered } from './outbox-fixture.ts';

const row = (position: number) => ({ tries: 0, event: delivered(position) });
const rows = (...positions: number[]) => positions.map(row);

function queue(complete: boolean, left = 1_000) {
  const places = { left };
  const q = new EndpointQueue(places, complete);
  const drain = () => {
    const taken: number[] = [];
    for (let next = q.take(); next !== undefined; next = q.take()) taken.push(next.event.position);
    return taken;
  };
  return { q, places, drain };
}

describe('a look', () => {
  it('asks for what is held and the room, and takes what is not held', () => {
    const { q, drain } = queue(true);
    for (const one of rows(1, 2)) q.offer(one);
    q.take();
    expect(q.beginLook(10)).toBe(12);
    q.endLook(rows(1, 2, 3));
    expect(drain()).toEqual([2, 3]);
    expect(q.complete).toBe(true);
  });

  it('does not bring back what was released while it was under way', () => {
    const { q, drain } = queue(true);
    q.offer(row(1));
    q.take();
    q.beginLook(10);
    q.release(1);
    q.endLook(rows(1, 2));
    expect(drain()).toEqual([2]);
    q.beginLook(10);
    q.endLook(rows(1));
    expect(drain()).toEqual([1]);
  });

  it('is not the last when something came meanwhile, when it was full, or when it failed', () => {
    const { q } = queue(false);
    q.beginLook(10);
    q.offer(row(9));
    q.endLook([]);
    expect(q.complete).toBe(false);
    q.beginLook(2);
    q.endLook(rows(1, 2));
    expect(q.complete).toBe(false);
    q.beginLook(2);
    q.endLook(null);
    expect(q.complete).toBe(false);
    q.beginLook(2);
    q.endLook(rows(1, 2, 3));
    expect(q.complete).toBe(true);
  });
});

describe('places', () => {
  it('come back, whichever way rows go', () => {
    const { q, places, drain } = queue(true, 2_000);
    for (let n = 1; n <= 1_100; n++) q.offer(row(n));
    expect([q.size, places.left, q.complete]).toEqual([queuedPerEndpointMax, 2_000 - queuedPerEndpointMax, false]);
    const first = q.take()!;
    q.putBack(first);
    q.shed(10);
    expect([q.size, places.left, q.held]).toEqual([10, 1_990, 10]);
    q.beginLook(100);
    expect(places.left).toBe(1_890);
    q.endLook(null);
    expect(drain()).toHaveLength(10);
    expect(places.left).toBe(2_000);
  });

  it('none left: nothing is taken, and it is known that there is more', () => {
    const { q } = queue(true, 0);
    q.offer(row(1));
    expect([q.size, q.complete]).toEqual([0, false]);
  });
});
