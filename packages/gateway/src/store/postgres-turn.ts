/**
 * Begins a transaction of the node: takes the write lock, then reads the epoch of the lease and the last position of
 * the event log. Positions therefore follow the order of commits for all writers, and a write under a replaced epoch
 * never commits.
 */
import type { Newest } from './context.ts';
import { StoreBroken } from './faults.ts';
import type { Answer, Sent } from './postgres-batch.ts';
import { stated } from './postgres-transaction.ts';
import { consentCounter, recordsCounter } from './system/operations.ts';

/** The first number of a lock is any constant; the second separates two stores in one database. */
export const lockClass = 1213156431;
export const lockObject = `hashtext(coalesce(current_schema(), ''))`;

/** Always the first lock of a transaction, so that two transactions never wait for each other. */
export const takeTurn = `select pg_advisory_xact_lock(${lockClass + 1}, ${lockObject})`;

/**
 * Held by the session of one of several nodes, by its token: a later session must wait until that session has ended.
 */
export const sessionLockClass = lockClass + 3;
/** Held by the node that upgrades the schema beside others. */
export const upgradeLockClass = lockClass + 4;
/** Held by the session that divides the event log or drops its old partitions. */
export const logLockClass = lockClass + 5;
/** Indexes being made. */
export const indexLockClass = lockClass + 6;

/** The database's clock, ms since the epoch. */
export const databaseNow = `(extract(epoch from clock_timestamp()) * 1000)::bigint`;

const ownerKey = `${lockClass + 2}, ${lockObject}`;
/** Held by each write of a lease's owner. */
export const keepOwner = `select pg_advisory_xact_lock_shared(${ownerKey})`;
/** Held while the owner changes: waits for the writes under way; later ones read the new epoch. */
export const changeOwner = `select pg_advisory_xact_lock(${ownerKey})`;

/** What a transaction reads at its beginning. */
export interface Found {
  /** The last position in the event log. */
  position: number;
  /** The newest run of conversations; 0 where none is as new as the known one. */
  run: number;
  newest: Newest;
  /** The names this node owns; absent when nothing is shared. */
  owned?: Set<string>;
  databaseNow?: number;
}

const version = (counter: string) => `coalesce((select value from counters where name = '${counter}'), 0)`;

/** `$1`, `$2`: a position and a run known to be stored, so that the server skips earlier partitions. */
const look = (lease: string, columns: string) => `select (select epoch from leases where name = '${lease}') as epoch,
  (select coalesce(max(position), 0) from events where position >= $1::bigint) as position,
  coalesce((select max(run) from conversations where run >= $2::bigint), 0) as run,
  ${version(recordsCounter)} as records, ${version(consentCounter)} as consent${columns}`;

/** Read under the locks of the turn: owners cannot change until the transaction has ended. */
export const ownNames = (token: number): string =>
  `, ${databaseNow} as at, (select coalesce(json_agg(name), '[]') from owners where node = ${token}) as owned`;

/**
 * The statements that begin a turn; each has its own snapshot, so the look sees everything committed before the turn.
 * `lease`: the row with the writer's epoch. `columns`: what else to read. `known`: what the log and the conversations have at least.
 */
export const beginTurn = (lease: string, columns: string, known = { position: 0, run: 0 }): Sent[] => [
  stated('begin', 'begin'),
  stated('take_turn', takeTurn),
  stated('keep_owner', keepOwner),
  { name: 'look', text: look(lease, columns), values: [String(known.position), String(known.run)] },
];

/** Throws StoreBroken when the lease has a different epoch than the writer. */
export function checkedTurn(answers: readonly Answer[], epoch: number): Found {
  const { epoch: current, position, run, owned, at, ...newest } = answers[3]!.rows[0] as unknown as Row;
  if (current !== epoch) throw takenOver();
  return {
    position,
    run,
    newest,
    ...(owned !== undefined && { owned: new Set(JSON.parse(owned) as string[]), databaseNow: at }),
  };
}

interface Row extends Newest {
  /** The lease's epoch; null without an owner. */
  epoch: number | null;
  position: number;
  run: number;
  /** JSON. */
  owned?: string;
  at?: number;
}

export function takenOver(): StoreBroken {
  return new StoreBroken('another node has taken over this store');
}
