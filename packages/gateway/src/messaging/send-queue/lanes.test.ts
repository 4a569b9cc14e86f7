import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { createPduLog, type PduLog } from '../../carriers/smpp/pdu-log.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { Claim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import { dutyOf } from '../../model/duty.ts';
import type { CarrierRecord } from '../../model/records.ts';
import { records } from '../../model/world-fixture.ts';
import { type NodePlace, onlyNode } from '../../store/engine.ts';
import { unpaced } from '../pace/pace.ts';
import type { QueuedRow, QueuePlace } from '../store/items.ts';
import { claim, noMedia, ownMemory, scriptedCarrier, silentReceiver, watchedStore } from './lane-fixture.ts';
import { createLanes } from './lanes.ts';
import { sharedBoard } from './owners-fixture.ts';

function lanesWith(waiting: Record<string, string[]> = {}, place: NodePlace = onlyNode) {
  const clock = settlingClock();
  const peers = new Map<string, ReturnType<typeof scriptedCarrier>>();
  const opened: string[] = [];
  const links: string[] = [];
  const settings = new Map<string, string>();
  const shared = sharedBoard();
  const hints = { sent: [] as string[], receive: (_name: string): void => {} };
  const queue: Claim[] = [];
  const store = {
    ...watchedStore(queue),
    ...shared.of(7),
    place,
    recover: async () => [],
    getSetting: async (name: string) => settings.get(name) ?? null,
    putSetting: async (name: string, value: string) => void settings.set(name, value),
    queued: async (lane: string, limit: number, after?: QueuePlace): Promise<QueuedRow[]> => {
      const all = waiting[lane] ?? [];
      const from = after === undefined ? 0 : all.indexOf(after.messageId) + 1;
      return all.slice(from, from + limit).map((messageId) => ({
        messageId,
        dueAt: 0,
        from: '12025550199',
        to: '12025550100',
        messageType: 'SMS',
        accountId: 'acc1',
        begun: messageId.startsWith('begun'),
      }));
    },
    relane: async (moves: { messageId: string; lane: string }[]): Promise<number> => {
      for (const { messageId, lane } of moves) {
        for (const rows of Object.values(waiting)) {
          if (rows.includes(messageId)) rows.splice(rows.indexOf(messageId), 1);
        }
        waiting[lane] = [...(waiting[lane] ?? []), messageId];
      }
      return moves.length;
    },
    queuedLanes: async () => Object.keys(waiting).filter((lane) => waiting[lane]!.length > 0),
    hints: {
      notify: (name: string) => void hints.sent.push(name),
      onNotified: (listener: (name: string) => void) => {
        hints.receive = listener;
      },
    },
  };
  const world: { directory: Directory } = { directory: buildDirectory(records()) };
  const lanes = createLanes({
    clock,
    random: machineRandom,
    logger: silentLogger,
    store,
    directory: () => world.directory,
    consent: { isOptedOut: () => false },
    memory: ownMemory,
    settler: { settle: async () => {}, blocked: () => false },
    media: noMedia,
    receiver: silentReceiver,
    pace: unpaced,
    nodeName: 'gw',
    duties: { begin: () => {}, end: async () => {} },
    uncertainWaitMs: 60_000,
    linked: (carrierId, isUp) => links.push(`${carrierId} ${isUp ? 'up' : 'down'}`),
    linkSeen: () => {},
    arrivesAnywhere: ({ carrierId }) => carrierId === 'a',
    loadKinds: async () => {},
    openCarrier: (record: CarrierRecord) => {
      opened.push(record.carrierId);
      const peer = scriptedCarrier(record.carrierId, 10);
      peer.state.bound = false;
      peers.set(record.carrierId, peer);
      const answered = (body: string) => peer.answered.push(body) > 0;
      return { ...peer.carrier, log: createPduLog(clock), answered };
    },
  });
  const peer = (carrierId: string) => {
    const found = peers.get(carrierId);
    if (found === undefined) throw new Error(`no carrier ${carrierId}`);
    return found;
  };
  return { clock, lanes, peer, opened, links, world, waiting, queue, store, settings, shared, hints };
}

