/**
 * Stops the gateway at an exact place of its journal: `STOP_AT=PLACE:MOMENT:PASS` names one of the places below and the
 * pass (from 1) at which the whole process gets SIGSTOP and the thread blocks. A test sees the stopped process and ends
 * it.
 *
 * frame: a frame is appended (`before`; `within`: part of it is written; `after`: it is synced and not yet reported).
 * keep: texts go to the database unsynced. flush: all texts do, and the database notes it; `after`: the journal has not
 * restarted yet. recovery: a start reads a journal into the database. `within` is before the commit.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Operation, Query } from '../../../packages/gateway/src/store/query.ts';
import { plantConnection, plantJournal } from './plant.ts';

const [place, moment, pass] = (process.env.STOP_AT ?? '').split(':');
let passes = 0;
let isOpen = false;

const never = new Int32Array(new SharedArrayBuffer(4));

function isNow(here: string, when: string): boolean {
  if (here !== place || when !== moment) return false;
  passes += 1;
  return passes >= Number(pass);
}

function stop(): void {
  process.kill(process.pid, 'SIGSTOP');
  Atomics.wait(never, 0, 0);
}

function passed(here: string, when: string): void {
  if (isNow(here, when)) stop();
}

plantJournal((journal) => {
  isOpen = true;
  return {
    ...journal,
    append(text) {
      passed('frame', 'before');
      journal.append(text);
      passed('frame', 'after');
    },
  };
});

plantConnection((connection) => ({
  ...connection,
  writeBehind(operation, atOnce) {
    const keeping = watched(operation);
    const result = connection.writeBehind(keeping.operation, atOnce);
    if (keeping.kept()) passed('keep', 'after');
    return result;
  },
  *writeInPieces(operation) {
    const keeping = watched(operation);
    yield* connection.writeInPieces(keeping.operation);
    if (keeping.kept()) passed('keep', 'after');
  },
  write(operation) {
    let noted = false;
    const here = isOpen ? 'flush' : 'recovery';
    const looking = looked(operation, isNoteOfJournal, () => {
      noted = true;
    });
    const result = connection.write(
      ending(looking, () => {
        if (noted) passed(here, 'within');
      }),
    );
    if (noted) passed(here, 'after');
    return result;
  },
}));

/** The operation, which may stop within, and whether it keeps texts. */
function watched<T>(operation: Operation<T>): { operation: Operation<T>; kept(): boolean } {
  let kept = false;
  const looking = looked(operation, isInsertOfTexts, () => {
    kept = true;
  });
  const stopping = ending(looking, () => {
    if (kept) passed('keep', 'within');
  });
  return { operation: stopping, kept: () => kept };
}

/** Runs the operation, then `end`, before the commit. */
function* ending<T>(operation: Operation<T>, end: () => void): Operation<T> {
  const result = yield* operation;
  end();
  return result;
}

const isInsertOfTexts = ({ statement }: Query) => statement.name === 'insert_messages';

/** The database's note that it has the whole journal. */
const isNoteOfJournal = ({ statement, rows }: Query) => statement.name === 'put_counter' && rows[0]?.name === 'journal';

/** Calls `found` at each query for which `isSuch` holds. */
function* looked<T>(operation: Operation<T>, isSuch: (query: Query) => boolean, found: () => void): Operation<T> {
  let step = operation.next();
  while (!step.done) {
    if (isSuch(step.value)) found();
    step = operation.next(yield step.value);
  }
  return step.value;
}

const realWrite = fs.writeSync as (...given: unknown[]) => number;
const magic = 'HLJ1';

fs.writeSync = ((...given: unknown[]) => {
  const [file, bytes, offset, length, at] = given as [number, Buffer, number, number, number];
  const isFrame = length > 0 && Buffer.isBuffer(bytes) && bytes.toString('latin1', 0, magic.length) === magic;
  if (isFrame && isNow('frame', 'within')) {
    realWrite(file, bytes, offset, Math.floor(Math.random() * length), at);
    stop();
  }
  return realWrite(...given);
}) as typeof fs.writeSync;
syncBuiltinESMExports();
