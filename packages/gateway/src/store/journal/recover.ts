/** After a crash: what the journal holds and the database does not. It never stores anything twice. */
import { createPositions } from '../operations/context.ts';
import { keep } from '../operations/keep.ts';
import { lastPosition } from '../operations/queue.ts';
import { journalGeneration, noteJournal } from '../operations/records.ts';
import { type Operation, run } from '../query.ts';
import { selectKnownRequests } from '../statements/messages.ts';
import { readJournal } from './journal.ts';
import { type Entry, Memtable, type Request } from './memtable.ts';

/** Whether the journal holds anything that the database may not have. */
export function* isJournalOpen(path: string): Operation<boolean> {
  const generation = (yield* journalGeneration()) + 1;
  return readJournal(path, generation).next().done !== true;
}

/** Brings it into the database, in one transaction; what was `sending` stays so, with the token of the node that died. */
export function* recoverJournal(path: string, now: number): Operation<void> {
  const generation = (yield* journalGeneration()) + 1;
  const table = new Memtable();
  for (const text of readJournal(path, generation)) table.apply(JSON.parse(text) as Entry);
  const missing = yield* unknown(table.all());
  const positions = createPositions(yield* lastPosition());
  yield* keep(missing, { now, positions, token: 0, sending: new Map() });
  yield* noteJournal(generation);
}

function* unknown(requests: readonly Request[]): Operation<Request[]> {
  const ids = requests.map(({ item }) => ({ request_id: item.message.requestId }));
  const known = new Set((yield* run(selectKnownRequests, ids)).map((row) => row.request_id));
  return requests.filter(({ item }) => !known.has(item.message.requestId));
}
