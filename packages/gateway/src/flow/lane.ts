/**
 * One lane: the queue of one carrier. Claims no more than the carrier has room for, dispatches what it claimed, settles
 * what came back. A slow or dead carrier keeps only its own lane waiting. It never invents an outcome.
 */
import type { Carrier, CarrierSink, Submission } from '../carriers/carrier.ts';
import type { Clock } from '../domain/clock.ts';
import type { Claim } from '../domain/delivery.ts';
import type { Directory } from '../domain/directory.ts';
import type { Logger } from '../domain/logger.ts';
import { type Store, StoreUnavailable } from '../store/store.ts';
import type { Receiver } from './receive.ts';
import { judgeSender } from './sender.ts';
import { type AnsweredClaim, type Settler, takeAnswered } from './settle.ts';

const claimMax = 256;

export interface LaneParts {
  clock: Clock;
  logger: Logger;
  carrier: Carrier;
  directory(): Directory;
  store: Pick<Store, 'claim' | 'token'>;
  settler: Settler;
  receiver: Receiver;
  linkChanged(carrierId: string, up: boolean, detail: string): void;
}

export interface Lane {
  readonly carrierId: string;
  readonly carrier: Carrier;
  start(): void;
  /** Something may be there to send. Cheap; call it as often as you like. */
  nudge(): void;
  /** Deliveries handed to the carrier whose outcome is not on disk yet. */
  inFlight(): number;
  /** Claims nothing more, gives the carrier `drainMs` for what is under way, resolves when all of it is settled. */
  stop(drainMs: number): Promise<void>;
}

export function createLane(parts: LaneParts): Lane {
  const { carrier, logger } = parts;
  const open = new Map<string, Claim>();
  const settling = new Set<Promise<void>>();
  let claiming = false;
  let again = false;
  let stopped = false;
  let stopping: Promise<void> | null = null;
  let claimDone: Promise<void> = Promise.resolve();

  function settle(answered: AnsweredClaim[]): void {
    if (answered.length === 0) return;
    const done = parts.settler.settle(answered).finally(() => settling.delete(done));
    settling.add(done);
  }

  function nudge(): void {
    if (stopped) return;
    if (claiming) {
      again = true;
      return;
    }
    const limit = Math.min(carrier.capacity(), claimMax);
    if (limit <= 0 || parts.settler.blocked()) return;
    claiming = true;
    claimDone = claimOnce(limit).finally(() => {
      claiming = false;
      if (again) {
        again = false;
        nudge();
      }
    });
  }

  async function claimOnce(limit: number): Promise<void> {
    try {
      const claims = await parts.store.claim({
        lane: carrier.carrierId,
        limit,
        now: parts.clock.now(),
        token: parts.store.token,
      });
      if (claims.length === limit) again = true;
      if (claims.length > 0) dispatch(claims);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      logger.warn({ lane: carrier.carrierId, reason: error.reason }, 'the store gives no work now');
    }
  }

  function dispatch(claims: Claim[]): void {
    const directory = parts.directory();
    const submissions: Submission[] = [];
    const stoppedHere: AnsweredClaim[] = [];
    for (const claim of claims) {
      const refusal = stopAtDispatch(directory, claim);
      if (refusal !== null) stoppedHere.push(refusal);
      else {
        open.set(claim.messageId, claim);
        submissions.push(toSubmission(claim));
      }
    }
    settle(stoppedHere);
    if (submissions.length > 0) carrier.submit(submissions);
  }

  const sink: CarrierSink = {
    results: (results) => {
      const answered = takeAnswered(open, results);
      if (answered.length < results.length) {
        logger.warn({ lane: carrier.carrierId, count: results.length - answered.length }, 'outcomes of no known try');
      }
      settle(answered);
      nudge();
    },
    ready: nudge,
    link: (up, detail) => parts.linkChanged(carrier.carrierId, up, detail),
    receipts: (receipts) => parts.receiver.receipts(receipts),
    inbound: (inbound) => parts.receiver.inbound(inbound),
  };

  async function finish(drainMs: number): Promise<void> {
    stopped = true;
    await claimDone;
    await carrier.stop(drainMs);
    while (settling.size > 0) await Promise.all(settling);
  }

  return {
    carrierId: carrier.carrierId,
    carrier,
    start: () => carrier.start(sink),
    nudge,
    inFlight: () => open.size,
    stop: (drainMs) => {
      stopping ??= finish(drainMs);
      return stopping;
    },
  };
}

/** Number and campaign are looked at again right before sending: what was switched off meanwhile is not sent. */
function stopAtDispatch(directory: Directory, claim: Claim): AnsweredClaim | null {
  const environment = directory.carrier(claim.lane)?.environment ?? 'live';
  const verdict = judgeSender(directory, claim.from, claim.accountId, environment, claim.messageType);
  if (verdict.kind === 'ready') return null;
  const code = verdict.reason.startsWith('CAMPAIGN') ? 'CAMPAIGN_NOT_ACTIVE' : 'SENDER_NOT_ENABLED';
  return {
    claim,
    outcome: {
      kind: 'refused',
      retry: 'never',
      code,
      carrierCode: null,
      detail: verdict.detail,
      countsAttempt: true,
      parts: [],
    },
  };
}

function toSubmission(claim: Claim): Submission {
  return {
    messageId: claim.messageId,
    attempt: claim.attempt,
    kind: claim.messageType,
    from: claim.from,
    to: claim.to,
    text: claim.text,
    mediaUrls: claim.mediaUrls,
    concatReference: claim.concatReference,
    partsAccepted: claim.partsAccepted,
  };
}
