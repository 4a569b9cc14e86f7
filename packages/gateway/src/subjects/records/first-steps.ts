/**
 * `first-steps.json` in the data folder keeps the seeded sandbox's credentials in plain text, readable by its owner
 * only, so that a newcomer can send at once.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultKind } from '../../carriers/kinds.ts';
import { replacePrivateFile } from '../../kernel/private-file.ts';

/** Under the names of the kind's settings. */
export type SimulatedAddress = Readonly<Record<string, string | number>>;

/** Further fields: for each kind of simulated carrier, where it listens. */
export interface FirstSteps {
  readonly [kind: string]: string | string[] | SimulatedAddress;
  /** Without a slash at the end. */
  baseUrl: string;
  bearerToken: string;
  authToken: string;
  /** A sending number that works. */
  from: string;
  /** Numbers that receive texts like ordinary telephones. */
  handsets: string[];
}

/** Null when the file is missing or not ours. Throws the system's error when it cannot be read. */
export function readFirstSteps(dataDir: string): FirstSteps | null {
  let text: string;
  try {
    text = readFileSync(join(dataDir, 'first-steps.json'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isFirstSteps(value) ? value : null;
  } catch {
    return null;
  }
}

export function writeFirstSteps(dataDir: string, firstSteps: FirstSteps): void {
  replacePrivateFile(join(dataDir, 'first-steps.json'), `${JSON.stringify(firstSteps, null, 2)}\n`);
}

function isFirstSteps(value: unknown): value is FirstSteps {
  const steps = (value ?? {}) as Record<string, unknown>;
  const { baseUrl, bearerToken, authToken, from, handsets } = steps;
  return (
    [baseUrl, bearerToken, authToken, from].every((field) => typeof field === 'string') &&
    Array.isArray(handsets) &&
    // A file of an earlier version has only the address of the first kind.
    typeof steps[defaultKind.name] === 'object'
  );
}
