import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { LoggedCall, UnkeptCalls } from '../../model/request-log.ts';
import { createRequestLog, redactedBody } from './request-log.ts';

function stage() {
  const clock = settlingClock();
  const state = { fails: false, hangs: null as Promise<void> | null, notified: [] as string[] };
  const batches: { calls: readonly LoggedCall[]; unkept: readonly UnkeptCalls[] }[] = [];
  const log = createRequestLog({
    clock,
    logger: silentLogger,
    store: {
      addRequests: async (batch) => {
        await state.hangs;
        if (state.fails) throw new Error('down');
        batches.push(batch);
      },
    },
  });
  log.onKept((accountId) => void state.notified.push(accountId));
  let serial = 0;
  const call = (accountId = 'a', status = 200): void => {
    if (!log.mayRecord({ accountId, environment: 'sandbox' }, status >= 400)) return;
    const requestId = `req_${++serial}`;
    log.keep({ accountId, environment: 'sandbox', status, requestId, at: clock.now() } as LoggedCall);
  };
  const flood = (calls: number, accountId?: string, status?: number): void => {
    for (let i = 0; i < calls; i++) call(accountId, status);
  };
  return { clock, state, batches, log, call, flood };
}

const sum = (rows: readonly UnkeptCalls[]): number => rows.reduce((total, { calls }) => total + calls, 0);

describe('the request log in memory', () => {
  it('writes what came in a second as one batch, tells its accounts, and is idle without calls', async () => {
    const { clock, state, batches, call } = stage();
    call('a');
    call('b', 400);
    await clock.pass(900);
    expect(batches).toEqual([]);
    await clock.pass(200);
    expect(batches).toMatchObject([{ calls: [{ accountId: 'a' }, { accountId: 'b' }], unkept: [] }]);
    expect(state.notified).toEqual(['a', 'b']);
    await clock.pass(10_000);
    expect(batches).toHaveLength(1);
    call();
    await clock.pass(1_100);
    expect(batches).toHaveLength(2);
  });

  it('keeps 25 calls of an account in a second, refusals first, and counts every other', async () => {
    const { clock, batches, flood } = stage();
    flood(1_000);
    flood(20, 'a', 400);
    await clock.pass(1_100);
    const [{ calls, unkept }] = batches as [(typeof batches)[number]];
    expect(calls.map(({ status }) => status)).toEqual([...Array(20).fill(400), ...Array(5).fill(200)]);
    expect(sum(unkept)).toBe(995);
    expect(unkept[0]).toMatchObject({ accountId: 'a', environment: 'sandbox' });
    expect(unkept[0]!.minute % 60_000).toBe(0);
  });

  it('keeps 50 calls of all accounts in a second, and lets none of them take the room of the others', async () => {
    const { clock, batches, flood } = stage();
    for (const accountId of ['a', 'b', 'c', 'd', 'e']) flood(100, accountId);
    flood(1, 'quiet');
    await clock.pass(1_100);
    const [{ calls, unkept }] = batches as [(typeof batches)[number]];
    expect(calls).toHaveLength(50);
    expect(calls.filter(({ accountId }) => accountId === 'quiet')).toHaveLength(1);
    expect(sum(unkept)).toBe(451);
  });

  it('counts what the store does not take, and tells of it when it takes something again', async () => {
    const { clock, state, batches, flood } = stage();
    state.fails = true;
    flood(30);
    await clock.pass(1_100);
    flood(3);
    await clock.pass(1_100);
    expect(batches).toEqual([]);
    state.fails = false;
    flood(1);
    await clock.pass(1_100);
    expect(batches[0]!.calls).toHaveLength(1);
    expect(sum(batches[0]!.unkept)).toBe(33);
  });

  it('gives a store that hangs no second batch, and holds nobody up', async () => {
    const { clock, state, batches, flood } = stage();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.hangs = promise;
    flood(2);
    await clock.pass(1_100);
    flood(3);
    await clock.pass(1_100);
    resolve();
    state.hangs = null;
    await clock.pass(1);
    flood(1);
    await clock.pass(1_100);
    expect(batches.map(({ calls }) => calls.length)).toEqual([2, 1]);
    expect(sum(batches[1]!.unkept)).toBe(3);
  });

  it('writes all it has when it is flushed or stopped', async () => {
    const { batches, flood, log } = stage();
    flood(2);
    await log.flush();
    await log.flush();
    flood(1);
    await log.stop();
    expect(batches.map(({ calls }) => calls.length)).toEqual([2, 1]);
  });
});

const shown = (body: unknown): unknown => JSON.parse(redactedBody(body)!);

describe('a body as it is kept', () => {
  it('has lengths in place of texts, media without their query, and everything else of a send request', () => {
    expect(
      shown({
        from: '12025550199',
        to: ['12025550100', '+1 (202) 555-0101'],
        text: 'My code is 4711 🙂',
        mediaUrls: ['https://me:pw@cdn.example/a.png?signature=s3cret#x'],
        referenceId: 'order-7',
        validityMinutes: 5,
        exact: true,
        webhook: null,
      }),
    ).toEqual({
      from: '12025550199',
      to: ['12025550100', '+1 (202) 555-0101'],
      text: null,
      textLength: 17,
      mediaUrls: ['https://cdn.example/a.png'],
      referenceId: 'order-7',
      validityMinutes: 5,
      exact: true,
      webhook: null,
    });
  });

  it.each([
    { text: 4711 },
    { Text: 'my secret' },
    { to: 'my secret words, not a number at all' },
    { data: { text: 'my secret', deeper: [{ anything: 'my secret' }] } },
    { header: { name: 'x', value: 'my secret' } },
    { 'my secret': 1 },
    { referenceId: 'bt_0123456789abcdef_my' },
    { mediaUrls: ['my secret'] },
    { url: 'https://a.example/?my=secret' },
    ['my secret'],
    'my secret',
    { a: { b: { c: { d: { e: { from: 'secret' } } } } } },
  ])('never has what may be a text or a secret: %j', (body) => {
    expect(redactedBody(body)).not.toMatch(/secret(?!\])|4711|bt_0/);
  });

  it('is at most 2 kB of JSON, says what was left out, and is nothing when even that is too long', () => {
    const many = { from: '1', to: Array.from({ length: 1_000 }, (_, i) => String(12025550000 + i)), text: 'x' };
    expect(shown(many)).toMatchObject({ from: '1', toCount: 1_000, textLength: 1 });
    const long = shown({ mediaUrls: Array(10).fill(`https://a.example/${'y'.repeat(4_000)}`) }) as {
      mediaUrls: string[];
    };
    expect(long.mediaUrls.length).toBeGreaterThan(1);
    const wide = { a: Array(50).fill(Array(50).fill(Array(50).fill({ from: '12025550100', to: '12025550100' }))) };
    for (const body of [many, wide, long])
      expect(Buffer.byteLength(redactedBody(body) ?? '')).toBeLessThanOrEqual(2_048);
  });
});
