/**
 * `helio apply` and HELIO_CONFIG: brings the records to what a file says. All or nothing, never deletes, and applying the
 * same file again changes nothing. Prints nothing: it reports.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock, Random } from '../domain/clock.ts';
import type { Sealer } from '../sealing.ts';
import type { Store } from '../store/store.ts';
import { unsealedCarrier } from './carrier-secrets.ts';
import { carrierWarnings } from './carrier-warnings.ts';
import { crossCheck } from './cross-check.ts';
import { diffRecords, onlyOnRecord } from './diff.ts';
import { type RecordLists, withRecords } from './kinds.ts';
import { readRecordsFile } from './read-file.ts';
import { type GeneratedPair, resolveEntries } from './resolve.ts';

const fileBytesMax = 64 * 1024 * 1024;

export interface ApplyParts {
  store: Pick<Store, 'records' | 'putRecords'>;
  sealer: Sealer;
  clock: Clock;
  random: Random;
  /** Reports and writes nothing. Default false. */
  dryRun?: boolean;
  /** Seals the passwords of the file anew, for when the key of those on record is lost. Default false. */
  reseal?: boolean;
  /** Where `passwordEnv` is looked up; default the process's environment. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface ApplyReport {
  /** One for each change, as in `diff.ts`; empty = nothing to do. */
  lines: string[];
  /** New pairs: shown once or lost. Empty in a dry run. */
  generated: GeneratedPair[];
  /** What is on record and not in the file. */
  untouched: string[];
  /** What the file asks for and a person should know of: one line each. It is applied all the same. */
  warnings: string[];
}

/** The file cannot be applied: say why and end with exit code 78. Nothing was written. */
export class RecordsRefused extends Error {
  /** All of them, one line each; no secrets. */
  readonly problems: readonly string[];
  constructor(path: string, problems: readonly string[]) {
    super(`${path} was not applied:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'RecordsRefused';
    this.problems = problems;
  }
}

/** Applies the file at `path`. Throws RecordsRefused, SealingRefused (another key) or StoreUnavailable. */
export async function applyFile(path: string, parts: ApplyParts): Promise<ApplyReport> {
  const refuse = (problems: readonly string[]) => new RecordsRefused(path, problems);
  const bytes = readBytes(path);
  if (typeof bytes === 'string') throw refuse([bytes]);
  const read = readRecordsFile(bytes);
  if (!read.ok) throw refuse(read.problems);

  const { store, sealer, clock, random, dryRun = false, reseal = false, env = process.env } = parts;
  const onRecord: RecordLists = await store.records();
  if (!reseal) checkKey(onRecord, sealer);
  const resolved = resolveEntries(read.file, {
    onRecord,
    sealer,
    clock,
    random,
    readText: textReader(dirname(path)),
    env,
    reseal,
  });
  const problems = [...resolved.problems, ...crossCheck(withRecords(onRecord, resolved.records))];
  if (problems.length > 0) throw refuse(problems);

  const { changes, lines } = diffRecords(onRecord, resolved.records);
  if (lines.length > 0 && !dryRun) await store.putRecords(changes);
  return {
    lines,
    generated: dryRun ? [] : resolved.generated,
    untouched: onlyOnRecord(onRecord, resolved.records),
    warnings: resolved.records.carriers.flatMap(carrierWarnings),
  };
}

function readBytes(path: string): Buffer | string {
  try {
    if (statSync(path).size > fileBytesMax) return `the file is larger than ${fileBytesMax / 1024 / 1024} MB`;
    return readFileSync(path);
  } catch (error) {
    return `the file cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** Files are relative to the folder of the records file. */
function textReader(folder: string): (file: string) => string | undefined {
  return (file) => {
    try {
      return readFileSync(resolve(folder, file), 'utf8');
    } catch {
      return undefined;
    }
  };
}

/** Sealing with a key that does not open what is there would lock the gateway out of what it seals now. */
function checkKey({ carriers }: RecordLists, sealer: Sealer): void {
  for (const carrier of carriers) if (carrier.environment === 'live') unsealedCarrier(carrier, sealer);
}
