/** Files with secrets: written atomically, readable only by their owner. */
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

/** Creates the file in one step; false when it exists already (then nothing changes). */
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
  /** Group or others can read or change it; `mode` in octal, like `0644`. */
  | { kind: 'exposed'; mode: string };

/** The content, if only the file's owner can read and change it. Throws the system's error if it cannot be read. */
export function readPrivateFile(path: string): PrivateFile {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
  try {
    // Checks the open file, not the path: the checked file is the one that is read.
    const mode = fstatSync(file).mode & 0o777;
    if ((mode & othersMask) !== 0) return { kind: 'exposed', mode: `0${mode.toString(8)}` };
    return { kind: 'content', bytes: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

/**
 * Bits that let others read the file, or group or others change it. The group may read: that is how a service gets
 * another's file.
 */
const everybodyMask = 0o027;

/** The mode, like `0644`, of a secret file that everybody can read or others can change; null when it is safe. */
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
