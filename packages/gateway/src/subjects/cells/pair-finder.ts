/**
 * Which cell has a pair of credentials. What was found is remembered; each cell gets one request at a time, with all
 * pairs that came up meanwhile, so that guessing cannot become more than that.
 */

import { CellAway } from '../../http/forward.ts';
import type { Clock } from '../../kernel/clock.ts';

/** SHA-256 of both, in hex: what a cell is queried for. */
export interface PairHashes {
  bearerHash: string;
  authHash: string;
}

export interface PairFinder {
  /** Null = no cell has it. Rejects with CellAway while one that may have it says nothing. */
  find(pair: PairHashes): Promise<string | null>;
  forget(pair: PairHashes): void;
}

export interface PairFinderParts {
  clock: Pick<Clock, 'monotonicMs'>;
  names: readonly string[];
  /** One answer per pair. Rejects with CellAway. */
  ask(cell: string, pairs: readonly PairHashes[]): Promise<boolean[]>;
}

/** A cell that no longer has a pair says so when it is used. */
const foundKeptMs = 600_000;
/** A new pair works at every door after this. */
const unknownKeptMs = 1_000;
const keptMax = 50_000;
export const pairsAtOnce = 500;
const waitingMax = 5_000;

interface Waiting {
  pair: PairHashes;
  resolve(found: boolean): void;
  reject(error: unknown): void;
}

export function createPairFinder({ clock, names, ask }: PairFinderParts): PairFinder {
  const kept = new Map<string, { cell: string | null; untilMs: number }>();
  const underWay = new Map<string, Promise<string | null>>();
  const lookups = new Map(names.map((cell) => [cell, createLookup(cell)]));

  function createLookup(cell: string): (pair: PairHashes) => Promise<boolean> {
    let waiting: Waiting[] = [];
    let isQuerying = false;
    async function queryAll(): Promise<void> {
      isQuerying = true;
      while (waiting.length > 0) {
        const lot = waiting.slice(0, pairsAtOnce);
        waiting = waiting.slice(pairsAtOnce);
        try {
          const answers = await ask(
            cell,
            lot.map(({ pair }) => pair),
          );
          for (const [place, { resolve }] of lot.entries()) resolve(answers[place] === true);
        } catch (error) {
          for (const { reject } of lot) reject(error);
        }
      }
      isQuerying = false;
    }
    return (pair) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= waitingMax) return reject(new CellAway(cell, { wasSent: false }));
        waiting.push({ pair, resolve, reject });
        if (!isQuerying) void queryAll();
      });
  }

  function keep(id: string, cell: string | null): void {
    kept.delete(id);
    if (kept.size >= keptMax) kept.delete(kept.keys().next().value!);
    kept.set(id, { cell, untilMs: clock.monotonicMs() + (cell === null ? unknownKeptMs : foundKeptMs) });
  }

  /** As soon as one has it; else when all have answered. */
  async function search(id: string, pair: PairHashes): Promise<string | null> {
    const answers = names.map(async (cell) => {
      if (await lookups.get(cell)!(pair)) return cell;
      throw notThere;
    });
    try {
      const cell = await Promise.any(answers);
      keep(id, cell);
      return cell;
    } catch (error) {
      const silent = (error as AggregateError).errors.find((one) => one !== notThere);
      if (silent !== undefined) throw silent;
      keep(id, null);
      return null;
    }
  }

  return {
    find: (pair) => {
      const id = idOf(pair);
      const known = kept.get(id);
      if (known !== undefined && known.untilMs > clock.monotonicMs()) return Promise.resolve(known.cell);
      const same = underWay.get(id);
      if (same !== undefined) return same;
      const searched = search(id, pair).finally(() => underWay.delete(id));
      underWay.set(id, searched);
      return searched;
    },
    forget: (pair) => void kept.delete(idOf(pair)),
  };
}

const notThere = new Error('that cell does not have it');

const idOf = ({ bearerHash, authHash }: PairHashes): string => `${bearerHash} ${authHash}`;
