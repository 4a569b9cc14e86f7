/** The directory of the records, with what each kind of carrier takes. */
import { createDirectory, type Directory } from '../model/directory.ts';
import type { Records } from '../model/records.ts';
import { takenBy } from './kinds.ts';

export function buildDirectory(records: Records): Directory {
  return createDirectory(records, takenBy);
}
