/** The frames of a journal that PostgreSQL keeps in a table. */
import { type Operation, run } from '../query.ts';
import { deleteFrames, insertFrame, selectFrames } from './statements.ts';

export function* addFrame(place: number, text: string): Operation<void> {
  yield* run(insertFrame, [{ place, text }]);
}

/** `until` is exclusive. */
export function* forgetFrames(from: number, until: number): Operation<void> {
  yield* run(deleteFrames, [{ from, until }]);
}

/** All of them, in order. */
export function* frames(): Operation<{ place: number; text: string }[]> {
  return yield* run(selectFrames, [{ from: 0 }]);
}
