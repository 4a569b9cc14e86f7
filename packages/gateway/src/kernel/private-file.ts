/** Files with secrets: written atomically, readable by their owner only. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const ownerOnly = 0o600;
const othersMask = 0o077;

/** Replaces the file in one step. Throws the system's error. */
export function replacePrivateFile(path: string, content: string): void {
  const written = writeBeside(path, content);
  renameSync(written, path);
  syncFolder(path);
}

/** Makes the file in one step; false when it is there already (then nothing is changed). */
export function createPrivateFile(path: string, content: string): boolean {
  const written = writeBeside(path, content);
  try {
    linkSync(written, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    unlinkSync(written);
  }
  syncFolder(path);
  return true;
}

export type PrivateFile =
  | { kind: 'content'; bytes: Buffer }
  | { kind: 'missing' }
  /** Group or others may read or change it; `mode` in octal, like `0644`. */
  | { kind: 'exposed'; mode: string };

/** The content, provided that nobody but its owner can read or change the file. Throws the system's error otherwise. */
export function readPrivateFile(path: string): PrivateFile {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
  try {
    // The open file is asked, not the path: what is checked is what is read.
    const mode = fstatSync(file).mode & 0o777;
    if ((mode & othersMask) !== 0) return { kind: 'exposed', mode: `0${mode.toString(8)}` };
    return { kind: 'content', bytes: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

/** Anybody may read it, or more than its owner may change it. Its group may read: that is how a service gets another's file. */
const everybodyMask = 0o027;

/** The mode of a file with a secret that everybody may read, or others may change, like `0644`; null when it is well. */
export function exposedMode(path: string): string | null {
  if (process.platform === 'win32') return null;
  const mode = statSync(path).mode & 0o777;
  return (mode & everybodyMask) === 0 ? null : `0${mode.toString(8)}`;
}

function writeBeside(path: string, content: string): string {
  const beside = `${path}.${process.pid}.new`;
  rmSync(beside, { force: true });
  const file = openSync(beside, 'wx', ownerOnly);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return beside;
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
