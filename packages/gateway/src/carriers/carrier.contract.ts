/**
 * The contract of every adapter, whatever its protocol: run against each of them with a scripted peer on loopback. A
 * new adapter provides a factory and must pass. The contract knows no protocol.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MovedClock, quiet, until, untilPassing } from '../../../../test/props/clock.ts';
import type { MessageKind } from '../model/records.ts';
import type { Carrier, Submission } from './carrier.ts';
import {
  mmsSubmission,
  type RecordingSink,
  recordingSink,
  submission as smsSubmission,
  tinyPng,
} from './carrier-fixture.ts';

/** One PDU, mail or request that the peer received and has not answered yet. */
export interface PeerSubmit {
  from: string;
  to: string;
  text: string | null;
  /** The media of an MMS, in order; without SMIL and text. */
  media?: { contentType: string; bytes: Buffer }[];
  accept(carrierMessageId: string): void;
  /** `never`: a bad number. `later`: a temporary fault of the carrier. `throttled`: too fast. */
  refuse(how: 'never' | 'later' | 'throttled'): void;
}

/** How the adapter answered the peer's request; null = not yet. */
export type PeerAnswered = () => 'taken' | 'again_later' | 'refused' | null;

export interface ScriptedPeer {
  /** Everything submitted so far, in order of arrival. */
  readonly submits: PeerSubmit[];
  /** Connections that can carry a submission. */
  connected(): number;
  receipt(of: { carrierMessageId: string; from: string; to: string }, state: 'delivered' | 'undelivered'): PeerAnswered;
  /** Sends a text from a handset; an MMS also carries `tinyPng`. */
  text(from: string, to: string, text: string): PeerAnswered;
  /** Cuts every connection without warning. */
  drop(): void;
  /** As `drop`, and refuses connections until `back`. A peer whose adapter notices every cut may accept them sooner. */
  away(): Promise<void>;
  back(): Promise<void>;
}

export interface CarrierUnderTest {
  carrier: Carrier;
  peer: ScriptedPeer;
  clock: MovedClock;
  /** The node's lease, which tests let expire. */
  lease: { isHeld: boolean };
  /** The adapter gives up a connection after this long without an answer. */
  responseTimeoutMs: number;
  close(): Promise<void>;
}

let subject: CarrierUnderTest;
let carrier: Carrier;
let peer: ScriptedPeer;
let sink: RecordingSink;
let kind: MessageKind;

const submission = (n: number, more: Partial<Pick<Submission, 'attempt'>> = {}): Submission =>
  kind === 'SMS' ? smsSubmission(n, more) : mmsSubmission(n, more);
const submit = (...batch: Submission[]): void => carrier.submit(batch);
const submitted = (count: number): Promise<void> => until(() => peer.submits.length === count);
const answered = (count: number): Promise<void> => until(() => sink.resultBatches.flat().length === count);
const allBound = (): boolean => carrier.status().binds.every(({ state }) => /^(bound|reachable)/.test(state));
const comeBack = (): Promise<void> => untilPassing(subject.clock, allBound);

/** `ofKind`: the submissions given to the adapter, and what its handsets send. */
export function carrierContract(
  name: string,
  open: () => Promise<CarrierUnderTest>,
  ofKind: MessageKind = 'SMS',
): void {
  describe(name, () => {
    beforeEach(async () => {
      kind = ofKind;
      subject = await open();
      ({ carrier, peer } = subject);
      sink = recordingSink();
      carrier.start(sink);
      await until(allBound);
    });
    afterEach(() => subject.close());

    describe('a submission that is answered', answeredSubmissions);
    describe('pace', pacing);
    describe('a submission that is not answered', unansweredSubmissions);
    describe('the link', link);
    describe('what the carrier says', words);
    describe('the lease', leasing);
    describe('stop', stopping);
  });
}

function answeredSubmissions(): void {
  it('accepted, with the id of the carrier', async () => {
    const given = submission(1);
    submit(given);
    await submitted(1);
    expect(peer.submits[0]).toMatchObject({ from: '12025550199', to: '12025550100', text: 'Hello 1' });
    if (kind === 'MMS') expect(peer.submits[0]!.media).toEqual([{ contentType: 'image/png', bytes: tinyPng }]);
    peer.submits[0]!.accept('A1');
    await answered(1);
    expect(sink.resultBatches).toEqual([
      [
        {
          messageId: 'msg_1',
          attempt: 1,
          outcome: { kind: 'accepted', parts: [{ part: 1, carrierMessageId: 'A1' }] },
        },
      ],
    ]);
    // The result refers to the very object that was submitted.
    expect(sink.submissions[0]).toBe(given);
  });

  it('refused for good, with the words of the carrier', async () => {
    submit(submission(1, { attempt: 3 }));
    await submitted(1);
    peer.submits[0]!.refuse('never');
    await answered(1);
    expect(sink.resultBatches[0]![0]).toMatchObject({
      attempt: 3,
      outcome: { kind: 'refused', retry: 'never', code: 'UNKNOWN_SUBSCRIBER', countsAttempt: true, parts: [] },
    });
    expect(sink.outcomeOf('msg_1')).toHaveProperty('carrierCode', expect.stringMatching(/./));
  });

  it('refused for now', async () => {
    submit(submission(1));
    await submitted(1);
    peer.submits[0]!.refuse('later');
    await answered(1);
    expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: true });
  });

  it('all outcomes of one moment come in one batch', async () => {
    submit(submission(1), submission(2), submission(3));
    await submitted(3);
    for (const [i, each] of peer.submits.entries()) each.accept(`A${i}`);
    await answered(3);
    expect(sink.resultBatches.length).toBeLessThanOrEqual(peer.connected());
  });
}

