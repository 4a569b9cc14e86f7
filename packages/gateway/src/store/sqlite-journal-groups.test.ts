/**
 * What the journal cannot handle alone: groups that also need the database, the order across both, and texts that must
 * be erased.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { copySqlite, restoreSqlite } from '../app/store-backup.ts';
import { acceptItem, hour, minute, receipt, settlement, start } from './contract/fixture.ts';
import { StoreUnavailable } from './faults.ts';
import {
  filesWith,
  framesOf,
  journalOf,
  recovered,
  statesOf,
  timelineOf,
  useCrashing,
} from './journal/crash-fixture.ts';

const world = useCrashing();
const three = ['14155550101', '14155550102', '14155550103'];
const key = (name: string) => ({ key: { key: name, bodyHash: 'aa', answer: name } });
const ids = (claims: readonly { messageId: string }[]) => claims.map(({ messageId }) => messageId);

/** Tells the buffer that the database has nothing due in the lane. */
async function dry(lane = 'c1'): Promise<void> {
  expect(await world.claim(1, lane)).toEqual([]);
}

describe('a settlement of a message in memory', () => {
  it.each([
    ['failed', { to: 'failed', code: 'CARRIER_REJECTED', detail: 'No.', parts: [] }, ['failed']],
    ['queued', { to: 'queued', code: 'CARRIER_UNAVAILABLE', parts: [], dueAt: start + minute }, ['queued']],
    ['uncertain', { to: 'uncertain', parts: [], dueAt: start + hour }, ['uncertain']],
    ['sent with something to say', { carrierCode: '0' }, ['sent']],
  ] as const)('as %s goes to the database, with what belongs to it', async (_, fields, then) => {
    const [first, second, third] = await world.accept({ recipients: three });
    const claims = await world.claim(2);
    const { parts, ...rest } = { parts: undefined, ...fields };
    expect(await world.settle(claims[0]!, { ...rest, ...(parts && { parts: [] }) })).toEqual(then);
    const copy = await world.open(world.crash());
    expect(await statesOf(copy, [first!, second!, third!])).toEqual([then[0], 'sending', 'queued']);
    expect(await timelineOf(copy, first!)).toEqual(['accepted', 'queued', 'sending', then[0]]);
    expect(await recovered(copy)).toEqual([second]);
    // The attempt under way ends as usual.
    expect(await world.settle(claims[1]!)).toEqual(['sent']);
    expect(ids(await world.claim(5))).toEqual([third]);
  });

  it('of an earlier attempt changes nothing', async () => {
    const [first] = await world.accept();
    const [claim] = await world.claim(1);
    expect(await world.settle({ ...claim!, attempt: 2 })).toEqual([]);
    expect(await world.settle({ ...claim!, messageId: 'msg_unknown' })).toEqual([]);
    expect(await world.store.settle([settlement(claim!, start), settlement(claim!, start)])).toEqual([['sent'], []]);
    expect(await world.settle(claim!, { to: 'failed', code: 'CARRIER_REJECTED' })).toEqual([]);
    const copy = await world.open(world.crash());
    expect(await timelineOf(copy, first!)).toEqual(['accepted', 'queued', 'sending', 'sent']);
  });

  it('shares a group with a plain one, each with its own result', async () => {
    await world.accept({ recipients: three });
    await world.accept();
    const [one, two, three_, other] = await world.claim(4);
    const results = await Promise.all([
      world.settle(one!),
      world.settle(two!, { to: 'failed', code: 'CARRIER_REJECTED', parts: [] }),
      world.settle(other!),
      world.settle(three_!),
    ]);
    expect(results).toEqual([['sent'], ['failed'], ['sent'], ['sent']]);
    const copy = await world.open(world.crash());
    expect(await statesOf(copy, ids([one!, two!, three_!, other!]))).toEqual(['sent', 'failed', 'sent', 'sent']);
  });

  it('applies the receipts that came before it', async () => {
    const [messageId] = await world.accept();
    const [claim] = await world.claim(1);
    await world.store.receipts([receipt(start, { carrierMessageId: 'early' })]);
    const [second] = await world.accept({ to: '14155550109' });
    const [own] = await world.claim(1);
    await world.store.receipts([receipt(start, { carrierMessageId: 'other', to: '14155550109' })]);
    await world.settle(claim!, { parts: [{ part: 1, carrierMessageId: 'early' }] });
    await world.settle(own!, { parts: [{ part: 1, carrierMessageId: 'other' }] });
    expect(await statesOf(world.store, [messageId!, second!])).toEqual(['delivered', 'delivered']);
  });
});

