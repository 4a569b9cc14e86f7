/** The directory of the records, with what each kind of carrier takes. */
import { createDirectory, type Directory } from '../domain/directory.ts';
import type { Records } from '../domain/records.ts';
import { takenBy } from './kinds.ts';

export function buildDirectory(records: Records): Directory {
  return createDirectory(records, takenBy);
}