function leasing(): void {
  it('is looked at before anything leaves: without it a submission comes back unsent', async () => {
    subject.lease.isHeld = false;
    submit(submission(1));
    await answered(1);
    expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: false, parts: [] });
    expect(peer.submits).toEqual([]);
    subject.lease.isHeld = true;
    submit(submission(2));
    await submitted(1);
  });
}

function pacing(): void {
  it('throttled: waits, costs no try, and the carrier is sent to more slowly', async () => {
    submit(submission(1));
    await submitted(1);
    peer.submits[0]!.refuse('throttled');
    await answered(1);
    expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: false });
    expect(sink.outcomeOf('msg_1')).toHaveProperty('afterMs', expect.any(Number));
    expect(carrier.capacity()).toBe(0);
    const readyBefore = sink.readyCalls;
    subject.clock.pass(1_000);
    await until(() => sink.readyCalls > readyBefore);
    expect(carrier.capacity()).toBeGreaterThan(0);
  });

  it('more than the window: the rest follows as answers come', async () => {
    const room = carrier.capacity();
    const batch = Array.from({ length: room + 3 }, (_, i) => submission(i));
    submit(...batch);
    expect(carrier.capacity()).toBe(0);
    await submitted(room);
    await quiet();
    expect(peer.submits).toHaveLength(room);
    for (let i = 0; i < batch.length; i++) {
      await submitted(Math.min(batch.length, room + i));
      peer.submits[i]!.accept(`A${i}`);
    }
    await answered(batch.length);
    expect(sink.resultBatches.flat().every(({ outcome }) => outcome.kind === 'accepted')).toBe(true);
  });
}

function unansweredSubmissions(): void {
  it('never answered: uncertain, and only once the connection is given up', async () => {
    submit(submission(1));
    await submitted(1);
    subject.clock.pass(subject.responseTimeoutMs - 1);
    await quiet();
    expect(sink.resultBatches).toEqual([]);
    // The second step leaves the adapter time for late answers.
    subject.clock.pass(1);
    subject.clock.pass(2_000);
    await answered(1);
    expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'uncertain', cause: 'unanswered', parts: [] });
    expect(peer.submits).toHaveLength(1);
  });

  it('cut off in the middle: uncertain, never sent again by itself', async () => {
    submit(submission(1), submission(2));
    await submitted(2);
    peer.submits[0]!.accept('A1');
    await answered(1);
    peer.drop();
    await answered(2);
    expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'accepted' });
    expect(sink.outcomeOf('msg_2')).toMatchObject({ kind: 'uncertain', cause: 'broken' });
    await comeBack();
    await quiet();
    expect(peer.submits).toHaveLength(2);
  });

  it('while nothing is connected: given back, and no try is spent', async () => {
    await peer.away();
    await untilPassing(subject.clock, () => sink.links.at(-1)?.up === false);
    expect(carrier.capacity()).toBe(0);
    submit(submission(1));
    await answered(1);
    expect(sink.outcomeOf('msg_1')).toMatchObject({
      kind: 'refused',
      retry: 'later',
      code: 'CARRIER_UNAVAILABLE',
      countsAttempt: false,
      parts: [],
    });
  });
}

function link(): void {
  it('reports when it comes up, goes down and returns', async () => {
    expect(sink.links.map(({ up }) => up)).toEqual([true]);
    await peer.away();
    await untilPassing(subject.clock, () => sink.links.length === 2);
    expect(sink.links[1]).toMatchObject({ up: false, detail: expect.stringMatching(/./) });
    expect(carrier.status().up).toBe(false);
    await peer.back();
    await comeBack();
    expect(sink.links.map(({ up }) => up)).toEqual([true, false, true]);
    submit(submission(1));
    await submitted(1);
    peer.submits[0]!.accept('A1');
    await answered(1);
  });

  it('shows its state', () => {
    const { carrierId, up, binds } = carrier.status();
    expect({ carrierId, up }).toEqual({ carrierId: carrier.carrierId, up: true });
    expect(binds.length).toBeGreaterThan(0);
  });
}

