/**
 * What one carrier sends us: receipts and inbound texts, gathered over one read and handed on in one batch each. A
 * request is answered only after its batch is stored; when it could not be stored, with an error the carrier takes as
 * "again later". It decides nothing about what a receipt means for a message.
 */
import { type InboundRequest, status } from '@heliograph/smpp';
import type { InboundPart, Receipt } from '../domain/delivery.ts';
import type { CarrierSink } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import { oncePerTick } from './once-per-tick.ts';
import { readCarrierWord, type WordRules } from './smpp-words.ts';

/** Receipts of which it is undecided which message they name; the oldest are let go, as unmatched ones. */
const undecidedMax = 1_000;

interface Batch<T> {
  words: T[];
  requests: InboundRequest[];
}

const emptyBatch = <T>(): Batch<T> => ({ words: [], requests: [] });

/** Returns what takes a request of the carrier. `sink` is asked for only once something has come. */
export function createSmppInbox(
  rules: WordRules,
  deps: Pick<CarrierDeps, 'clock' | 'logger'>,
  sink: () => Pick<CarrierSink, 'receipts' | 'inbound'>,
): (request: InboundRequest) => void {
  let receipts = emptyBatch<Receipt>();
  let texts = emptyBatch<InboundPart>();
  let undecided: (() => Receipt | null)[] = [];

  async function hand<T>({ words, requests }: Batch<T>, store: (words: T[]) => Promise<void>): Promise<void> {
    if (words.length === 0) return;
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

  /** Tells what the receipts since have decided. They are on record already, only not as any message's. */
  async function tellDecided(): Promise<void> {
    const found: Receipt[] = [];
    undecided = undecided.filter((again) => {
      const receipt = again();
      if (receipt !== null) found.push(receipt);
      return receipt === null;
    });
    if (found.length === 0) return;
    try {
      await sink().receipts(found);
    } catch {
      undecided.push(...found.map((receipt) => () => receipt));
    }
  }

  // Outcomes in the same read are told before: a session handles answers first, and microtasks keep that order.
  const handSoon = oncePerTick(() => {
    const [gotReceipts, gotTexts] = [receipts, texts];
    receipts = emptyBatch();
    texts = emptyBatch();
    void hand(gotReceipts, (words) => sink().receipts(words));
    void tellDecided();
    void hand(gotTexts, (words) => sink().inbound(words));
  });

  return (request) => {
    const { pdu } = request;
    if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm') {
      request.respond(status.ESME_RINVCMDID);
      return;
    }
    const word = readCarrierWord(pdu, rules, deps.clock.now());
    if (word.kind === 'inbound') put(texts, word.inbound, request);
    else {
      put(receipts, word.receipt, request);
      if (word.again !== undefined) undecided = [...undecided, word.again].slice(-undecidedMax);
    }
    handSoon();
  };
}

function put<T>({ words, requests }: Batch<T>, word: T, request: InboundRequest): void {
  words.push(word);
  requests.push(request);
}
