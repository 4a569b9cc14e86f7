/**
 * What one carrier sends us: receipts and inbound texts, gathered over one read and handed on in one batch each. A
 * request is answered only after its batch is stored; when it could not be stored, with an error the carrier takes as
 * "again later". It decides nothing about what a receipt means for a message.
 */
import { type InboundRequest, status } from '@heliograph/smpp';
import type { InboundPart, Receipt } from '../domain/delivery.ts';
import type { CarrierSink } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import { readCarrierWord, type WordRules } from './smpp-words.ts';

export interface SmppInbox {
  /** Keeps it for `flush`, or answers it when it is neither deliver_sm nor data_sm. */
  add(request: InboundRequest): void;
  /** Hands on what came since the last call. */
  flush(sink: Pick<CarrierSink, 'receipts' | 'inbound'>): void;
}

interface Batch<T> {
  words: T[];
  requests: InboundRequest[];
}

const emptyBatch = <T>(): Batch<T> => ({ words: [], requests: [] });

export function createSmppInbox(rules: WordRules, deps: Pick<CarrierDeps, 'clock' | 'logger'>): SmppInbox {
  let receipts = emptyBatch<Receipt>();
  let texts = emptyBatch<InboundPart>();

  async function hand<T>({ words, requests }: Batch<T>, store: (words: T[]) => Promise<void>): Promise<void> {
    let answer: number = status.ESME_ROK;
    try {
      await store(words);
    } catch (err) {
      deps.logger.warn({ err, carrier: rules.carrierId, count: words.length }, 'what the carrier sent was not stored');
      // Never a status that makes the carrier give up: the receipt or text would be lost.
      answer = status.ESME_RMSGQFUL;
    }
    for (const request of requests) request.respond(answer);
  }

  return {
    add: (request) => {
      const { pdu } = request;
      if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm') {
        request.respond(status.ESME_RINVCMDID);
        return;
      }
      const word = readCarrierWord(pdu, rules, deps.clock.now());
      if (word.kind === 'receipt') {
        receipts.words.push(word.receipt);
        receipts.requests.push(request);
      } else {
        texts.words.push(word.inbound);
        texts.requests.push(request);
      }
    },
    flush: (sink) => {
      const [gotReceipts, gotTexts] = [receipts, texts];
      if (gotReceipts.words.length > 0) {
        receipts = emptyBatch();
        void hand(gotReceipts, (words) => sink.receipts(words));
      }
      if (gotTexts.words.length > 0) {
        texts = emptyBatch();
        void hand(gotTexts, (words) => sink.inbound(words));
      }
    },
  };
}
