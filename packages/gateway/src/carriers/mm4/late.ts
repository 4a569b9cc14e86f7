/**
 * An MM4_forward.RES after its attempt has ended. An Ok proves that the carrier has the message: without it the message
 * would be sent again.
 */
import type { Mm4Response } from '@heliograph/mms';
import type { SummedLog } from '../../kernel/summed-log.ts';
import type { CarrierSink } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import type { Mm4Exchange } from './exchange.ts';
import { isOk, receiptOfLateOk, wordsOf } from './outcome.ts';

export interface LateParts {
  carrierId: string;
  deps: Pick<CarrierDeps, 'clock' | 'logger'>;
  lines: Pick<SummedLog, 'warn'>;
  exchange: Pick<Mm4Exchange, 'inDoubt'>;
  sink(): Pick<CarrierSink, 'receipts'>;
}

/** Resolves when it is stored. */
export function createLateResponses(parts: LateParts): (response: Mm4Response) => Promise<void> {
  const { carrierId, deps, lines, exchange, sink } = parts;

  return async (response) => {
    const { transactionId } = response;
    if (!isOk(response)) {
      const about = { carrier: carrierId, transactionId, status: wordsOf(response) };
      lines.warn('late refusal', about, 'the carrier refused a message after the wait for its answer was over');
      return;
    }
    const to = exchange.inDoubt(transactionId);
    if (to !== null) {
      await sink().receipts([receiptOfLateOk(response, { carrierId, to, receivedAt: deps.clock.now() })]);
    } else {
      deps.logger.debug({ carrier: carrierId, transactionId }, 'a response that no message waits for was let go');
    }
  };
}
