/** The journal of a dead node is recovered: each message once, in its last state. */
import { copyFileSync, existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Store } from '../app/store.ts';
import { hour, type ItemFields, receipt, settlement, start } from './contract/fixture.ts';
import {
  anonymous,
  copyFiles,
  cutJournal,
  framesOf,
  journalOf,
  recovered,
  statesOf,
  timelineOf,
  useCrashing,
} from './journal/crash-fixture.ts';

const world = useCrashing();

/** Each of these commits writes one frame. */
const storyFrames = 8;
const storyStates = ['sent', 'sent', 'sending', 'sending', 'queued', 'queued', 'sending'];

/** Messages in each state that a journaled message can have; returns their ids and the claims. */
async function story(fields: (request: number) => ItemFields = () => ({})) {
  const ids: string[] = [];
  const texts: ItemFields[] = [
    { text: 'Grüße 😀 "quoted" \\ {x}' },
    { recipients: ['14155550101', '14155550102', '14155550103'], segments: 2 },
    { from: '15550002222' },
    { expiresAt: start + 100_000 },
  ];
  for (const [request, own] of texts.entries()) {
    world.clock.set(start + request);
    ids.push(...(await world.accept({ ...own, ...fields(request) })));
  }
  const atOnce = await world.accept(fields(texts.length), ({ deliveries }) => {
    deliveries[0]!.sending = true;
  });
  world.clock.set(start + 10);
  const claims = await world.claim(4);
  world.clock.set(start + 20);
  const moves = [];
  for (const claim of claims.slice(0, 2)) {
    const parts = Array.from({ length: claim.messageType === 'SMS' ? claim.segments : 1 }, (_, index) => ({
      part: index + 1,
      carrierMessageId: `id-${index}-${claim.messageId}`,
    }));
    moves.push(await world.settle(claim, { parts }));
  }
  return { ids: [...ids, ...atOnce], claims, moves };
}

/** The number of queued deliveries in the database. */
async function queuedIn(store: Store): Promise<number> {
  return (await store.queueCounts()).reduce((sum, { queued }) => sum + queued, 0);
}

