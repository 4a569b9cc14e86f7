/**
 * Receives a carrier's receipts and texts, and passes them on in bounded batches, one of each sort at a time, so that
 * a flood does not delay other carriers. A request is answered only after its batch is stored, or with a temporary
 * error.
 */
import { type InboundRequest, status } from '@heliograph/smpp';
import { oncePerTick } from '../../kernel/once-per-tick.ts';
import type { SummedLog } from '../../kernel/summed-log.ts';
import type { InboundPart, Receipt } from '../../model/delivery.ts';
import { type CarrierSink, SomeNotStored } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import { type CodecRules, readCarrierWord } from './codec.ts';
import { createGathering, type Gathering } from './gathering.ts';

/** The most receipts that may wait for their match; beyond that the oldest stay unmatched. */
const undecidedMax = 1_000;
/**
 * Receipts of one batch: a usual turn fits into one, as each batch costs a commit. A flooding carrier gets smaller
 * batches.
 */
const receiptsAtOnceMax = 128;
const floodedReceiptsMax = 64;
/**
 * About ten milliseconds of the store's time, as for the receipts of a flood: each text is a message with its events.
 */
const textsAtOnceMax = 16;
/** From this many on, the carrier sends too much: we then pause after each batch for as long as it took. */
const floodedFrom = 768;

interface Waiting<T> {
  word: T;
  request: InboundRequest;
}

/** Returns the handler of the carrier's requests. `sink` is called only once something has arrived. */
export function createSmppInbox(
  rules: CodecRules,
  { clock }: Pick<CarrierDeps, 'clock'>,
  lines: Pick<SummedLog, 'warn'>,
  sink: () => Pick<CarrierSink, 'receipts' | 'inbound'>,
): (request: InboundRequest) => void {
  let undecided: (() => Receipt | null)[] = [];

  async function hand<T>(batch: Waiting<T>[], store: (words: T[]) => Promise<void>): Promise<void> {
    let isStored = (_place: number): boolean => true;
    try {
      await store(batch.map(({ word }) => word));
    } catch (err) {
      const missing = err instanceof SomeNotStored ? err.places : null;
      const count = missing?.size ?? batch.length;
      lines.warn('not stored', { err, carrier: rules.carrierId, count }, 'what the carrier sent was not stored');
      isStored = (place) => missing !== null && !missing.has(place);
    }
    // Never a status that makes the carrier give up: the receipt or text would be lost.
    for (const [place, { request }] of batch.entries()) {
      request.respond(isStored(place) ? status.ESME_ROK : status.ESME_RMSGQFUL);
    }
  }

  const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

  /** Stores waiting items in batches, oldest first, until none is left. */
  function createBatcher<T>(
    { usual, flooded, gathering }: { usual: number; flooded: number; gathering?: Gathering },
    store: (words: T[]) => Promise<void>,
  ): (one: Waiting<T>) => void {
    let waiting: Waiting<T>[] = [];
    let isHanding = false;
    // Outcomes of the same read are reported first: a session handles answers first, and microtasks keep that order.
    const begin = oncePerTick(async () => {
      if (isHanding) return;
      isHanding = true;
      while (waiting.length > 0) {
        await gathering?.end(waiting.length);
        const count = waiting.length >= floodedFrom ? flooded : usual;
        const batch = waiting.slice(0, count);
        waiting = waiting.slice(count);
        const begunMs = clock.monotonicMs();
        await hand(batch, store);
        if (waiting.length >= floodedFrom) await pause(clock.monotonicMs() - begunMs);
      }
      isHanding = false;
    });
    return (one) => {
      waiting.push(one);
      gathering?.came(waiting.length);
      begin();
    };
  }

  /** Stores the receipts whose message has become clear meanwhile. Until now they are stored without a message. */
  async function storeDecided(): Promise<void> {
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

  const gathering = createGathering(clock);
  const atOnce = { usual: receiptsAtOnceMax, flooded: floodedReceiptsMax, gathering };
  const putReceipt = createBatcher<Receipt>(atOnce, (words) => {
    const stored = sink().receipts(words);
    void storeDecided();
    return stored;
  });
  const putText = createBatcher<InboundPart>({ usual: textsAtOnceMax, flooded: textsAtOnceMax }, (words) =>
    sink().inbound(words),
  );

  return (request) => {
    const { pdu } = request;
    if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm') {
      request.respond(status.ESME_RINVCMDID);
      return;
    }
    const word = readCarrierWord(pdu, rules, clock.now());
    if (word.kind === 'inbound') return putText({ word: word.inbound, request });
    putReceipt({ word: word.receipt, request });
    if (word.again !== undefined) undecided = [...undecided, word.again].slice(-undecidedMax);
  };
}
