/**
 * Recovery after a crash: brings into the database what only the journal holds. It never stores anything twice, and
 * takes nothing from a damaged journal unless its caller wants it.
 */
import { createPositions, type WriteContext } from '../../../store/context.ts';
import { type BroughtIn, type JournalHook, type PostgresJournalHook, stepRows } from '../../../store/hook.ts';
import { refusal } from '../../../store/journal/fault-text.ts';
import { readJournal } from '../../../store/journal/journal.ts';
import { type JournalNote, type Look, lookAtJournal, outOfUse } from '../../../store/journal/look.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { SqliteConnection } from '../../../store/sqlite-connection.ts';
import { StoreDamaged } from '../../../store/store-damaged.ts';
import { journalFrames, journalGeneration, lastPosition, noteJournal } from '../../../store/system/operations.ts';
import { type Kept, keepUnknown } from '../operations/keep.ts';
import { selectKnownDeliveries, selectKnownRequests } from '../statements/messages.ts';
import { MessageBuffer } from './buffer.ts';
import { type Entry, Memtable, type Request } from './memtable.ts';
import { type Lost, type Salvage, salvage } from './salvage.ts';

/** For SQLite's writer thread. */
export const journaledMessages: JournalHook = {
  openBuffer: (token) => new MessageBuffer(token),
  recover: recoverJournal,
};

export const journaledInPostgres: PostgresJournalHook = {
  openBuffer: (token) => new MessageBuffer(token),
  bringIn: bringInFrames,
};

export function* journalNote(): Operation<JournalNote> {
  return { done: yield* journalGeneration(), frames: yield* journalFrames() };
}

/** Null if the journal was empty. Throws StoreDamaged and changes nothing if the journal is not as its node left it. */
export function recoverJournal(connection: SqliteConnection, path: string, now: number): BroughtIn | null {
  const look = lookAtJournal(path, connection.read(journalNote()));
  if (look.fault !== null) throw new StoreDamaged(refusal(path, look));
  const { table, frames } = salvage(look);
  if (frames === 0) return null;
  return { frames, torn: look.torn, ...bringIn(connection, table, { now, generation: look.generation }) };
}

/** Recovers the readable frames of a damaged journal; after it the generation counts as complete in the database. */
export function recoverDamaged(connection: SqliteConnection, look: Look, now: number): BroughtIn & Salvage {
  const found = salvage(look);
  const lost = connection.read(stillLost(found.lost));
  const brought = bringIn(connection, found.table, { now, generation: look.generation });
  return { ...found, lost, ...brought, torn: look.torn };
}

/** For a copy of a store in use: applies the frames of a copied journal up to the first incomplete one. */
export function recoverCopy(connection: SqliteConnection, journal: string | null, now: number): void {
  const generation = connection.read(journalGeneration()) + 1;
  const table = new Memtable();
  for (const text of journal === null ? [] : readJournal(journal, generation)) {
    if (text !== '') table.apply(JSON.parse(text) as Entry);
  }
  bringIn(connection, table, { now, generation });
}

/** For PostgreSQL, in one transaction. */
function* bringInFrames(frames: readonly string[], context: WriteContext): Operation<Brought> {
  const { table } = salvage({ pieces: frames.map((text) => ({ kind: 'frame', text, mended: false })) });
  const brought = { requests: 0, messages: 0 };
  for (const step of steps(table)) add(brought, yield* keepUnknown(step, context));
  return brought;
}

/** Everything, oldest first; each step leaves the table once it is dealt with. */
function* steps(table: Memtable): Generator<Request[]> {
  for (let step = table.oldest(stepRows, 'any'); step.length > 0; step = table.oldest(stepRows, 'any')) {
    yield step;
    table.drop(step);
  }
}

type Brought = Pick<BroughtIn, 'requests' | 'messages'>;

function add(brought: Brought, kept: readonly Kept[]): void {
  brought.requests += kept.length;
  for (const { tries } of kept) brought.messages += tries.length;
}

/**
 * Writes the requests to the database in small transactions, and finally records that they are there; an interrupted
 * run begins again. Deliveries in `sending` stay so, with the token of the node that died.
 */
function bringIn(
  connection: SqliteConnection,
  table: Memtable,
  { now, generation }: { now: number; generation: number },
): Brought {
  const brought = { requests: 0, messages: 0 };
  const context = { now, positions: createPositions(connection.read(lastPosition())), token: 0, sending: new Map() };
  for (const step of steps(table)) {
    add(brought, connection.write(keepUnknown(step, context)));
    connection.checkpoint();
  }
  connection.write(noteJournal(generation, outOfUse));
  return brought;
}

/** Without those that the database has. */
export function* stillLost({ frames, requests, messages }: Lost): Operation<Lost> {
  const requestIds = requests.map(({ requestId }) => ({ request_id: requestId }));
  const messageIds = messages.map(({ messageId }) => ({ message_id: messageId }));
  const knownRequests = new Set((yield* run(selectKnownRequests, requestIds)).map((row) => row.request_id));
  const known = new Set((yield* run(selectKnownDeliveries, messageIds)).map((row) => row.message_id));
  return {
    frames,
    requests: requests.filter(({ requestId }) => !knownRequests.has(requestId)),
    messages: messages.filter(({ messageId }) => !known.has(messageId)),
  };
}