describe('the files of a running node', () => {
  it('have every message with its state, and messages that were `sending` become uncertain', async () => {
    const { ids } = await story();
    const folder = world.crash();
    expect(framesOf(folder)).toHaveLength(storyFrames);
    const copy = await world.open(folder);
    expect(await statesOf(copy, ids)).toEqual(storyStates);
    expect((await recovered(copy)).sort()).toEqual(ids.filter((_, index) => storyStates[index] === 'sending').sort());
    expect(await recovered(copy)).toEqual([]);
    expect(await statesOf(copy, ids)).toEqual(storyStates.map((state) => (state === 'sending' ? 'uncertain' : state)));
    expect(await timelineOf(copy, ids[1]!)).toEqual(['accepted', 'queued', 'sending', 'sent']);
    expect(await timelineOf(copy, ids[2]!)).toEqual(['accepted', 'queued', 'sending', 'uncertain']);
    const claims = await copy.claim({ lane: 'c1', limit: 100, now: start + 100, token: copy.token });
    expect(claims.map(({ messageId }) => messageId)).toEqual(ids.slice(4, 6));
  });

  it('show everything as a store without a journal does', async () => {
    const plain = await story();
    const folder = world.crash();
    await world.goOn(world.fresh());
    const keyed = await story((request) => ({ key: { key: `k${request}`, bodyHash: 'aa' } }));
    expect(framesOf(world.crash())).toEqual([]);
    expect(anonymous(plain.claims)).toEqual(anonymous(keyed.claims));
    expect(anonymous(plain.moves)).toEqual(anonymous(keyed.moves));
    const seen = async (store: Store, ids: readonly string[]) => {
      const views = [];
      for (const id of ids) views.push(await store.message('acc1', id));
      const { events } = await store.eventsAfter({ after: 0, limit: 1_000 });
      const stored = events.map(({ position: _, ...event }) => JSON.stringify(anonymous(event)));
      return anonymous({ views, stored: stored.sort(), counts: await store.queueCounts() });
    };
    expect(await seen(await world.open(folder), plain.ids)).toEqual(await seen(world.store, keyed.ids));
  });

  it('have what followed an earlier crash, and nothing before it twice', async () => {
    const ids: string[] = [];
    // A shorter journal over a longer one, and a longer one over a shorter one.
    for (const [round, size] of [2_000, 10, 700].entries()) {
      for (let count = 0; count < 3; count += 1) {
        world.clock.set(world.clock.now() + 1);
        ids.push(...(await world.accept({ text: `${round}`.repeat(size) })));
      }
      const [claim] = await world.claim(1);
      await world.settle(claim!);
      await world.goOn(world.crash());
      expect([round, await queuedIn(world.store)]).toEqual([round, 2 * (round + 1)]);
    }
    expect(await statesOf(world.store, ids)).toEqual(ids.map((_, index) => (index < 3 ? 'sent' : 'queued')));
  });

  it('have what came before and after a flush', async () => {
    const ids: string[] = [];
    // Each look-up of the newest rows flushes the journal and restarts it.
    for (const size of [900, 20, 500]) {
      ids.push(...(await world.accept({ text: 'x'.repeat(size) })));
      const copy = await world.open(world.crash());
      expect([size, await statesOf(copy, ids)]).toEqual([size, ids.map(() => 'queued')]);
      expect(await queuedIn(world.store)).toBe(ids.length);
    }
    const [claim] = await world.claim(1);
    await world.settle(claim!);
    const copy = await world.open(world.crash());
    expect(await statesOf(copy, ids)).toEqual(['sent', 'queued', 'queued']);
    expect(await queuedIn(copy)).toBe(2);
  });

  it('have no journal after a clean stop, and everything in the database', async () => {
    const { ids } = await story();
    await world.store.close();
    expect(existsSync(journalOf(world.folder))).toBe(false);
    await world.goOn(world.folder);
    expect(await statesOf(world.store, ids)).toEqual(storyStates);
    expect(existsSync(journalOf(world.folder))).toBe(true);
  });
});

describe('a truncated journal', () => {
  it('yields its complete frames', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(...(await world.accept({ text: 'x'.repeat(300 * count) })));
    const [claim] = await world.claim(1);
    await world.settle(claim!);
    const folder = world.crash();
    const frames = framesOf(folder);
    expect(frames).toHaveLength(8);
    const at = (index: number) => frames[index]!;
    const cuts: [number, (string | null)[]][] = [
      [at(0).end - 1, [null, null, null, null, null, null]],
      [at(0).end, ['queued', null, null, null, null, null]],
      [at(3).begin + 20, ['queued', 'queued', 'queued', null, null, null]],
      [at(6).end - 2, ['queued', 'queued', 'queued', 'queued', 'queued', 'queued']],
      [at(7).end - 1, ['sending', 'queued', 'queued', 'queued', 'queued', 'queued']],
      [at(7).end, ['sent', 'queued', 'queued', 'queued', 'queued', 'queued']],
    ];
    for (const [bytes, states] of cuts) {
      const own = copyFiles(folder, `${folder}-${bytes}`);
      cutJournal(own, bytes);
      const copy = await world.open(own);
      expect([bytes, await statesOf(copy, ids)]).toEqual([bytes, states]);
      await copy.close();
    }
  });

  it('continues with new frames, which alone count', async () => {
    const [first] = await world.accept({ text: 'x'.repeat(500) });
    const [lost] = await world.accept({ text: 'y'.repeat(500) });
    const [second] = await world.accept({ text: 'z'.repeat(500) });
    const folder = world.crash();
    cutJournal(folder, framesOf(folder)[1]!.end - 1);
    await world.goOn(folder);
    const [third] = await world.accept();
    const copy = await world.open(world.crash());
    expect(await statesOf(copy, [first!, lost!, second!, third!])).toEqual(['queued', null, null, 'queued']);
  });
});

