/**
 * Reads a journal and compares it with the database's note of it. A crash leaves at most the last frame incomplete, and
 * its callers got no answer; all else is damage.
 */
import { readFileSync, statSync } from 'node:fs';
import { type Frame, frameAt, growBytes, headAt, headBytes, nextFrame } from './journal.ts';
import { mended } from './mend.ts';

/** The database's note of the journal. */
export interface JournalNote {
  /** The newest generation that is complete in the database. The journal holds the next one. */
  done: number;
  /**
   * The least number of frames in the next generation; -1 = none, and no file; null = an earlier version did not note
   * it.
   */
  frames: number | null;
}

/** The journal holds nothing that the database does not have. */
export const outOfUse = -1;

export type Fault =
  | { kind: 'missing' }
  | { kind: 'unreadable'; why: string }
  /** The file does not begin like a journal, or is another store's journal. */
  | { kind: 'foreign' }
  | { kind: 'older'; generation: number }
  | { kind: 'newer'; generation: number }
  /** The file ends before the last frame that its node wrote; `frames` are known to be missing. */
  | { kind: 'short'; frames: number | null }
  /** `frames` are incomplete, and `behind` complete ones follow the first of these. */
  | { kind: 'broken'; place: number; frames: number; behind: number }
  /** One bit of the last frame is wrong. */
  | { kind: 'wrong bit'; place: number };

export type Piece =
  | { kind: 'frame'; text: string; mended: boolean }
  /** Missing frames; null = unknown how many. `bytes`: what is in their place. */
  | { kind: 'gap'; place: number; frames: number | null; bytes: Buffer };

export interface Look {
  generation: number;
  /** Null when the journal is as its node left it. */
  fault: Fault | null;
  pieces: Piece[];
  /** The last frame was being written. */
  torn: boolean;
}

const nothing = Buffer.alloc(0);

/** Reads the journal and changes nothing. */
export function lookAtJournal(path: string, note: JournalNote): Look {
  const generation = note.done + 1;
  const read = contentOf(path);
  const isExpected = note.frames !== null && note.frames !== outOfUse;
  if (!Buffer.isBuffer(read)) {
    const isFault = read.kind === 'unreadable' || isExpected;
    const lost = isExpected ? [gap(0, note.frames || null)] : [];
    return { generation, fault: isFault ? read : null, pieces: lost, torn: false };
  }
  const newer = newerGeneration(read, note);
  if (newer !== null) {
    const { pieces, place, end } = walk(read, newer);
    pieces.push(gap(place, null, read.subarray(end, end)));
    return { generation: newer, fault: { kind: 'newer', generation: newer }, pieces, torn: false };
  }
  if (note.frames === outOfUse) return { generation, fault: null, pieces: [], torn: false };
  return judged(read, note);
}

function contentOf(path: string): Buffer | Extract<Fault, { kind: 'missing' | 'unreadable' }> {
  try {
    const stat = statSync(path);
    // Opening a pipe would block until a process writes to it.
    if (!stat.isFile() && !stat.isDirectory()) return { kind: 'unreadable', why: 'it is no file' };
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'unreadable', why: code ?? String(error) };
  }
}

/** The generation of a non-empty journal that is newer than the database's note, else null. */
function newerGeneration(bytes: Buffer, { done, frames }: JournalNote): number | null {
  const head = headAt(bytes, 0);
  if (head === null || head.generation <= done || frameAt(bytes, 0, head.generation) === null) return null;
  const isNext = head.generation === done + 1;
  return isNext && (frames !== outOfUse || head.length === 0) ? null : head.generation;
}

function judged(bytes: Buffer, note: JournalNote): Look {
  const generation = note.done + 1;
  const walked = walk(bytes, generation);
  const { pieces, place, end } = walked;
  const head = headAt(bytes, end);
  const isTorn = head !== null && head.generation === generation && head.place === place;
  const fault = walked.fault ?? (note.frames === null ? null : faultOfEnd(bytes, note, walked));
  // In a damaged journal, the last frame may be torn or damaged as well.
  const isOpen = fault !== null && (walked.fault === null || isTorn);
  if (isOpen) {
    const known = fault.kind === 'short' ? fault.frames : null;
    pieces.push(gap(place, known, isTorn ? bytes.subarray(end, textEnd(bytes, end)) : nothing));
  }
  return { generation, fault, pieces, torn: isTorn };
}

/** The fault of a journal whose frames are complete but whose end is missing. */
function faultOfEnd(bytes: Buffer, { done, frames }: JournalNote, { place, begins }: Walked): Fault | null {
  const head = headAt(bytes, 0);
  if (head === null || head.place !== 0 || head.generation > done + 1) return { kind: 'foreign' };
  if (head.generation < done) return { kind: 'older', generation: head.generation };
  if (place < frames!) return { kind: 'short', frames: frames! - place };
  // The file is allocated ahead of its frames, and this length was on disk before the second-last frame.
  const length = (begins.at(-2) ?? 0) + growBytes;
  return bytes.length < length ? { kind: 'short', frames: null } : null;
}

interface Walked {
  pieces: Piece[];
  fault: Extract<Fault, { kind: 'broken' | 'wrong bit' }> | null;
  /** The place after the last frame. */
  place: number;
  end: number;
  /** Where the frames begin. */
  begins: number[];
}

/** All complete frames of a generation, and the gaps between them. */
function walk(bytes: Buffer, generation: number): Walked {
  const pieces: Piece[] = [];
  const begins: number[] = [];
  let place = 0;
  let end = 0;
  /** The place of the first incomplete frame, the number of incomplete ones, and of complete ones behind the first. */
  let first: number | null = null;
  let frames = 0;
  let behind = 0;
  const take = (frame: Frame, isMended: boolean) => {
    if (frame.text !== '') pieces.push({ kind: 'frame', text: frame.text, mended: isMended });
    begins.push(frame.begin);
    place = frame.place + 1;
    end = frame.end;
    if (!isMended && first !== null) behind += 1;
  };
  for (;;) {
    const whole = frameAt(bytes, end, generation);
    if (whole?.place === place) {
      take(whole, false);
      continue;
    }
    const right = mended(bytes, { at: end, generation, place });
    const next = right ?? nextFrame(bytes, generation, { from: end, place });
    if (next === null) break;
    first ??= place;
    frames += right === null ? next.place - place : 1;
    if (right === null) pieces.push(gap(place, next.place - place, bytes.subarray(end, next.begin)));
    take(next, right !== null);
  }
  const isLastAlone = frames === 1 && behind === 0;
  const fault =
    first === null
      ? null
      : isLastAlone
        ? ({ kind: 'wrong bit', place: first } as const)
        : ({ kind: 'broken', place: first, frames, behind } as const);
  return { pieces, fault, place, end, begins };
}

function gap(place: number, frames: number | null, bytes: Buffer = nothing): Piece {
  return { kind: 'gap', place, frames, bytes };
}

/** Where the text of an incomplete frame would end. */
function textEnd(bytes: Buffer, at: number): number {
  return Math.min(bytes.length, at + growBytes, at + headBytes + headAt(bytes, at)!.length);
}
