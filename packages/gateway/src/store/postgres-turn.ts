/**
 * How a transaction of the node begins, in one round trip: it waits for its turn, then learns in the same transaction who
 * owns the store and where the log of events ends. So places in the log stand in the order of commits, whoever writes, and
 * nothing is stored under an epoch that another node has replaced.
 */
import type { QueryResult } from 'pg';
import type { Newest } from './context.ts';
import { StoreBroken } from './faults.ts';
import { consentCounter, recordsCounter } from './system/operations.ts';

/** Any constant will do for the first number of a lock; the second tells apart two stores in one database. */
export const lockClass = 1213156431;
export const lockObject = `hashtext(coalesce(current_schema(), ''))`;

/** Always the first lock of a transaction, so that two never wait for each other. */
export const takeTurn = `select pg_advisory_xact_lock(${lockClass + 1}, ${lockObject})`;

const ownerKey = `${lockClass + 2}, ${lockObject}`;
/** For those who write as the owner of a lease … */
export const keepOwner = `select pg_advisory_xact_lock_shared(${ownerKey})`;
/** … and for who becomes the owner: it waits for the writes under way, and later ones see its epoch. */
export const changeOwner = `select pg_advisory_xact_lock(${ownerKey})`;

/** What a turn finds. */
export interface Found {
  /** The last place in the log of events that is taken. */
  position: number;
  newest: Newest;
}

const version = (counter: string) => `coalesce((select value from counters where name = '${counter}'), 0)`;

const look = `select (select epoch from leases where name = 'node') as epoch,
  (select coalesce(max(position), 0) from events) as position,
  ${version(recordsCounter)} as records, ${version(consentCounter)} as consent`;

/** The statements; a look sees what was committed before its turn, as each statement has a snapshot of its own. */
export const beginTurn = (more: string) => `begin; ${takeTurn}; ${keepOwner}; ${look}${more && `; ${more}`}`;

/** Throws StoreBroken when the lease has another epoch than the writer's. */
export function checkedTurn(answers: readonly QueryResult[], epoch: number): Found {
  const { epoch: current, position, ...newest } = answers.find(isLook)!.rows[0] as Row;
  if (current !== epoch) throw takenOver();
  return { position, newest };
}

interface Row extends Newest {
  /** Of the lease; null when nobody has it. */
  epoch: number | null;
  position: number;
}

const isLook = ({ fields }: QueryResult): boolean => fields.some(({ name }) => name === 'epoch');

export function takenOver(): StoreBroken {
  return new StoreBroken('another node has taken over this store');
}
