/**
 * Ends a node whose session reconnected to a server that lacks commits, or may: the next start holds the waiting
 * messages.
 */
import type { ClientBase } from 'pg';
import { StoreBroken } from './faults.ts';
import type { CommitMarks } from './postgres-doubt.ts';
import { isServerError } from './postgres-errors.ts';
import { transaction } from './postgres-transaction.ts';
import { lacksCommits, noteLoss } from './system/postgres-state.ts';

/** `marks`: this node's. A loss that they show is stored, because the server's settings may not show it. */
export async function endIfPromoted(client: ClientBase, marks: CommitMarks): Promise<void> {
  if (!(await marks.areIn(client))) {
    await transaction(client, noteLoss());
    throw new StoreBroken(
      'the database lacks commits that it had confirmed (a standby that was behind was promoted, or it was restored): the next start holds what waits in it',
    );
  }
  const lacks = await transaction(client, lacksCommits()).catch((error) => {
    // Some hosted servers do not show their timeline: then no gateway can detect this.
    if (isServerError(error)) return false;
    throw error;
  });
  if (!lacks) return;
  throw new StoreBroken(
    'the database is a promoted standby, or restored, and may lack the newest commits: the next start holds what waits in it',
  );
}
