/**
 * Counts, for the history, each carrier's answers and the committed states of its messages. It runs for every message,
 * so a count is one addition in an array; once a minute the writer takes the sums.
 */
import type { AnswerKind, CarrierCounts } from '../../messaging/send-queue/lane-meter.ts';
import type { ReceiptOutcome } from '../../messaging/store/operations/receipts.ts';
import type { Transition } from '../../messaging/store/transition.ts';
import { type HistoryCount, type HistoryRow, historyCounts } from '../../model/carrier-history.ts';
import { delayBucketOf, delayBuckets } from '../../model/delay-buckets.ts';
import type { Settlement } from '../../model/delivery.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import { type OutcomeCode, outcomeCodes } from '../../model/reason.ts';

export interface HistoryCounter {
  /** Counts for a carrier's send queue. */
  countsOf(carrierId: string): CarrierCounts;
  /** Counts for the store: what was committed. */
  committed(
    calls: readonly { kind: string; items: readonly unknown[] }[],
    results: readonly (readonly unknown[])[],
  ): void;
  /** The counts since the last call, for carriers with any. */
  take(): Pick<HistoryRow, 'carrierId' | 'figures' | 'counts'>[];
}

const codes = Object.keys(outcomeCodes) as OutcomeCode[];
const placeOf = new Map<string | null, number>(codes.map((code, place) => [code, place]));
const otherCode = placeOf.get('UNKNOWN')!;

type CountName = (typeof historyCounts)[number];
const countPlace = Object.fromEntries(historyCounts.map((name, place) => [name, place])) as Record<CountName, number>;

const answers: Readonly<Record<AnswerKind, CountName | null>> = {
  ...{ accepted: 'taken', later: 'later', refused: 'refused', throttled: 'throttled' },
  // Counted at the commit, because a crash leaves uncertain messages too.
  uncertain: null,
};

interface Counts {
  figures: Uint32Array;
  refused: Uint32Array;
  undelivered: Uint32Array;
  delay: Uint32Array;
}

export function createHistoryCounter(): HistoryCounter {
  const carriers = new Map<string, Counts>();

  function countsOf(carrierId: string): Counts {
    const known = carriers.get(carrierId);
    if (known !== undefined) return known;
    const made = {
      figures: new Uint32Array(historyCounts.length),
      refused: new Uint32Array(codes.length),
      undelivered: new Uint32Array(codes.length),
      delay: new Uint32Array(delayBuckets),
    };
    carriers.set(carrierId, made);
    return made;
  }

  function add(carrierId: string | null, name: CountName, code: OutcomeCode | null = null): void {
    if (carrierId === null) return;
    const counts = countsOf(carrierId);
    counts.figures[countPlace[name]]! += 1;
    if (name === 'undelivered') counts.undelivered[placeOf.get(code) ?? otherCode]! += 1;
  }

  function moved(moves: readonly Transition[]): void {
    for (const { from, state, code, carrier } of moves) {
      // A held message is unresolved: it still waits for a person.
      if (from === 'uncertain' && state !== 'held') add(carrier, 'resolved');
      reached(carrier, state, code);
    }
  }

  function reached(carrier: string | null, state: DeliveryState, code: OutcomeCode | null): void {
    if (state === 'delivered' || state === 'undelivered' || state === 'uncertain') add(carrier, state, code);
  }

  function receiptsCame(_: unknown, results: readonly ReceiptOutcome[]): void {
    for (const { moves } of results) moved(moves);
  }

  /** By the name of the write. */
  const counted: Readonly<Record<string, (items: readonly never[], results: readonly never[]) => void>> = {
    settle: (items: readonly Settlement[], results: readonly DeliveryState[][]) => {
      for (let i = 0; i < items.length; i++) for (const state of results[i]!) reached(items[i]!.carrier, state, null);
    },
    receipts: receiptsCame,
    lookUpReceipts: receiptsCame,
    earlyReceipts: receiptsCame,
    matchReceipt: (_, results: readonly { moves?: Transition[] }[]) => {
      for (const { moves = [] } of results) moved(moves);
    },
    sweep: (_, results: readonly Transition[][]) => results.forEach(moved),
    recover: (_, results: readonly Transition[][]) => results.forEach(moved),
  };

  return {
    countsOf: (carrierId) => ({
      answered: (kind, code) => {
        const name = answers[kind];
        if (name === null) return;
        add(carrierId, name);
        if (name !== 'taken') countsOf(carrierId).refused[placeOf.get(code) ?? otherCode]! += 1;
      },
      roundTrip: () => {},
      receiptDelay: (ms) => {
        countsOf(carrierId).delay[delayBucketOf(ms)]! += 1;
      },
    }),
    committed: (calls, results) => {
      for (let i = 0; i < calls.length; i++)
        counted[calls[i]!.kind]?.(calls[i]!.items as never[], results[i] as never[]);
    },
    take: () => {
      const taken = [...carriers].map(([carrierId, counts]) => rowOf(carrierId, counts));
      for (const counts of carriers.values()) for (const array of Object.values(counts)) array.fill(0);
      return taken.filter(({ figures, counts }) => Object.keys(figures).length + counts.length > 0);
    },
  };
}

function rowOf(carrierId: string, { figures, refused, undelivered, delay }: Counts) {
  const some = historyCounts.flatMap((name, place) => (figures[place] === 0 ? [] : [[name, figures[place]!] as const]));
  const byCode = (part: 'refused' | 'undelivered', array: Uint32Array) => named(part, array, (place) => codes[place]!);
  const counts = [
    ...byCode('refused', refused),
    ...byCode('undelivered', undelivered),
    ...named('delay', delay, String),
  ];
  return { carrierId, figures: Object.fromEntries(some) as HistoryRow['figures'], counts };
}

function named(part: HistoryCount['part'], array: Uint32Array, nameOf: (place: number) => string): HistoryCount[] {
  const counts: HistoryCount[] = [];
  array.forEach((count, place) => {
    if (count > 0) counts.push({ part, name: nameOf(place), count });
  });
  return counts;
}
