/** The context of a write transaction: token, time, positions. */
import type { EpochMs } from '../kernel/clock.ts';

/**
 * Versions of what processes keep in memory and others change too: the records and the opt-out list. Each grows with every
 * change of its own.
 */
export interface Newest {
  records: number;
  consent: number;
}

/** Nothing was due before `since`, when the whole queue was looked at last, `wholeAt`. */
export interface QueueHead {
  since: EpochMs;
  wholeAt: EpochMs;
}

/** `Sending`: a type of messaging; the engines only store it. */
export interface WriteContext<Sending = unknown> {
  /** Fencing token of this node; 0 for a tool, which may not move deliveries. */
  token: number;
  /** Wall clock at the start of the transaction. */
  now: EpochMs;
  /** Positions in the event log and in the conversations. */
  positions: Positions;
  /**
   * Deliveries that are `sending`, by message id, as the last transaction left them, so that a settlement need not read
   * them. May be incomplete, never wrong: a writer that is not sure its transactions are stored passes an empty map.
   */
  sending: Map<string, Sending>;
  /**
   * Where the send queues begin, by lane: kept over transactions, also those that are undone. Left out where replaced rows cost no
   * later read.
   */
  heads?: Map<string, QueueHead>;
  /** As this transaction finds them; left out where no other process writes messages. */
  newest?: Newest;
  /** What this node has of that which several nodes share; left out where all is its own. */
  owned?: Set<string>;
  /** The database's clock when the transaction began, where the clocks of several nodes meet. */
  databaseNow?: EpochMs;
}

/** Whether this node may store what belongs to this name. */
export const hasOwned = ({ owned }: Pick<WriteContext, 'owned'>, name: string): boolean =>
  owned === undefined || owned.has(name);

/** Whether this node may claim and settle in the send queue. */
export const hasLane = (context: Pick<WriteContext, 'owned'>, lane: string): boolean => hasOwned(context, lane);

/** Clocks that differ by less are taken for the same: a transaction waits a little between its reading of one and the other. */
const sameClockMs = 1_000;

/**
 * When something is due in a send queue. Where several nodes share the queues, that is by the database's clock: the node that claims
 * it may have another one than the node that wrote it.
 */
export function queueTime({ now, databaseNow = now }: Pick<WriteContext, 'now' | 'databaseNow'>, at: EpochMs): EpochMs {
  const aheadMs = databaseNow - now;
  return Math.abs(aheadMs) < sameClockMs ? at : at + aheadMs;
}

/** Rows that share a run in `conversations`: four times cheaper to write than one order over all of them. */
const runRows = 4_096;

/** Assigns positions; on SQLite a transaction that is rolled back leaves a gap in the log. */
export interface Positions {
  /** The next position in the event log, each given once. */
  next(): number;
  /** The run of conversations for `rows` more rows: the time at which it began. */
  run(rows: number, now: EpochMs): number;
  /** Whether a new run has begun since the last call, so that the previous one is complete. */
  begun(): boolean;
}

/** The same where others write to the log too: its end is read anew in each transaction. */
export interface SharedPositions extends Positions {
  /** The next position is the one after `last`; `run` is the newest that any writer has begun, 0 = unknown. */
  goOn(last: number, run: number): void;
  /** Where it goes on if nobody else has written since. */
  end(): { position: number; run: number };
}

/** Continues after `last`, the highest position in the log, and with a new run. */
export function createPositions(last: number): SharedPositions {
  let taken = last;
  let run = Number.NEGATIVE_INFINITY;
  let rowsOfRun = runRows;
  let begun = false;
  return {
    next: () => ++taken,
    end: () => ({ position: taken, run }),
    goOn(newest, newestRun) {
      taken = newest;
      if (newestRun <= run) return;
      run = newestRun;
      rowsOfRun = 0;
    },
    run(rows, now) {
      // After the clock was set back, no earlier run may begin.
      if (rowsOfRun >= runRows && now > run) {
        run = now;
        rowsOfRun = 0;
        begun = true;
      }
      rowsOfRun += rows;
      return run;
    },
    begun() {
      const was = begun;
      begun = false;
      return was;
    },
  };
}
