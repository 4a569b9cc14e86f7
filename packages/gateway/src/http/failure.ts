/**
 * Handles an exception of a route: the store's "unavailable" becomes a 503; anything else is our bug, logged once and
 * answered with a constant sentence. The error itself is never shown.
 */
import type { Logger } from '../kernel/logger.ts';
import { StoreBroken, StoreUnavailable } from '../store/faults.ts';
import { type Answer, type Exchange, notSent, rejection, retryAfter } from './exchange.ts';
import { safeError } from './scrub.ts';

export type Fail = (exchange: Exchange, error: unknown) => void;

const retrySeconds: Record<StoreUnavailable['reason'], number> = { busy: 2, down: 5, full: 30 };

export function createFail(logger: Logger): Fail {
  return (exchange, error) => {
    if (error instanceof StoreUnavailable) {
      logger.warn({ requestId: exchange.requestId, cause: error.reason }, 'the store cannot take a write now');
      exchange.send(unavailable(error));
      return;
    }
    logger.error({ requestId: exchange.requestId, err: safeError(error, exchange.secrets()) }, 'a request failed');
    // After a failed commit the state on disk is unknown, so the request gets no answer; the process is about to end.
    if (error instanceof StoreBroken) exchange.request.socket.destroy();
    else exchange.send(rejection('INTERNAL_ERROR', internalErrorDetail));
  };
}

function unavailable({ reason, inDoubt }: Pick<StoreUnavailable, 'reason' | 'inDoubt'>): Answer<never> {
  const detail = inDoubt ? inDoubtDetail : notStoredDetail;
  return rejection('TEMPORARILY_UNAVAILABLE', detail, { headers: retryAfter(retrySeconds[reason]) });
}

const notStoredDetail = `The gateway cannot store messages right now. Send the same request again a little later. ${notSent}`;

/** The only 503 whose request may have been sent. */
const inDoubtDetail =
  'The database went away while this was being stored, and the gateway could not learn whether it was. It may have been accepted: send it again with the same Idempotency-Key, or without one look for its referenceId first.';

export const internalErrorDetail =
  'The gateway made a mistake. Send the same request again with the same Idempotency-Key; if the error persists, tell the operator the X-Request-Id.';

/** The answer when more comes than can be stored. */
export const busyAnswer = unavailable({ reason: 'busy', inDoubt: false });
