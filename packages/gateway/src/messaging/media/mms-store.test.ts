/** MMS on a real store: from the request to the carrier and back, across kills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import type { Submission, SubmissionOutcome } from '../../carriers/carrier.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { createIds } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineRandom as random } from '../../kernel/machine.ts';
import { defaultLimits } from '../../model/limits.ts';
import { acme, carrier, contact, own, route } from '../../model/world-fixture.ts';
import { createFollower } from '../../subjects/webhooks/notify/follow.ts';
import { createAcceptor } from '../accept/accept.ts';
import { caller } from '../accept/accept-fixture.ts';
import { consentOver, consentRecords } from '../consent/consent-fixture.ts';
import { unpaced } from '../pace/pace.ts';
import { ownMemory, scriptedCarrier } from '../send-queue/lane-fixture.ts';
import { createLanes } from '../send-queue/lanes.ts';
import { createSettler } from '../send-queue/settle.ts';
import { mediaFailed, medium, scriptedMedia } from './media-fixture.ts';
import { createMediaWork } from './media-work.ts';
import { createMmsFallback } from './mms-fallback.ts';

const clock = settlingClock();
const mediaUrls = ['https://example.com/a.jpg', 'https://example.com/b.jpg'];
let dataDir: string;
let store: Store;

const open = () => openStore({ dataDir, role: 'node', clock });

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'heliograph-mms-'));
  store = await open();
});

afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

/** Runs disk work and timers in turn until `done`. */
async function until(done: () => unknown): Promise<void> {
  for (let turn = 0; turn < 500; turn++) {
    if (await done()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
    await clock.pass(5);
  }
  throw new Error('it never came about');
}

const kinds = { a: 'smpp', m: 'mm7', n: 'mm4' };
const records = consentRecords({
  accounts: [{ ...acme, mmsFallback: 'links' }],
  carriers: Object.entries(kinds).map(([carrierId, kind]) => carrier(carrierId, kind)),
  routes: [route('r', ['m', 'n', 'a'])],
});
const budgets: Record<string, number> = { m: 1_000, n: 300, a: 0 };

/** The message flow on the currently open store, with carriers that answer on request. */
function gateway(media = scriptedMedia()) {
  const peers = new Map<string, ReturnType<typeof scriptedCarrier>>();
  const directory = buildDirectory(records);
  const ids = createIds(clock, random);
  const common = {
    clock,
    random,
    ids,
    logger: silentLogger,
    directory: () => directory,
    store,
    limits: defaultLimits,
    memory: ownMemory,
  };
  const faults: unknown[] = [];
  const broken = (error: unknown) => faults.push(error);
  const { consent, receiver } = consentOver(store, ['a'], media);
  const settler = createSettler({
    ...common,
    uncertainWaitMs: 60_000,
    isSandbox: () => false,
    nextLane: (claim) => lanes.nextLane(claim),
  });
  const lanes = createLanes({
    duties: { begin: () => {}, end: async () => {} },
    ...common,
    media,
    consent,
    settler,
    receiver,
    pace: unpaced,
    nodeName: 'test',
    uncertainWaitMs: 60_000,
    linked: () => {},
    linkSeen: () => {},
    arrivesAnywhere: () => false,
    loadKinds: async () => {},
    openCarrier: ({ carrierId }) => {
      const peer = scriptedCarrier(carrierId, 10, budgets[carrierId]);
      peers.set(carrierId, peer);
      return peer.carrier;
    },
  });
  const work = createMediaWork({
    ...common,
    media,
    budgetOf: (carrierId) => budgets[carrierId]!,
    nudge: lanes.nudge,
    broken,
  });
  const nextReference = () => 7;
  const acceptor = createAcceptor({
    ...common,
    lanes,
    backlog: { tooLong: () => null, tooLongEverywhere: () => null },
    consent,
    nextReference,
    mediaWork: work,
  });
  const fallback = createMmsFallback({ ...common, consent, nextReference, carrierUp: lanes.up, nudge: lanes.nudge });
  const follower = createFollower({
    ...common,
    onCarrierOptOut: consent.fromCarrier,
    onMmsNotSupported: fallback.follow,
    given: () => {},
    broken,
  });
  const peer = (carrierId: string) => peers.get(carrierId)!;
  const start = async (up = ['a', 'm', 'n']) => {
    await lanes.follow();
    for (const carrierId of peers.keys()) peer(carrierId).link(up.includes(carrierId));
    work.start();
    await follower.start();
  };
  const stop = async () => {
    await follower.stop();
    await Promise.all([work.stop(), clock.pass(6_000)]);
    await lanes.stop(0);
  };
  const send = async (to = [contact]) => {
    const outcome = await acceptor.accept(
      { from: own, to, text: 'Look', mediaUrls, referenceId: 'ref', validityMinutes: null },
      caller,
      { requestId: ids.request(), dryRun: false, idempotency: null },
      (accepted) => JSON.stringify(accepted),
    );
    if (outcome.kind !== 'accepted') throw new Error(outcome.reason);
    return JSON.parse(outcome.body).results.map((result: { messageId: string }) => result.messageId) as string[];
  };
  return { media, peer, lanes, receiver, send, start, stop, faults };
}

type Gateway = ReturnType<typeof gateway>;

const stateOf = async (messageId: string) => {
  const view = await store.message('acc1', messageId);
  return `${view?.state} ${view?.code}`;
};

/** What the carrier was handed; lanes are nudged regularly, as the sweeper does. */
async function submitted(g: Gateway, carrierId: string, count = 1): Promise<Submission[]> {
  await until(() => {
    g.lanes.nudgeAll();
    return g.peer(carrierId).submitted.length >= count;
  });
  return g.peer(carrierId).submitted;
}

const result = (outcome: Partial<SubmissionOutcome> & { kind: string }) => outcome as SubmissionOutcome;

describe('an MMS', () => {
  it('waits for its media, goes out with them fitted for its carrier, and is fetched once for all recipients', async () => {
    const g = gateway();
    let go = () => {};
    const gate = new Promise<null>((resolve) => (go = () => resolve(null)));
    g.media.script.fetch = () => gate as Promise<never>;
    await g.start();
    const messageIds = await g.send([contact, '12025550101', '12025550102']);
    await until(() => g.media.fetches.length > 0);
    g.lanes.nudgeAll();
    for (let turn = 0; turn < 10; turn++) await clock.pass(100);
    expect(g.peer('m').submitted).toEqual([]);
    expect(await stateOf(messageIds[0]!)).toBe('queued null');
    go();
    const [first] = await submitted(g, 'm', 3);
    expect(first).toMatchObject({ kind: 'MMS', text: 'Look', media: [{ type: 'image/jpeg', sizeBytes: 100 }, {}] });
    expect([g.media.fetches.length, g.media.fits.length]).toEqual([1, 1]);
    g.peer('m').answer(messageIds, result({ kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'X1' }] }));
    await until(async () => (await stateOf(messageIds[2]!)) === 'sent null');
    await g.stop();
    expect(g.faults).toEqual([]);
  });

  it('is prepared after a start when the end came before', async () => {
    const first = gateway();
    first.media.script.fetch = () => new Promise(() => {});
    await first.start();
    const [messageId] = await first.send();
    await until(() => first.media.fetches.length > 0);
    await first.stop();
    await store.close();
    store = await open();
    const second = gateway();
    await second.start();
    await submitted(second, 'm');
    expect(second.media.fetches).toHaveLength(1);
    await second.stop();
    expect(await stateOf(messageId!)).toBe('uncertain UNCERTAIN');
  });

  it('fails with what came of its media, each recipient', async () => {
    const g = gateway();
    g.media.script.fetch = () => mediaFailed('MEDIA_BLOCKED', 1);
    await g.start();
    const messageIds = await g.send([contact, '12025550101']);
    for (const messageId of messageIds) {
      await until(async () => (await stateOf(messageId)) === 'failed MEDIA_BLOCKED');
    }
    const view = await store.message('acc1', messageIds[1]!);
    expect(view!.events.at(-1)!.detail).toBe(mediaFailed('MEDIA_BLOCKED', 1).detail);
    expect(g.peer('m').submitted).toEqual([]);
    await g.stop();
  });

  it('is fitted anew for the carrier that takes over, from what was fetched', async () => {
    const g = gateway();
    await g.start();
    const messageIds = await g.send([contact, '12025550101']);
    await submitted(g, 'm', 2);
    g.peer('m').state.bound = false;
    g.peer('m').link(false);
    const later = { kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE', carrierCode: null, detail: 'down' };
    g.peer('m').answer(messageIds, result({ ...later, countsAttempt: false, parts: [] } as SubmissionOutcome));
    const [taken] = await submitted(g, 'n', 2);
    expect(taken).toMatchObject({ media: [{}, {}] });
    expect(g.media.fetches).toHaveLength(1);
    expect(g.media.fits.map(({ budgetBytes }) => budgetBytes)).toEqual([1_000, 300]);
    expect(g.media.fits[1]!.media).toEqual(mediaUrls.map((url) => medium(url)));
    await g.stop();
  });

  it('is followed once by its text and links when the recipient takes none, over ends without a goodbye', async () => {
    const refused = { kind: 'refused', retry: 'never', code: 'MMS_NOT_SUPPORTED', carrierCode: '4007', detail: 'no' };
    const first = gateway();
    await first.start();
    const [messageId] = await first.send();
    await submitted(first, 'm');
    first.peer('m').answer([messageId!], result({ ...refused, countsAttempt: true, parts: [] } as SubmissionOutcome));
    const [text] = await submitted(first, 'a');
    expect(text).toMatchObject({
      kind: 'SMS',
      from: own,
      to: contact,
      text: `Look\n${mediaUrls.join('\n')}`,
    });
    expect(await stateOf(messageId!)).toBe('failed MMS_NOT_SUPPORTED');
    expect(await store.message('acc1', text!.messageId)).toMatchObject({ referenceId: 'ref', messageType: 'SMS' });
    first
      .peer('a')
      .answer([text!.messageId], result({ kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'S1' }] }));
    await until(async () => (await stateOf(text!.messageId)) === 'sent null');
    await first.stop();
    await store.close();
    store = await open();
    // Followed again from the beginning, as after a kill before the position was stored.
    const { events } = await store.eventsAfter({ after: 0, limit: 100 });
    expect(events.filter(({ message }) => message?.code === 'MMS_NOT_SUPPORTED')).toHaveLength(1);
    const second = gateway();
    const fallback = createMmsFallback({
      clock,
      random,
      ids: createIds(clock, random),
      logger: silentLogger,
      store,
      limits: defaultLimits,
      directory: () => buildDirectory(records),
      consent: { isOptedOut: () => false },
      nextReference: () => 7,
      carrierUp: () => true,
      nudge: () => {},
    });
    await Promise.all([...events, ...events].map(fallback.follow));
    await second.start();
    for (let turn = 0; turn < 10; turn++) await clock.pass(300);
    expect(second.peer('a').submitted).toEqual([]);
    await second.stop();
    const query = { from: null, to: contact, before: null, limit: 10 } as const;
    expect(await store.messages({ accountId: 'acc1', direction: 'outbound', ...query })).toHaveLength(2);
  });

  it('comes in once however often its carrier sends it, and its links lead to what it brought', async () => {
    const g = gateway();
    await g.start();
    const reply = {
      carrier: 'm',
      peerMessageId: 'peer-1',
      from: contact,
      to: [own],
      subject: '',
      text: 'Stop',
      media: [{ contentType: 'image/jpeg', fileName: 'Cat.jpg', bytes: Buffer.from('cat') }],
      receivedAt: clock.now(),
    };
    await g.receiver.inboundMms(reply);
    await g.receiver.inboundMms(reply);
    const query = { from: null, to: null, before: null, limit: 10 } as const;
    const views = await store.messages({ accountId: 'acc1', direction: 'inbound', ...query });
    expect(views).toMatchObject([{ text: 'Stop', messageType: 'MMS', state: 'received' }]);
    const [, mediaId] = /\/media\/(med_\w+)\/cat\.jpg\?/.exec(views[0]!.mediaUrls[0]!)!;
    expect(await store.mediaLink(mediaId!)).toMatchObject({
      accountId: 'acc1',
      medium: medium('cat', { sizeBytes: 3 }),
    });
    // One confirmation, by SMS.
    const [confirmation] = await submitted(g, 'a');
    expect(confirmation).toMatchObject({ kind: 'SMS', to: contact });
    expect(g.peer('a').submitted).toHaveLength(1);
    await g.stop();
  });
});
