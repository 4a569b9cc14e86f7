/** Contract: the log of API calls. */
import { describe, expect, it } from 'vitest';
import type { LoggedCall, UnkeptCalls } from '../../model/request-log.ts';
import type { RequestSearch } from '../../subjects/request-log/store/items.ts';
import { minute, nextId, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

const peer = '14155550100';

function call(fields: Partial<LoggedCall> = {}): LoggedCall {
  return {
    accountId: 'acc1',
    requestId: nextId('req'),
    at: start,
    environment: 'sandbox',
    keyId: 'key1',
    method: 'POST',
    path: '/SendSMS',
    status: 200,
    reason: 'SUCCESS',
    detail: '',
    address: '127.0.0.1',
    ms: 3,
    dryRun: false,
    body: '{"from":"12025550199"}',
    bodyBytes: 22,
    ...fields,
  };
}

const all: RequestSearch = {
  accountId: 'acc1',
  environment: 'sandbox',
  statusFrom: 0,
  statusTo: 999,
  reason: null,
  keyId: null,
  path: null,
  before: null,
  after: null,
  limit: 100,
};

const unkept = (fields: Partial<UnkeptCalls> = {}): UnkeptCalls => ({
  accountId: 'acc1',
  environment: 'sandbox',
  minute: start,
  calls: 5,
  ...fields,
});

export function requestLogContract(factory: StoreFactory): void {
  describe('the log of API calls', () => {
    const world = useWorld(factory);
    const add = (...calls: LoggedCall[]) => world.store.addRequests({ calls, unkept: [] });
    const ids = async (search: Partial<RequestSearch> = {}) =>
      (await world.store.requests({ ...all, ...search })).map(({ requestId }) => requestId);

    it('returns calls as they were, newest first, after a restart too', async () => {
      const [one, other] = [call(), call({ body: null, bodyBytes: 0, dryRun: true, detail: 'Because.' })];
      await add(one, other);
      await world.restart();
      expect(await world.store.requests(all)).toEqual([other, one]);
      expect(await world.store.request(one)).toEqual(one);
    });

    it('stores a call once, whatever its text contains', async () => {
      const one = call({ path: '/a\0b', detail: 'x\uD800', body: '"\0"' });
      await Promise.all([add(one), add({ ...one, status: 500 })]);
      expect(await world.store.requests(all)).toEqual([
        { ...one, path: '/a\uFFFDb', detail: 'x\uFFFD', body: '"\uFFFD"' },
      ]);
    });

    it('shows no calls of another account or environment', async () => {
      const foreign = call({ accountId: 'acc2' });
      await add(foreign, call({ environment: 'live' }));
      expect(await ids()).toEqual([]);
      expect(await world.store.request({ accountId: 'acc1', requestId: foreign.requestId })).toBeNull();
      expect(await ids({ accountId: 'acc2' })).toEqual([foreign.requestId]);
    });

    it('finds by each of its filters, and pages by request id', async () => {
      const one = call({ status: 400, reason: 'INVALID_JSON' });
      const two = call({ keyId: 'key2' });
      const three = call({ method: 'GET', path: '/api/v1/Messages/100%_\\' });
      await add(one, two, three);
      expect(await ids({ statusFrom: 400, statusTo: 599 })).toEqual([one.requestId]);
      expect(await ids({ reason: 'INVALID_JSON' })).toEqual([one.requestId]);
      expect(await ids({ keyId: 'key2' })).toEqual([two.requestId]);
      expect(await ids({ path: 'get /api/v1/messages/' })).toEqual([three.requestId]);
      expect(await ids({ path: '0%_\\' })).toEqual([three.requestId]);
      expect(await ids({ path: '%' })).toEqual([three.requestId]);
      expect(await ids({ limit: 2 })).toEqual([three.requestId, two.requestId]);
      expect(await ids({ before: two.requestId })).toEqual([one.requestId]);
      expect(await ids({ after: two.requestId })).toEqual([three.requestId]);
    });

    it('counts calls that were not kept, by minute', async () => {
      const other = unkept({ minute: start + minute, calls: 1 });
      const add = (...rows: UnkeptCalls[]) => world.store.addRequests({ calls: [], unkept: rows });
      await Promise.all([add(unkept(), unkept({ calls: 2 })), add(unkept(), other, unkept({ accountId: 'acc2' }))]);
      await add(unkept({ environment: 'live' }));
      const query = { accountId: 'acc1', environment: 'sandbox', limit: 9 } as const;
      const between = (from: number, to: number) => world.store.unkeptRequests({ ...query, from, to });
      expect(await between(start + 7, start + minute + 7)).toEqual([other, unkept({ calls: 12 })]);
      expect(await between(start + minute, start + minute)).toEqual([other]);
    });

    it('deletes old calls, then all but the newest, of one account', async () => {
      const old = [call(), call(), call()];
      const young = [call({ at: start + 9 }), call({ at: start + 9 }), call({ at: start + 9 })];
      const foreign = call({ accountId: 'acc2' });
      await world.store.addRequests({
        calls: [...old, ...young, foreign],
        unkept: [unkept(), unkept({ minute: start + minute })],
      });
      const forget = async (before: number, keep: number) => {
        for (let more = true, steps = 0; more && steps < 9; steps++) {
          more = await world.store.forgetRequests({ accountId: 'acc1', before, keep, limit: 2 });
        }
      };
      await forget(start, 100);
      expect(await ids()).toHaveLength(6);
      await forget(start + 9, 100);
      expect(await ids()).toEqual(young.map(({ requestId }) => requestId).reverse());
      await forget(0, 1);
      expect(await ids()).toEqual([young[2]!.requestId]);
      expect(await ids({ accountId: 'acc2' })).toEqual([foreign.requestId]);
      const left = await world.store.unkeptRequests({
        accountId: 'acc1',
        environment: 'sandbox',
        from: 0,
        to: start * 2,
        limit: 9,
      });
      expect(left).toEqual([unkept({ minute: start + minute })]);
    });

    it('masks a number everywhere, however it was written, for one account', async () => {
      const body = (to: unknown) => JSON.stringify({ to: [to], more: [{ contact: 'other' }] });
      const inBody = call({ body: body('+1 (415) 555-0100') });
      const rest = [call({ path: `/api/v1/x/${peer}` }), call({ detail: `"+${peer}" is no sender.` }), call()];
      const foreign = call({ accountId: 'acc2', body: body(peer) });
      await add(inBody, ...rest, call({ body: body(14155550100) }), foreign);
      let cursor: string | null = null;
      for (let steps = 0; steps === 0 || (cursor !== null && steps < 9); steps++) {
        cursor = await world.store.eraseFromRequests({ accountId: 'acc1', number: peer, cursor, limit: 2 });
      }
      expect(cursor).toBeNull();
      const kept = (await world.store.requests(all)).reverse();
      expect(kept.map(({ path, detail, body: of }) => [path, detail, of])).toEqual([
        ['/SendSMS', '', body('1415•••0100')],
        ['/api/v1/x/1415•••0100', '', call().body],
        ['/SendSMS', '"+1415•••0100" is no sender.', call().body],
        ['/SendSMS', '', call().body],
        ['/SendSMS', '', body('1415•••0100')],
      ]);
      expect(await world.store.request(foreign)).toEqual(foreign);
    });
  });
}
