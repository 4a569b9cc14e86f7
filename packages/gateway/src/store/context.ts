/** The context of a write transaction: token, time, positions. */
import type { EpochMs } from '../kernel/clock.ts';

/**
 * Versions of data that each process keeps in memory and other processes change too: the records and the opt-out list.
 * Each grows with every change to its data.
 */
export interface Newest {
  records: number;
  consent: number;
}

/**
 * The head of a send queue: nothing in it was due before `since`, as of the last look at the whole queue, `wholeAt`, which
 * took `wholeTookMs`; the next one is `wholeEveryMs` later.
 */
export interface QueueHead {
  since: EpochMs;
  wholeAt: EpochMs;
  wholeTookMs: number;
  wholeEveryMs: number;
  /** Where the last claim ended, if it got all it wanted; it left nothing due before, as of the last look from `since`, `marginAt`. */
  next: EpochMs | null;
  marginAt: EpochMs;
}

export interface QueueHeads {
  byLane: Map<string, QueueHead>;
  /** To measure how long a look takes. */
  monotonicMs(): number;
}

/** `Sending` is a type of the messaging code; the engines only store it. */
export interface WriteContext<Sending = unknown> {
  /** Fencing token of this node; 0 for a tool, which may not move deliveries. */
  token: number;
  /** Wall clock at the start of the transaction. */
  now: EpochMs;
  /** Positions in the event log and in the conversations. */
  positions: Positions;
  /**
   * Deliveries that are `sending`, by message id, as of the last transaction, so that a settlement need not read them.
   * The map may be incomplete but never wrong: a writer that is not sure its transactions are stored passes an empty
   * one.
   */
  sending: Map<string, Sending>;
  /**
   * The head of each send queue. Kept across transactions, also those rolled back. Absent where replaced rows
   * make later reads no slower.
   */
  heads?: QueueHeads;
  /** As of the start of this transaction; absent when no other process writes messages. */
  newest?: Newest;
  /** What this node owns of the names that several nodes share; absent when it owns everything. */
  owned?: Set<string>;
  /** The database's clock at the start of the transaction, used when several nodes with different clocks write. */
  databaseNow?: EpochMs;
}

/** Whether this node may store what belongs to `name`. */
export const hasOwned = ({ owned }: Pick<WriteContext, 'owned'>, name: string): boolean =>
  owned === undefined || owned.has(name);

/** Whether this node may claim and settle in the send queue. */
export const hasLane = (context: Pick<WriteContext, 'owned'>, lane: string): boolean => hasOwned(context, lane);

/**
 * Smaller differences between two clocks count as none: a transaction takes a moment between reading one and the other.
 */
const sameClockMs = 1_000;

/**
 * The due time to store in a send queue. Nodes that share the queues use the database's clock, because the node that
 * claims may have another clock than the one that wrote the row.
 */
export function queueTime({ now, databaseNow = now }: Pick<WriteContext, 'now' | 'databaseNow'>, at: EpochMs): EpochMs {
  const aheadMs = databaseNow - now;
  return Math.abs(aheadMs) < sameClockMs ? at : at + aheadMs;
}

/** Rows that share a run in `conversations`: four times cheaper to write than one order over all rows. */
const runRows = 4_096;

/** Assigns positions; on SQLite a rolled-back transaction leaves a gap in the log. */
export interface Positions {
  /** The next position in the event log; each is assigned once. */
  next(): number;
  /** The run of conversations for `rows` more rows: the time at which it began. */
  run(rows: number, now: EpochMs): number;
  /** True if a new run has begun since the last call, which means that the previous one is complete. */
  begun(): boolean;
}

/** Positions of a log that other processes write too: each transaction reads the log's end again. */
export interface SharedPositions extends Positions {
  /** The next position is `last` + 1; `run` is the newest run that any writer has begun, 0 = unknown. */
  goOn(last: number, run: number): void;
  /** The position and run to continue with if no other process has written since. */
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