describe('a journal that was recovered already', () => {
  /** Puts the journal of the crash back under a database that already has it and has continued. */
  async function again(folder: string, between: (store: Store) => Promise<unknown>): Promise<Store> {
    const kept = `${folder}.kept`;
    copyFileSync(journalOf(folder), kept);
    const store = await world.open(folder);
    await between(store);
    await store.close();
    expect(existsSync(journalOf(folder))).toBe(false);
    copyFileSync(kept, journalOf(folder));
    return world.open(folder);
  }

  it('adds nothing twice', async () => {
    const { ids } = await story();
    const store = await again(world.crash(), async () => {});
    expect(await statesOf(store, ids)).toEqual(storyStates);
    expect(await queuedIn(store)).toBe(2);
    const { events } = await store.eventsAfter({ after: 0, limit: 1_000 });
    expect(events.map(({ message }) => message?.messageId)).toEqual(ids.slice(0, 2));
  });

  it('reverts nothing', async () => {
    const ids = [...(await world.accept()), ...(await world.accept())];
    const store = await again(world.crash(), async (between) => {
      const claims = await between.claim({ lane: 'c1', limit: 1, now: start, token: between.token });
      await between.settle(claims.map((claim) => settlement(claim, start)));
    });
    expect(await statesOf(store, ids)).toEqual(['sent', 'queued']);
    expect(await timelineOf(store, ids[0]!)).toEqual(['accepted', 'queued', 'sending', 'sent']);
  });

  it('restores nothing that was deleted', async () => {
    const { ids } = await story();
    const [sent, , , , queued] = ids;
    const store = await again(world.crash(), async (between) => {
      await between.receipts([receipt(start + 30, { carrierMessageId: `id-0-${sent}` })]);
      const now = start + 100 * 24 * hour;
      const request = { accountId: 'acc1', bodiesBefore: now, messagesBefore: now, endpointIds: [], limit: 100, now };
      let cursor: string | null = null;
      do ({ cursor } = await between.forgetMessages({ ...request, cursor }));
      while (cursor !== null);
    });
    expect(await statesOf(store, [sent!, queued!])).toEqual([null, 'queued']);
  });

  it('is recognised by its messages when only they are in the database', async () => {
    const ids = [...(await world.accept()), ...(await world.accept({ recipients: ['14155550101', '14155550102'] }))];
    const [claim] = await world.claim(1);
    // The database continues while the journal still has the message's beginning.
    await world.settle(claim!, { to: 'failed', code: 'CARRIER_REJECTED', parts: [] });
    const folder = world.crash();
    expect(framesOf(folder).length).toBeGreaterThan(2);
    const copy = await world.open(folder);
    expect(await statesOf(copy, ids)).toEqual(['failed', 'queued', 'queued']);
    expect(await timelineOf(copy, ids[0]!)).toEqual(['accepted', 'queued', 'sending', 'failed']);
  });
});

describe('a tool', () => {
  it('recovers the journal of a dead node', async () => {
    const { ids } = await story();
    const folder = world.crash();
    const tool = await world.open(folder, 'tool');
    expect(await statesOf(tool, ids)).toEqual(storyStates);
    const beside = await world.open(folder, 'tool');
    expect(await statesOf(beside, ids)).toEqual(storyStates);
    await world.goOn(folder);
    expect(await statesOf(world.store, ids)).toEqual(storyStates);
    expect(await queuedIn(world.store)).toBe(2);
    expect(await recovered(world.store)).toHaveLength(3);
    // The restored file is used again, with the next generation.
    const [later] = await world.accept();
    const copy = await world.open(world.crash());
    expect(await statesOf(copy, [later!, ids[0]!])).toEqual(['queued', 'sent']);
  });

  it('leaves the journal to a running node', async () => {
    const { ids } = await story();
    const tool = await world.open(world.folder, 'tool');
    await tool.putSetting('name', 'value');
    await tool.close();
    expect(existsSync(journalOf(world.folder))).toBe(true);
    const folder = world.crash();
    expect(framesOf(folder)).toHaveLength(storyFrames);
    expect(await statesOf(await world.open(folder), ids)).toEqual(storyStates);
    const [claim] = await world.claim(1);
    await world.settle(claim!);
    expect(await statesOf(await world.open(world.crash()), [ids[4]!])).toEqual(['sent']);
  });
});
