/**
 * The send queue of one carrier: claims no more than the carrier has slots for, dispatches the claim, settles the
 * outcomes. A slow or dead carrier holds up only its own queue.
 */

import type { Carrier, CarrierSink, Submission } from '../../carriers/carrier.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { createOutage } from '../../kernel/outage.ts';
import { PassingMap } from '../../kernel/passing.ts';
import type { Claim, MmsClaim, SmsClaim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { Media } from '../../model/media.ts';
import { budgetFor } from '../../model/medium.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { spansOf } from '../../model/spans.ts';
import type { StoreBase } from '../../store/create-store.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { judgeSender } from '../accept/sender.ts';
import type { Consent } from '../consent/consent.ts';
import { isConfirmation, isStopped } from '../consent/consent-rules.ts';
import type { Pace } from '../pace/pace.ts';
import type { Receiver } from '../receive/receive.ts';
import type { MediaStore } from '../store/modules/media.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { Memory } from '../time/memory.ts';
import { createLaneMedia } from './lane-media.ts';
import { heldAtDispatch } from './quiet-hours.ts';
import { type AnsweredClaim, type Settler, takeAnswered } from './settle.ts';

const claimMax = 256;
/** While one claim is being committed, slots freed meanwhile are claimed for; further claims would only be smaller. */
const claimsAtOnceMax = 2;
/** How long after its last delivery a lane counts as active. */
const activeMs = 60_000;

export interface LaneParts {
  clock: Clock;
  logger: Logger;
  carrier: Carrier;
  directory(): Directory;
  store: Pick<MessageStore, 'claim'> & Pick<StoreBase, 'token' | 'mayHandOver'> & Pick<MediaStore, 'addFittedMedia'>;
  consent: Pick<Consent, 'isOptedOut'>;
  memory: Pick<Memory, 'isBehind' | 'catchUp'>;
  media: Pick<Media, 'fit' | 'read'>;
  /** One instance for all lanes. */
  pace: Pick<Pace, 'ask' | 'giveBack' | 'lacks' | 'lend'>;
  settler: Settler;
  receiver: Receiver;
  linkChanged(carrierId: string, up: boolean, detail: string): void;
  /** For a lane that another node owns. */
  answeredElsewhere?: CarrierSink['answeredElsewhere'];
}

/** Reserved slots of a carrier's window, for deliveries that are being accepted. Call exactly one of the two, once. */
export interface Reservation {
  readonly count: number;
  /** At most `count` deliveries, which are `sending` on disk. Unused slots are freed. */
  take(claims: Claim[]): void;
  release(): void;
}

interface RunningClaim {
  /** Messages that became due since it began. */
  dueSince: number;
}

export interface Lane {
  readonly carrierId: string;
  readonly carrier: Carrier;
  /**
   * Reserves up to `count` slots, so that the deliveries need not queue; null when there is none or messages are
   * waiting.
   */
  reserve(count: number): Reservation | null;
  start(): void;
  /** This many more are due, or some may be. Cheap enough to call at any rate. */
  nudge(count?: number): void;
  /** Whether it had a delivery in the last minute, so that one may be due again any moment. */
  isActive(): boolean;
  /** Deliveries handed to the carrier whose outcome is not on disk. */
  inFlight(): number;
  /** Deliveries handed to the carrier since the start. */
  handed(): number;
  /** Due, and not claimed yet; never less than there are. */
  waiting(): number;
  /** Claims nothing more, gives the carrier `drainMs` for what is under way, resolves when all of it is settled. */
  stop(drainMs: number): Promise<void>;
}

export function createLane(parts: LaneParts): Lane {
  const { carrier, logger } = parts;
  /** Handed to the carrier, by submission: a Map keyed by newly built strings costs five times as much. */
  const open = new PassingMap<Submission, Claim>();
  /** Running calls of the settler. */
  let settling = 0;
  let settled = (): void => {};
  const laneMedia = createLaneMedia({ ...parts, budgetBytes: budgetFor(carrier.abilities.mediaBytesMax) });
  /** Claims that wait for their media or for newer records and were not handed over. Each keeps a slot. */
  const pending = new Set<Claim>();
  /** Slots reserved for running claims and acceptances. */
  let reserved = 0;
  /** Due messages in the queue that no claim covers; never too low. Infinite = not counted yet. */
  let waiting = Number.POSITIVE_INFINITY;
  let handed = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  const claims = new Map<Promise<void>, RunningClaim>();
  let again = false;
  const outage = createOutage<StoreUnavailable>(({ reason }) =>
    logger.warn({ lane: carrier.carrierId, reason }, 'the store gives no work now'),
  );
  let stopped = false;
  let stopping: Promise<void> | null = null;

  function settle(answered: AnsweredClaim[]): void {
    if (answered.length === 0) return;
    settling += 1;
    void parts.settler.settle(answered).finally(() => {
      settling -= 1;
      if (settling === 0) settled();
    });
  }

  function nudge(count = Number.POSITIVE_INFINITY): void {
    waiting += count;
    for (const claim of claims.values()) claim.dueSince += count;
    pull();
  }

  /** Claims as many as the carrier has slots for. */
  function pull(): void {
    if (stopped || waiting === 0 || !parts.store.mayHandOver()) return;
    if (claims.size >= claimsAtOnceMax) {
      again = true;
      return;
    }
    const limit = Math.min(carrier.capacity() - reserved, claimMax, waiting);
    if (limit <= 0 || parts.settler.blocked()) return;
    waiting -= limit;
    reserved += limit;
    const running = { dueSince: 0 };
    const done = claimOnce(limit, running).finally(() => {
      claims.delete(done);
      if (again) {
        again = false;
        pull();
      }
    });
    claims.set(done, running);
  }

  function reserve(wanted: number): Reservation | null {
    if (stopped || parts.settler.blocked() || !parts.store.mayHandOver()) return null;
    const count = Math.min(carrier.capacity() - reserved - waiting, wanted);
    if (count <= 0) return null;
    reserved += count;
    const release = () => {
      reserved -= count;
      pull();
    };
    const take = (claims: Claim[]) => {
      reserved -= count;
      if (stopped) settle(claims.map((claim) => giveBack(claim)));
      else dispatch(claims);
    };
    return { count, take, release };
  }

  async function claimOnce(limit: number, running: RunningClaim): Promise<void> {
    try {
      const request = { lane: carrier.carrierId, limit, now: parts.clock.now(), token: parts.store.token };
      const claimed = await parts.store.claim(request);
      // Free the reservation in the same tick as `dispatch`, or `reserve()` could hand the slots out twice.
      reserved -= limit;
      // Fewer than requested: nothing else was due. What became due since it began, it may have missed.
      if (claimed.length < limit) waiting = running.dueSince;
      again = true;
      outage.over();
      if (claimed.length > 0) dispatch(claimed);
    } catch (error) {
      reserved -= limit;
      waiting += limit;
      if (!(error instanceof StoreUnavailable)) throw error;
      outage.failed(error);
    }
  }

  function dispatch(claims: Claim[]): void {
    lastMs = parts.clock.monotonicMs();
    if (parts.memory.isBehind()) waitFirst(claims, parts.memory.catchUp, dispatch, 'what has changed');
    else if (parts.pace.lacks(claims)) waitFirst(claims, () => parts.pace.lend(claims), handLent, 'what may be sent');
    else handOver(claims);
  }

  /** Another process may have changed something meanwhile. */
  function handLent(claims: Claim[]): void {
    if (parts.memory.isBehind()) dispatch(claims);
    else handOver(claims);
  }

  /** Waits for changes that other processes made before the claim, and for units of limits that several nodes share. */
  async function waitFirst(
    claims: Claim[],
    wait: () => Promise<void>,
    next: (claims: Claim[]) => void,
    what: string,
  ): Promise<void> {
    for (const claim of claims) keepPlace(claim);
    const isDone = await wait().then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        return false;
      },
    );
    const left = claims.filter(leavePending);
    if (isDone) next(left);
    else settle(left.map((claim) => giveBack(claim, `the store did not say ${what} before it could be sent`)));
    pull();
  }

  function handOver(claims: Claim[]): void {
    if (!parts.store.mayHandOver()) {
      settle(claims.map((claim) => giveBack(claim, 'another node may have taken over before it could be sent')));
      return;
    }
    const directory = parts.directory();
    const now = parts.clock.now();
    const submissions: Submission[] = [];
    const stoppedHere: AnsweredClaim[] = [];
    for (const claim of claims) {
      const refusal = stopAtDispatch(directory, parts.consent, claim);
      if (refusal !== null) {
        stoppedHere.push(refusal);
        continue;
      }
      const held = heldAtDispatch(directory, claim, now);
      if (held !== null) {
        stoppedHere.push({ claim, outcome: held });
        continue;
      }
      const submission = claim.messageType === 'SMS' ? smsSubmission(claim) : mmsSubmission(claim);
      if (submission === null) continue;
      const wait = parts.pace.ask(claim);
      if (wait !== null) {
        stoppedHere.push({ claim, outcome: wait });
        continue;
      }
      open.set(submission, claim);
      submissions.push(submission);
    }
    settle(stoppedHere);
    if (submissions.length === 0) return;
    handed += submissions.length;
    carrier.submit(submissions);
  }

  /** Null while its media are not fitted for this carrier; once they are, the claim is dispatched again. */
  function mmsSubmission(claim: MmsClaim): Submission | null {
    const media = laneMedia.submitted(claim);
    if (media === null) {
      fitFirst(claim);
      return null;
    }
    const { messageId, attempt, from, to, text, expiresAt } = claim;
    return { messageId, attempt, kind: 'MMS', from, to, text, media, expiresAt };
  }

  /** Fits the media for this carrier, then dispatches the claim again; every check runs a second time. */
  async function fitFirst(claim: MmsClaim): Promise<void> {
    keepPlace(claim);
    const fitted = await laneMedia.fit(claim);
    if (!leavePending(claim)) return;
    if ('kind' in fitted) settle([{ claim, outcome: fitted }]);
    else dispatch([fitted]);
    pull();
  }

  function keepPlace(claim: Claim): void {
    pending.add(claim);
    reserved += 1;
  }

  /** False when the lane was closed meanwhile. */
  function leavePending(claim: Claim): boolean {
    if (!pending.delete(claim)) return false;
    reserved -= 1;
    return true;
  }

  const sink: CarrierSink = {
    results: (results) => {
      const answered = takeAnswered(open, results);
      if (answered.length < results.length) {
        logger.warn({ lane: carrier.carrierId, count: results.length - answered.length }, 'outcomes of no known try');
      }
      for (const { claim, outcome } of answered) {
        if (outcome.kind === 'refused') parts.pace.giveBack(claim, spansOf(outcome.parts));
      }
      settle(answered);
      pull();
    },
    ready: pull,
    link: (up, detail) => parts.linkChanged(carrier.carrierId, up, detail),
    receipts: (receipts) => parts.receiver.receipts(receipts),
    inbound: (inbound) => parts.receiver.inbound(inbound),
    inboundMms: (message) => parts.receiver.inboundMms(message),
    ...(parts.answeredElsewhere && { answeredElsewhere: parts.answeredElsewhere }),
  };

  async function finish(drainMs: number): Promise<void> {
    stopped = true;
    await Promise.all(claims.keys());
    settle([...pending].filter(leavePending).map((claim) => giveBack(claim)));
    await carrier.stop(drainMs);
    while (settling > 0) {
      await new Promise<void>((resolve) => {
        settled = resolve;
      });
    }
  }

  return {
    carrierId: carrier.carrierId,
    carrier,
    reserve,
    start: () => carrier.start(sink),
    nudge,
    isActive: () => parts.clock.monotonicMs() - lastMs < activeMs,
    inFlight: () => open.size + pending.size,
    handed: () => handed,
    waiting: () => waiting,
    stop: (drainMs) => {
      stopping ??= finish(drainMs);
      return stopping;
    },
  };
}

