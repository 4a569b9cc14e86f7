/** Ends a node whose session came back to a server that may lack commits: the next start holds what waits there. */
import type { ClientBase } from 'pg';
import { StoreBroken } from './faults.ts';
import { isServerError } from './postgres-errors.ts';
import { transaction } from './postgres-transaction.ts';
import { lacksCommits } from './system/standing.ts';

export async function endIfPromoted(client: ClientBase): Promise<void> {
  const lacks = await transaction(client, lacksCommits()).catch((error) => {
    // Some hosted servers do not tell their timeline: then nobody can know.
    if (isServerError(error)) return false;
    throw error;
  });
  if (!lacks) return;
  throw new StoreBroken(
    'the database is a promoted standby, or restored, and may lack the newest commits: the next start holds what waits in it',
  );
}