describe('lanes', () => {
  it('follow the records: open, close, open anew when the record changed', async () => {
    const { lanes, opened, world, peer } = lanesWith();
    await lanes.follow();
    expect(opened).toEqual(['a', 'b']);
    await lanes.follow();
    expect(opened).toEqual(['a', 'b']);
    const [a, b] = records().carriers;
    const oldB = peer('b');
    world.directory = buildDirectory(
      records({
        carriers: [
          { ...a, enabled: false },
          { ...b, name: 'renamed' },
        ] as CarrierRecord[],
      }),
    );
    await lanes.follow();
    expect(peer('a').state.stopped && oldB.state.stopped).toBe(true);
    expect(opened).toEqual(['a', 'b', 'b']);
    expect(lanes.status().map((status) => status.carrierId)).toEqual(['b']);
  });

  it('look for what is due four times a second in the minute after a delivery, else once', async () => {
    const { clock, lanes, peer, queue, store } = lanesWith();
    const looksIn = async (ms: number): Promise<string> => {
      const before = store.claims.length;
      await clock.pass(ms);
      const found = store.claims.slice(before).map(({ lane }) => lane);
      return found.sort().join('');
    };
    await lanes.start();
    for (const carrierId of ['a', 'b']) peer(carrierId).link(true);
    queue.push(claim(1));
    lanes.nudge('a');
    await clock.pass(0);
    expect(await looksIn(1_000)).toBe('aaaab');
    expect(await looksIn(1_000)).toBe('aaaab');
    await clock.pass(58_000);
    expect(await looksIn(1_000)).toBe('ab');
    await lanes.stop(0);
    expect(await looksIn(1_000)).toBe('');
  });

  it('look at once for what another node took for them, when notified', async () => {
    const place: NodePlace = { ...onlyNode, isShared: true };
    const { clock, lanes, peer, store, hints } = lanesWith({}, place);
    await lanes.start();
    peer('a').link(true);
    await clock.pass(10);
    const { length } = store.claims;
    hints.receive('a');
    hints.receive('nobody');
    await clock.pass(0);
    expect(store.claims.slice(length)).toHaveLength(1);
    lanes.nudge('a');
    expect(hints.sent).toEqual([]);
    await lanes.stop(0);
  });

  it('of one of several nodes are those that it has, and those at which every node takes what carriers send', async () => {
    const node = { acts: false };
    const place: NodePlace = { ...onlyNode, isShared: true, acts: () => node.acts, nodes: () => 2 };
    const { clock, lanes, opened, links, peer, settings, shared, store, hints } = lanesWith({}, place);
    shared.nodes.set(8, { node: 8, name: 'gw/8', takesLanes: true, reports: '[]' });
    for (const lane of ['a', 'b']) shared.owners.set(lane, { node: 8, meantFor: 8 });
    await lanes.start();
    expect(opened).toEqual(['a']);
    peer('a').link(true);
    lanes.nudge('a');
    hints.receive('a');
    await clock.pass(1_000);
    expect(hints.sent).toEqual(['a']);
    expect([lanes.up('a'), lanes.isHere('a'), links, store.claims, lanes.reserve('a', 1)]).toEqual([
      false,
      false,
      [],
      [],
      null,
    ]);
    expect([lanes.nodeOf('a'), lanes.status().map(({ up }) => up)]).toEqual(['gw/8', [false, false]]);
    // Written by the node that owned them, before it ended.
    settings.set('silent_carriers/a', '5');
    settings.set('paused_carriers', '["b"]');
    const former = peer('a');
    shared.gone.add(8);
    node.acts = true;
    await lanes.takeOver();
    await clock.pass(1_000);
    expect(opened).toEqual(['a', 'a', 'b']);
    expect([former.state.stopped, lanes.nodeOf('b')]).toEqual([true, 'gw/7']);
    expect([lanes.report('a')!.silentSince, lanes.isPaused('b')]).toEqual([5, true]);
    peer('a').link(true);
    expect([lanes.up('a'), links]).toEqual([true, ['a up']]);
    expect(peer('a').carrier.capacity()).toBeGreaterThan(1);
    expect(lanes.carrier('a')!.capacity()).toBeLessThanOrEqual(1);
    await lanes.stop(0);
    expect([...shared.owners].filter(([name]) => dutyOf(name) === null).map(([, { node }]) => node)).toEqual([
      null,
      null,
    ]);
  });

  it('say how all of them do when their node begins to act, for the news of carriers', async () => {
    const node = { acts: false };
    const place: NodePlace = { ...onlyNode, isShared: true, acts: () => node.acts, nodes: () => 2 };
    const { clock, lanes, shared, links } = lanesWith({}, place);
    const logEvent = (carrierId: string, up: boolean) => ({
      report: { status: { carrierId, up, binds: [] } },
      gap: {},
    });
    const reports = JSON.stringify([
      ['a', logEvent('a', false)],
      ['b', logEvent('b', true)],
    ]);
    shared.nodes.set(8, { node: 8, name: 'gw/8', takesLanes: true, reports });
    for (const lane of ['a', 'b']) shared.owners.set(lane, { node: 8, meantFor: 8 });
    await lanes.start();
    await clock.pass(1_000);
    expect(links).toEqual([]);
    node.acts = true;
    await lanes.takeOver();
    expect(links).toEqual(['a down', 'b up']);
    await lanes.stop(0);
  });

  it('hand a peer’s answer on to the node that has the lane, through the store', async () => {
    const place: NodePlace = { ...onlyNode, isShared: true, acts: () => false, nodes: () => 2 };
    const { clock, lanes, peer, shared } = lanesWith({}, place);
    shared.owners.set('a', { node: 8, meantFor: 8 });
    shared.nodes.set(8, { node: 8, name: 'gw/8', takesLanes: true, reports: '[]' });
    await lanes.start();
    await peer('a').answeredElsewhere!({ id: '1', body: 'Ok' });
    await clock.pass(1_000);
    expect([shared.answers, peer('a').answered]).toEqual([[{ carrier: 'a', id: '1', body: 'Ok' }], []]);
    shared.owners.set('a', { node: null, meantFor: 7 });
    await clock.pass(1_000);
    expect([shared.answers, peer('a').answered, peer('a').answeredElsewhere]).toEqual([[], ['Ok'], undefined]);
    await lanes.stop(0);
  });

  it('show at every node how those of the others do, and give theirs up when a node joins', async () => {
    const place: NodePlace = { ...onlyNode, isShared: true, acts: () => true, nodes: () => 2 };
    const { clock, lanes, peer, shared, links } = lanesWith({}, place);
    await lanes.start();
    expect([lanes.isHere('a'), lanes.isHere('b')]).toEqual([true, true]);
    peer('b').link(true);
    const logEvent = { status: { carrierId: 'b', up: true, binds: [] }, inFlight: 3 };
    const gap = { lastAt: clock.now() - 9_000, partsSince: null, parts: 0, isReported: true, usualMs: null };
    const reports = JSON.stringify([['b', { report: logEvent, mediaBytesMax: 77, gap }]]);
    shared.nodes.set(8, { node: 8, name: 'gw/8', takesLanes: true, reports });
    await clock.pass(1_000);
    expect(peer('b').state.stopped).toBe(true);
    expect(shared.owners.get('b')).toEqual({ node: null, meantFor: 8 });
    await shared.of(8).takeOwned({ name: 'b', now: 0, dueAt: 0, limit: 1 });
    await clock.pass(1_000);
    expect([lanes.isHere('a'), lanes.isHere('b'), lanes.up('b')]).toEqual([true, false, true]);
    expect([lanes.report('b'), lanes.mediaBytesMax('b'), lanes.nodeOf('b')]).toEqual([logEvent, 77, 'gw/8']);
    expect(lanes.receiptGap('b')).toMatchObject({ ageMs: 11_000, parts: 0 });
    expect(links).toEqual(['b up', 'b up']);
    await lanes.stop(0);
  });

  it('go on with the PDU log of a carrier whose settings are changed', async () => {
    const { clock, lanes, world } = lanesWith();
    await lanes.follow();
    const log = lanes.carrier('b')!.log as PduLog;
    log.keep(clock.now() + 60_000);
    log.ofBind(1).logEvent('out', 'submit_sm', {});
    const [a, b] = records().carriers;
    world.directory = buildDirectory(records({ carriers: [a, { ...b, name: 'renamed' }] as CarrierRecord[] }));
    await lanes.follow();
    const after = lanes.carrier('b')!.log as PduLog;
    expect(after).not.toBe(log);
    expect(after.until()).toBe(clock.now() + 60_000);
    expect(after.entries().map(({ command }) => command)).toEqual(['submit_sm']);
    expect(lanes.carrier('a')!.log!.until()).toBeNull();
  });

  it('move the queue of a carrier that stays down to the next one, not at once', async () => {
    const { clock, lanes, peer, waiting } = lanesWith({ a: ['m1', 'm2'] });
    await lanes.follow();
    peer('a').link(true);
    peer('b').link(true);
    peer('a').link(false);
    await lanes.failOver();
    expect(waiting.a).toEqual(['m1', 'm2']);
    await clock.pass(5_000);
    await lanes.failOver();
    expect(waiting).toMatchObject({ a: [], b: ['m1', 'm2'] });
  });

  it('leave with it a long text of which it took a part', async () => {
    const { clock, lanes, peer, waiting } = lanesWith({ a: ['begun1', 'm2'] });
    await lanes.follow();
    peer('b').link(true);
    await clock.pass(5_000);
    await lanes.failOver();
    expect(waiting).toMatchObject({ a: ['begun1'], b: ['m2'] });
  });

  it('move what is behind hundreds that must stay', async () => {
    const stay = Array.from({ length: 1_000 }, (_, n) => `begun${n}`);
    const { clock, lanes, peer, waiting } = lanesWith({ a: [...stay, 'm1'] });
    await lanes.follow();
    peer('b').link(true);
    await clock.pass(5_000);
    for (let look = 0; look < 3; look++) await lanes.failOver();
    expect(waiting).toMatchObject({ a: stay, b: ['m1'] });
    waiting.a!.unshift('m2');
    await lanes.failOver();
    expect(waiting.b).toEqual(['m1', 'm2']);
  });

  it('leave the queue where it is while no other carrier is up', async () => {
    const { clock, lanes, waiting } = lanesWith({ a: ['m1'] });
    await lanes.follow();
    await clock.pass(60_000);
    await lanes.failOver();
    expect(waiting.a).toEqual(['m1']);
  });

  it('move what waits behind a carrier that is gone', async () => {
    const { lanes, waiting } = lanesWith({ gone: ['m1'] });
    await lanes.follow();
    await lanes.failOver();
    expect(waiting).toMatchObject({ gone: [], a: ['m1'] });
  });

  it('try a refused message at the next carrier only when its own is down', async () => {
    const { lanes, peer } = lanesWith();
    await lanes.follow();
    peer('b').link(true);
    expect(lanes.nextLane(claim(1))).toBe('b');
    peer('a').link(true);
    expect(lanes.nextLane(claim(1))).toBe('a');
    peer('a').link(false);
    peer('b').link(false);
    expect(lanes.nextLane(claim(1))).toBe('a');
  });

  it('hand a paused carrier nothing, also after its record changed, until it goes on', async () => {
    const { lanes, peer, store, settings, world, clock } = lanesWith();
    await lanes.follow();
    peer('a').link(true);
    await lanes.pause('a', true);
    expect([lanes.isPaused('a'), lanes.reserve('a', 1), settings.get('paused_carriers')]).toEqual([
      true,
      null,
      '["a"]',
    ]);
    const [a, b] = records().carriers;
    world.directory = buildDirectory(records({ carriers: [{ ...a, name: 'new' }, b] as CarrierRecord[] }));
    await lanes.follow();
    peer('a').link(true);
    await clock.pass(0);
    const claims = store.claims.length;
    lanes.nudge('a');
    await clock.pass(0);
    expect(store.claims).toHaveLength(claims);
    await lanes.pause('a', false);
    await clock.pass(0);
    expect(store.claims.length).toBeGreaterThan(claims);
    expect(lanes.reserve('a', 1)).not.toBeNull();
  });

  it('stay paused over a restart', async () => {
    const { lanes, settings } = lanesWith();
    settings.set('paused_carriers', '["b"]');
    await lanes.follow();
    expect([lanes.isPaused('a'), lanes.isPaused('b')]).toEqual([false, true]);
    expect(lanes.pausedSince('b')).toBeNull();
  });

  it('know since when a carrier is paused, also after a restart', async () => {
    const { clock, lanes, settings } = lanesWith();
    await lanes.follow();
    await clock.pass(1_000);
    const at = clock.now();
    await lanes.pause('a', true);
    const later = lanesWith();
    for (const [name, value] of settings) later.settings.set(name, value);
    await later.lanes.follow();
    expect([lanes.pausedSince('a'), later.lanes.pausedSince('a'), lanes.pausedSince('b')]).toEqual([at, at, null]);
    await lanes.pause('a', false);
    expect(lanes.pausedSince('a')).toBeNull();
  });

  it('report their link with the last words and since when, and what goes through', async () => {
    const { clock, lanes, peer } = lanesWith();
    await lanes.follow();
    expect(lanes.report('nobody')).toBeNull();
    const before = lanes.report('a');
    expect(before).toMatchObject({ detail: null, inFlight: 0, outPerSecond: 0, responseP95Ms: null });
    await clock.pass(5_000);
    peer('a').link(true);
    await clock.pass(0);
    lanes.reserve('a', 2)!.take([claim(1), claim(2)]);
    await clock.pass(250);
    expect(lanes.report('a')?.inFlight).toBe(2);
    peer('a').answer(['msg_1', 'msg_2'], { kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'x' }] });
    expect(lanes.report('a')).toMatchObject({
      detail: 'test',
      since: before!.since + 5_000,
      inFlight: 0,
      outPerSecond: 0.2,
      accepted: 2,
      responseP95Ms: 250,
    });
    await clock.pass(300_000);
    expect(lanes.report('a')).toMatchObject({ outPerSecond: 0, accepted: 0, responseP95Ms: 250 });
    expect(lanes.report('a')?.outHistory).toEqual(Array(30).fill(0));
  });
});
