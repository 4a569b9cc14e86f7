/** After a crash: what the journal holds and the database does not. It never stores anything twice. */
import { createPositions, type WriteContext } from '../operations/context.ts';
import { keep } from '../operations/keep.ts';
import { lastPosition } from '../operations/queue.ts';
import { journalGeneration, noteJournal } from '../operations/records.ts';
import { type Operation, run } from '../query.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { selectKnownRequests } from '../statements/messages.ts';
import { readJournal } from './journal.ts';
import { type Entry, Memtable, type Request, stepRows } from './memtable.ts';

/**
 * Brings it into the database, in small transactions, and at last notes that it is there; one that is killed in between begins
 * again. What was `sending` stays so, with the token of the node that died.
 */
export function recoverJournal(connection: SqliteConnection, path: string, now: number): void {
  const generation = connection.read(journalGeneration()) + 1;
  const table = new Memtable();
  let isEmpty = true;
  for (const text of readJournal(path, generation)) {
    table.apply(JSON.parse(text) as Entry);
    isEmpty = false;
  }
  if (isEmpty) return;
  const context = { now, positions: createPositions(connection.read(lastPosition())), token: 0, sending: new Map() };
  for (let rest = table.oldest(stepRows, 'any'); rest.length > 0; rest = table.oldest(stepRows, 'any')) {
    connection.write(keepUnknown(rest, context));
    connection.checkpoint();
    table.drop(rest);
  }
  connection.write(noteJournal(generation));
}

function* keepUnknown(requests: readonly Request[], context: WriteContext): Operation<void> {
  yield* keep(yield* unknown(requests), context);
}

function* unknown(requests: readonly Request[]): Operation<Request[]> {
  const ids = requests.map(({ item }) => ({ request_id: item.message.requestId }));
  const known = new Set((yield* run(selectKnownRequests, ids)).map((row) => row.request_id));
  return requests.filter(({ item }) => !known.has(item.message.requestId));
}
