/** Shared by the tests of lanes: a movable clock, a scripted carrier and a watched store. */

import { settlingClock } from '../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../test/props/warnings.ts';
import type { Carrier, CarrierSink, Submission, SubmissionOutcome } from '../../carriers/carrier.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { Claim, FittedSet, MmsClaim, Settlement, SmsClaim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { Media } from '../../model/media.ts';
import { directoryOf } from '../../model/world-fixture.ts';
import { onlyNode } from '../../store/engine.ts';
import { type Pace, unpaced } from '../pace/pace.ts';
import type { Receiver } from '../receive/receive.ts';
import type { ClaimRequest } from '../store/items.ts';
import type { Memory } from '../time/memory.ts';
import { createLane } from './lane.ts';
import { createSettler } from './settle.ts';

/** A carrier with a window that answers only on request. */
export function scriptedCarrier(carrierId: string, window: number, mediaBytesMax = 0) {
  let sink: CarrierSink | null = null;
  const open = new Map<string, Submission>();
  const submitted: Submission[] = [];
  const state = { window, bound: true, stopped: false };
  const carrier: Carrier = {
    carrierId,
    abilities: { kinds: mediaBytesMax > 0 ? ['MMS'] : ['SMS'], mediaBytesMax },
    start: (given) => {
      sink = given;
    },
    capacity: () => (state.bound ? state.window - open.size : 0),
    submit: (batch) => {
      for (const submission of batch) {
        submitted.push(submission);
        open.set(submission.messageId, submission);
      }
    },
    stop: async () => {
      state.stopped = true;
      answer([...open.keys()], { kind: 'uncertain', cause: 'broken', detail: 'stopped', parts: [] });
    },
    status: () => ({ carrierId, up: state.bound, binds: [] }),
  };
  function answer(messageIds: string[], outcome: SubmissionOutcome): void {
    const results = messageIds.map((messageId) => {
      const earlier = submitted.find((one) => one.messageId === messageId);
      const submission = open.get(messageId) ?? earlier ?? { ...submitted[0]!, messageId };
      open.delete(messageId);
      return { submission, outcome };
    });
    sink?.results(results);
  }
  return {
    carrier,
    submitted,
    state,
    answer,
    open: () => [...open.keys()],
    link: (up: boolean) => {
      state.bound = up;
      sink?.link(up, 'test');
    },
    ready: () => sink?.ready(),
    /** Answers that arrived at another node for this one. */
    answered: [] as string[],
    get answeredElsewhere() {
      return sink?.answeredElsewhere;
    },
  };
}

/** For a process without others that change its data. */
export const ownMemory = { isBehind: () => false, catchUp: async () => {} };

/** A queue in memory that claims and settles like a store does. */
export function watchedStore(queue: Claim[]) {
  const settlements: Settlement[] = [];
  const claims: ClaimRequest[] = [];
  const fails: { settle: Error | null; claim: Error | null } = { settle: null, claim: null };
  const fittedMedia: { messageId: string; set: FittedSet }[] = [];
  const lease = { isHeld: true };
  return {
    token: 7,
    lease,
    mayHandOver: () => lease.isHeld,
    place: onlyNode,
    settlements,
    fittedMedia,
    addFittedMedia: async (items: typeof fittedMedia): Promise<void> => {
      fittedMedia.push(...items);
    },
    claims,
    fails,
    claim: async (request: ClaimRequest): Promise<Claim[]> => {
      claims.push(request);
      await Promise.resolve();
      if (fails.claim !== null) throw fails.claim;
      const mine = queue.filter((claim) => claim.lane === request.lane).slice(0, request.limit);
      for (const claim of mine) queue.splice(queue.indexOf(claim), 1);
      return mine;
    },
    settle: async (batch: Settlement[]): Promise<DeliveryState[][]> => {
      await Promise.resolve();
      if (fails.settle !== null) throw fails.settle;
      settlements.push(...batch);
      return [];
    },
  };
}

export function claim(n: number, more: Partial<SmsClaim> = {}): SmsClaim {
  return {
    messageId: `msg_${n}`,
    accountId: 'acc1',
    keyId: 'k1',
    lane: 'a',
    attempt: 1,
    dupRisk: false,
    from: '12025550199',
    to: `1202555${String(n).padStart(4, '0')}`,
    text: 'Hi',
    messageType: 'SMS',
    segments: 1,
    concatReference: 0,
    expiresAt: Number.MAX_SAFE_INTEGER,
    acceptedAt: 0,
    partsAccepted: [],
    ...more,
  };
}

export function mmsClaim(n: number, more: Partial<MmsClaim> = {}): MmsClaim {
  const { segments: _, concatReference: __, ...fields } = claim(n);
  return { ...fields, messageType: 'MMS', mediaUrls: ['u'], media: null, ...more };
}

export const silentReceiver: Receiver = {
  receipts: async () => {},
  inbound: async () => {},
  inboundMms: async () => {},
};

/** For lanes that carry no MMS. */
export const noMedia: Pick<Media, 'fit' | 'read'> = {
  fit: () => Promise.reject(new Error('no media here')),
  read: async () => null,
};

/** A lane over a scripted carrier `a` and a queue. */
export function laneWith(
  queue: Claim[],
  window = 2,
  directory: Directory = directoryOf(),
  optedOut: string[] = [],
  mms: { mediaBytesMax: number; media: Pick<Media, 'fit' | 'read'> } = { mediaBytesMax: 0, media: noMedia },
  pace: Pick<Pace, 'ask' | 'giveBack' | 'lacks' | 'lend'> = unpaced,
) {
  const clock = settlingClock();
  const peer = scriptedCarrier('a', window, mms.mediaBytesMax);
  const store = watchedStore(queue);
  const memory: Pick<Memory, 'isBehind' | 'catchUp'> = { ...ownMemory };
  const settler = createSettler({
    clock,
    random: machineRandom,
    logger: silentLogger,
    store,
    uncertainWaitMs: 60_000,
    isSandbox: () => false,
    nextLane: (claimed) => claimed.lane,
  });
  const warnings: string[] = [];
  const lane = createLane({
    clock,
    logger: warningsIn(warnings),
    carrier: peer.carrier,
    directory: () => directory,
    store,
    consent: { isOptedOut: (scope, contact) => optedOut.includes(`${scope} ${contact}`) },
    memory,
    settler,
    media: mms.media,
    pace,
    receiver: silentReceiver,
    linkChanged: () => {},
  });
  lane.start();
  return { clock, peer, store, memory, lane, warnings };
}
