import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../store/faults.ts';
import { answer, reason, world } from './accept-fixture.ts';

const mediaUrls = ['https://example.com/a.jpg', 'https://example.com/b.png'];

describe('an MMS', () => {
  it('is stored for a carrier that takes MMS, and the media worker is notified after the commit', async () => {
    const w = world({ mms: true });
    let open = () => {};
    w.gate.closed = new Promise((resolve) => (open = resolve));
    const sent = w.send({ mediaUrls, to: ['12025550100', '12025550101'] });
    await new Promise((resolve) => setImmediate(resolve));
    expect(w.nudged).toEqual([]);
    open();
    expect(answer(await sent)).toMatchObject({ messageType: 'MMS', encoding: null, segments: 1 });
    expect(w.stored[0]!.message).toMatchObject({ messageType: 'MMS', mediaUrls });
    expect(w.stored[0]!.deliveries.map(({ lane }) => lane)).toEqual(['m', 'm']);
    expect(w.nudged).toEqual(['media']);
  });

  it('goes to the next carrier when the first is down', async () => {
    const w = world({ mms: true, up: ['a', 'b', 'n'] });
    await w.send({ mediaUrls });
    expect(w.stored[0]!.deliveries[0]!.lane).toBe('n');
  });

  it('takes no short cut, however much room there is', async () => {
    const w = world({ mms: true });
    w.slots.free = 10;
    await w.send({ mediaUrls });
    expect(w.stored[0]!.deliveries[0]).not.toHaveProperty('sending');
    expect(w.slots).toEqual({ free: 10, taken: [] });
    await w.send({});
    expect(w.slots.taken).toHaveLength(1);
    expect(w.nudged).toEqual(['media']);
  });

  it('may have no text at all', async () => {
    const w = world({ mms: true });
    expect(answer(await w.send({ text: '', mediaUrls })).results[0]!.status).toBe('SUCCESS');
    expect(w.stored[0]!.message.text).toBe('');
  });

  it('wakes nobody when no recipient can have it', async () => {
    const w = world();
    expect(answer(await w.send({ mediaUrls })).results[0]!.status).toBe('NO_ROUTE');
    expect([w.nudged, w.stored]).toEqual([[], []]);
  });

  it('has no route where only an SMS has one, even when its account wants links instead', async () => {
    const w = world({ account: { mmsFallback: 'links' } });
    expect(answer(await w.send({ mediaUrls })).results[0]!.status).toBe('NO_ROUTE');
    expect(answer(await w.send({})).results[0]!.status).toBe('SUCCESS');
  });

  it('wakes nobody when it could not be stored', async () => {
    const w = world({ mms: true });
    w.gate.fails = new StoreUnavailable('busy', 'busy');
    await expect(w.send({ mediaUrls })).rejects.toBe(w.gate.fails);
    expect(w.nudged).toEqual([]);
  });
});

describe('M-11: while the media store is full', () => {
  it.each([false, Promise.resolve(false)])('no MMS is accepted, and SMS go on (%s)', async (hasCapacity) => {
    const w = world({ mms: true, hasMediaCapacity: () => hasCapacity });
    await expect(w.send({ mediaUrls })).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'full' });
    expect(w.stored).toEqual([]);
    expect(reason(await w.send({}))).toBe('SUCCESS');
  });

  it('a repeat is answered, and so are a dry run and a request that nobody can have', async () => {
    const state = { hasCapacity: true };
    const w = world({ mms: true, hasMediaCapacity: () => state.hasCapacity });
    const idempotency = { key: 'k', bodyHash: 'h' };
    const first = await w.send({ mediaUrls }, { idempotency });
    state.hasCapacity = false;
    expect(await w.send({ mediaUrls }, { idempotency })).toMatchObject({
      replayed: true,
      body: (first as { body: string }).body,
    });
    expect(reason(await w.send({ mediaUrls }, { dryRun: true }))).toBe('SUCCESS');
    expect(reason(await w.send({ mediaUrls, to: ['1'] }, { idempotency: { key: 'l', bodyHash: 'h' } }))).toBe(
      'SUCCESS',
    );
    expect(w.stored.map(({ deliveries }) => deliveries.length)).toEqual([1, 0]);
  });
});
