/**
 * The findings of `helio doctor` about PostgreSQL: whether a start would accept it, and whether its standbys could lose
 * anything.
 */
import { finding } from '../app/machine-checks.ts';
import type { Finding } from '../model/upkeep.ts';
import { StoreRefused, StoreUnavailable } from '../store/faults.ts';

const unreachable = 'Start PostgreSQL, or correct HELIO_DATABASE_URL.';
const notTaken = 'Correct it, or let HELIO_DATABASE_URL name another server: docs/postgresql.md';
const behind =
  'Set synchronous_standby_names there. Without it, a promotion may lose acknowledged messages; the gateway then holds what waits.';

export async function databaseFindings(databaseUrl: string): Promise<Finding[]> {
  const { lookAtPostgres } = await import('../store/postgres-look.ts');
  try {
    const { version, state } = await lookAtPostgres(databaseUrl);
    const found = [finding('Database', true, `PostgreSQL ${version}`, '')];
    if (state === null || state.standbys === 0) return found;
    const { standbys, isSynchronous } = state;
    const detail = `${standbys} connected, ${isSynchronous ? 'commits wait for them' : 'asynchronous'}`;
    return [...found, finding('Standbys', isSynchronous, detail, behind)];
  } catch (error) {
    if (error instanceof StoreRefused) return [finding('Database', false, error.message, notTaken)];
    if (error instanceof StoreUnavailable) return [finding('Database', false, error.message, unreachable)];
    throw error;
  }
}