describe('an accept with an idempotency key', () => {
  it('shares a group with plain ones', async () => {
    await world.accept(key('k1'));
    const items = [{}, key('k1'), {}, key('k2'), key('k2')].map((fields) => acceptItem(start, fields));
    const results = (await Promise.all(items.map((item) => world.store.accept([item])))).flat();
    expect(results).toEqual([
      { kind: 'stored' },
      { kind: 'replay', answer: 'k1' },
      { kind: 'stored' },
      { kind: 'stored' },
      { kind: 'replay', answer: 'k2' },
    ]);
    const copy = await world.open(world.crash());
    const messages = items.map(({ deliveries }) => deliveries[0]!.messageId);
    expect(await statesOf(copy, messages)).toEqual(['queued', null, 'queued', 'queued', null]);
  });
});

describe('a claim', () => {
  it('takes from the database and from memory, each once', async () => {
    const accepted = [
      ...(await world.accept(key('k1'))),
      ...(await world.accept()),
      ...(await world.accept(key('k2'))),
      ...(await world.accept({ recipients: three })),
    ];
    const claims = [...(await world.claim(3)), ...(await world.claim(10)), ...(await world.claim(10))];
    expect(ids(claims).sort()).toEqual([...accepted].sort());
    expect(claims.map(({ attempt, text }) => [attempt, text])).toEqual(accepted.map(() => [1, 'Hello']));
    const copy = await world.open(world.crash());
    expect(await statesOf(copy, accepted)).toEqual(accepted.map(() => 'sending'));
    expect((await recovered(copy)).sort()).toEqual([...accepted].sort());
  });

  it('of another node gets nothing', async () => {
    const accepted = [...(await world.accept()), ...(await world.accept(key('k1')))];
    for (const token of [world.store.token - 1, world.store.token + 1, 0]) {
      expect(await world.store.claim({ lane: 'c1', limit: 5, now: start, token })).toEqual([]);
    }
    expect(ids(await world.claim(5)).sort()).toEqual([...accepted].sort());
  });

  it('and others in one group give each delivery once', async () => {
    const accepted = await world.accept({ recipients: three });
    await world.accept({ lane: 'c2' });
    const found = await Promise.all([world.claim(1), world.claim(1), world.claim(2), world.claim(5, 'c2')]);
    expect(found.map((claims) => claims.length)).toEqual([1, 1, 1, 1]);
    expect(ids(found.slice(0, 3).flat())).toEqual(accepted);
  });

  it('gives the oldest first, wherever they are, except one claim that finds many in the database', async () => {
    const accepted: string[] = [];
    for (const fields of [{}, key('k1'), {}, key('k2'), {}]) {
      world.clock.set(world.clock.now() + 1_000);
      accepted.push(...(await world.accept(fields)));
    }
    const claims = [];
    for (let count = 0; count < accepted.length; count += 1) claims.push(...(await world.claim(1)));
    const [before, found, ...after] = accepted;
    expect(ids(claims)).toEqual([found, before, ...after]);
  });

  it('leaves in memory what is younger than all in the database', async () => {
    const accepted: string[] = [];
    for (const fields of [key('k1'), key('k2'), key('k3'), {}, {}]) {
      world.clock.set(world.clock.now() + 1_000);
      accepted.push(...(await world.accept(fields)));
    }
    const claims = [];
    for (let count = 0; count < accepted.length; count += 1) claims.push(...(await world.claim(1)));
    expect(ids(claims)).toEqual(accepted);
    const fromMemory = framesOf(world.folder).flatMap(({ text }) => JSON.parse(text).claimed);
    expect(fromMemory).toEqual(accepted.slice(3));
  });

  it('also takes the rest of a request that went to the database in the same group', async () => {
    await dry();
    const [, second] = await world.accept({ recipients: three });
    const [claim] = await world.claim(1);
    // Like a lane, claims for the freed slot in the same tick as the settlement. Fewer claims than requested mean an
    // empty lane.
    const [, next] = await Promise.all([
      world.settle(claim!, { to: 'failed', code: 'CARRIER_REJECTED', parts: [] }),
      world.claim(1),
    ]);
    expect(ids(next)).toEqual([second]);
  });

  it('is filled from the database when another claim of the group takes what is in memory', async () => {
    const [retried] = await world.accept();
    const [first] = await world.claim(1);
    await world.settle(first!, { to: 'queued', code: 'CARRIER_UNAVAILABLE', parts: [], dueAt: start + 100 });
    await dry();
    const [fresh] = await world.accept();
    world.clock.set(start + 100);
    const claims = (await Promise.all([world.claim(1), world.claim(1)])).flat();
    expect(ids(claims).sort()).toEqual([retried, fresh].sort());
  });
});