/** Checks number, campaign and consent again just before sending, so that later changes stop the message. */
function stopAtDispatch(
  directory: Directory,
  consent: Pick<Consent, 'isOptedOut'>,
  claim: Claim,
): AnsweredClaim | null {
  const environment = directory.carrier(claim.lane)?.environment ?? 'live';
  const verdict = judgeSender(directory, claim.from, claim.accountId, environment, claim.messageType);
  if (verdict.kind === 'refused') {
    const code = verdict.reason.startsWith('CAMPAIGN') ? 'CAMPAIGN_NOT_ACTIVE' : 'SENDER_NOT_ENABLED';
    return stopped(claim, code, verdict.detail);
  }
  if (isConfirmation(claim.keyId) || !isStopped(consent, verdict.number, claim.to)) return null;
  const what = claim.partsAccepted.length > 0 ? 'the rest was not sent' : 'nothing was sent';
  return stopped(claim, 'OPTED_OUT', `The recipient opted out after the message was accepted; ${what}.`);
}

function stopped(claim: Claim, code: OutcomeCode, detail: string): AnsweredClaim {
  return {
    claim,
    outcome: { kind: 'refused', retry: 'never', code, carrierCode: null, detail, countsAttempt: true, parts: [] },
  };
}

/** No byte of it was sent. */
function giveBack(claim: Claim, detail = 'the carrier was closed before it could be sent'): AnsweredClaim {
  return {
    claim,
    outcome: {
      kind: 'refused',
      retry: 'later',
      code: 'CARRIER_UNAVAILABLE',
      carrierCode: null,
      detail,
      afterMs: 0,
      countsAttempt: false,
      parts: [],
    },
  };
}

function smsSubmission(claim: SmsClaim): Submission {
  const { messageId, attempt, from, to, text, concatReference, expiresAt, partsAccepted } = claim;
  return { messageId, attempt, kind: 'SMS', from, to, text, concatReference, expiresAt, partsAccepted };
}