function words(): void {
  const about = { carrierMessageId: 'A1', from: '12025550199', to: '12025550100' };

  it('a receipt, acknowledged only after it is stored', async () => {
    let stored = (): void => {};
    sink.storing = () => new Promise((resolve) => (stored = resolve));
    const answer = peer.receipt(about, 'delivered');
    await until(() => sink.receiptBatches.length === 1);
    await quiet();
    expect(answer()).toBeNull();
    stored();
    await until(() => answer() !== null);
    expect(answer()).toBe('taken');
    expect(sink.receiptBatches[0]).toMatchObject([
      { carrier: carrier.carrierId, carrierMessageId: 'A1', to: about.to, state: 'delivered', code: 'DELIVERED' },
    ]);
    expect(sink.receiptBatches[0]![0]!.idKeys.length).toBeGreaterThan(0);
  });

  it('a receipt of a failure', async () => {
    peer.receipt(about, 'undelivered');
    await until(() => sink.receiptBatches.length === 1);
    expect(sink.receiptBatches[0]).toMatchObject([{ state: 'undelivered', code: 'UNREACHABLE' }]);
  });

  it('what could not be stored is to come again', async () => {
    sink.storing = () => Promise.reject(new Error('disk full'));
    const receipt = peer.receipt(about, 'delivered');
    const text = peer.text('12025550100', '12025550199', 'hi');
    await until(() => receipt() !== null && text() !== null);
    expect([receipt(), text()]).toEqual(['again_later', 'again_later']);
  });

  it('a receipt before the answer to the submission, and the same receipt again', async () => {
    submit(submission(1));
    await submitted(1);
    const early = peer.receipt(about, 'delivered');
    await until(() => early() === 'taken');
    peer.submits[0]!.accept('A1');
    await answered(1);
    const again = peer.receipt(about, 'delivered');
    await until(() => again() === 'taken');
    expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'accepted' });
    expect(sink.receiptBatches.flat().map(({ carrierMessageId }) => carrierMessageId)).toEqual(['A1', 'A1']);
  });

  it('a message from a handset', async () => {
    const answer = peer.text('12025550100', '12025550199', 'Yes, £5');
    await until(() => answer() === 'taken');
    if (kind === 'MMS') {
      expect(sink.mms).toEqual([
        {
          carrier: carrier.carrierId,
          peerMessageId: expect.stringMatching(/./),
          from: '12025550100',
          to: ['12025550199'],
          subject: '',
          text: 'Yes, £5',
          media: [{ contentType: 'image/png', fileName: expect.any(String), bytes: tinyPng }],
          receivedAt: subject.clock.now(),
        },
      ]);
      return;
    }
    expect(sink.inboundBatches).toEqual([
      [
        {
          carrier: carrier.carrierId,
          from: '12025550100',
          to: '12025550199',
          text: 'Yes, £5',
          octets: null,
          encoding: 'GSM-7',
          concat: null,
          receivedAt: subject.clock.now(),
        },
      ],
    ]);
  });
}

function stopping(): void {
  it('waits for answers that come in time, takes nothing more', async () => {
    submit(submission(1));
    await submitted(1);
    const stopped = carrier.stop(5_000);
    expect(carrier.capacity()).toBe(0);
    submit(submission(2));
    await answered(1);
    expect(sink.outcomeOf('msg_2')).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: false });
    peer.submits[0]!.accept('A1');
    await stopped;
    expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'accepted' });
    await until(() => peer.connected() === 0);
    // Stopping on purpose is not reported as a lost link.
    expect(sink.links).toHaveLength(1);
  });

  it('reports what is not answered in time as uncertain, what never left as unsent', async () => {
    const room = carrier.capacity();
    submit(...Array.from({ length: room + 1 }, (_, i) => submission(i)));
    await submitted(room);
    const stopped = carrier.stop(5_000);
    await answered(1);
    expect(sink.outcomeOf(`msg_${room}`)).toMatchObject({ kind: 'refused', countsAttempt: false });
    subject.clock.pass(4_999);
    await quiet();
    expect(sink.resultBatches.flat()).toHaveLength(1);
    await untilPassing(subject.clock, () => sink.resultBatches.flat().length === room + 1);
    await stopped;
    const outcomes = sink.resultBatches.flat().map(({ outcome }) => outcome.kind);
    expect(outcomes.filter((kind) => kind === 'uncertain')).toHaveLength(room);
    expect(peer.submits).toHaveLength(room);
  });

  it('answers each submission once over its whole life', async () => {
    submit(submission(1), submission(2), submission(3));
    await submitted(3);
    peer.submits[0]!.accept('A1');
    peer.submits[1]!.refuse('later');
    await answered(2);
    peer.drop();
    await answered(3);
    await carrier.stop(1_000);
    await quiet();
    expect(
      sink.resultBatches
        .flat()
        .map(({ messageId }) => messageId)
        .sort(),
    ).toEqual(['msg_1', 'msg_2', 'msg_3']);
  });
}