describe('while the database takes no writes', () => {
  it('texts are accepted all the same, and nothing is lost', async () => {
    const [before] = await world.accept();
    const other = new DatabaseSync(join(world.folder, 'store.db'));
    other.exec('begin immediate');
    const [during] = await world.accept();
    const copyMeanwhile = world.crash();
    await expect(world.accept(key('k1'))).rejects.toThrow(StoreUnavailable);
    other.exec('rollback');
    other.close();
    const [after] = await world.accept();
    expect(await statesOf(world.store, [before!, during!, after!])).toEqual(['queued', 'queued', 'queued']);
    expect(await statesOf(await world.open(copyMeanwhile), [before!, during!])).toEqual(['queued', 'queued']);
  });
});

describe('a backup of a running node', () => {
  it('has everything acknowledged before it began', async () => {
    const accepted = [...(await world.accept()), ...(await world.accept(key('k1')))];
    const [claim] = await world.claim(1);
    await world.settle(claim!);
    const folder = world.fresh();
    const to = join(folder, 'backup.db');
    await copySqlite(world.folder, to);
    restoreSqlite({ dataDir: folder, from: to, aside: 'before', waiting: 'send', now: world.clock.now() });
    const states = await statesOf(await world.open(folder), accepted);
    expect(states).toEqual(await statesOf(world.store, accepted));
  });
});

describe('an erased text', () => {
  const canary = 'canary-4f1b77';
  const later = start + 40 * 24 * hour;

  async function done(): Promise<void> {
    for (let count = 0; count < 20; count += 1) await world.accept({ text: `${canary} ${'x'.repeat(count * 300)}` });
    const claims = await world.claim(100);
    await world.store.settle(claims.map((claim) => settlement(claim, start)));
    expect(framesOf(world.folder).length).toBeGreaterThan(20);
    expect(filesWith(world.folder, canary)).toContain('store.journal');
    await world.store.receipts(
      claims.map((claim) => receipt(start, { carrierMessageId: `id-${claim.messageId}`, to: claim.to })),
    );
    world.clock.set(later);
  }

  async function forget(): Promise<void> {
    const cut = { accountId: 'acc1', bodiesBefore: start + hour, messagesBefore: 0, endpointIds: [], limit: 100 };
    let cursor: string | null = null;
    do ({ cursor } = await world.store.forgetMessages({ ...cut, now: later, cursor }));
    while (cursor !== null);
  }

  it('is no longer in the journal while the store is open, and nowhere when it is closed', async () => {
    await done();
    await forget();
    expect(filesWith(world.folder, canary)).not.toContain('store.journal');
    const [kept] = await world.accept({ text: 'kept' });
    expect(await statesOf(await world.open(world.crash()), [kept!])).toEqual(['queued']);
    await world.store.close();
    expect(filesWith(world.folder, canary)).toEqual([]);
  });

  it('is wiped by the erasure of a number too', async () => {
    await done();
    const erasure = {
      erasureId: 'era_1',
      accountId: 'acc1',
      peer: '14155550100',
      requestedAt: later,
      requestedBy: 'ada',
    };
    await world.store.addErasure(erasure);
    const step = { erasureId: 'era_1', endpointIds: [], settledBefore: later - minute, now: later, limit: 100 };
    for (let steps = 0; steps < 100 && (await world.store.erase(step)); steps += 1);
    expect(filesWith(world.folder, canary)).not.toContain('store.journal');
    await world.store.close();
    expect(filesWith(world.folder, canary)).toEqual([]);
  });

  it('is wiped even if a dead node left it', async () => {
    await done();
    const folder = world.crash();
    expect(filesWith(folder, canary)).toContain('store.journal');
    await world.goOn(folder);
    await forget();
    expect(filesWith(folder, canary)).not.toContain('store.journal');
    await world.store.close();
    expect([filesWith(folder, canary), existsSync(journalOf(folder))]).toEqual([[], false]);
  });
});
