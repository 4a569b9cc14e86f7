/** Builds the directory with the abilities of each kind of carrier. */
import { createDirectory, type Directory } from '../model/directory.ts';
import type { Records } from '../model/records.ts';
import { takenBy } from './kinds.ts';

export function buildDirectory(records: Records): Directory {
  return createDirectory(records, takenBy);
}
