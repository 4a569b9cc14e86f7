/**
 * `helio apply` and HELIO_CONFIG: updates the records to match a file. An entry changes the fields that it names;
 * removals need confirmation. Never deletes, and applying a file twice changes nothing.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock, Random } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import { noRecords } from '../../model/records.ts';
import { unsealedCarrier } from './carrier-secrets.ts';
import { carrierWarnings } from './carrier-warnings.ts';
import { crossCheck } from './cross-check.ts';
import { confirmationOf, diffRecords, linesOf, onlyOnRecord, type RecordChange } from './diff.ts';
import { type RecordLists, withoutRecords, withRecords } from './kinds.ts';
import { mergeWithRecords, withoutMadeUpNames } from './merge.ts';
import { parseRecordsFile, readEntries } from './read-file.ts';
import { type GeneratedPair, type Resolved, resolveEntries } from './resolve.ts';

const fileBytesMax = 64 * 1024 * 1024;

export interface ApplyParts {
  store: Pick<RecordsStore, 'records' | 'editRecords'>;
  sealer: Sealer;
  clock: Clock;
  random: Random;
  /** Reports without writing. Default false. */
  dryRun?: boolean;
  /** Seals the file's passwords again, when the key of the stored ones is lost. Default false. */
  reseal?: boolean;
  /** Removals are intended, whether or not the file confirms them. Default false. */
  confirmed?: boolean;
  /** Leaves out unconfirmed removals and reports them, instead of throwing ConfirmationNeeded. Default false. */
  leaveOut?: boolean;
  /** The variables for `passwordEnv`; by default the process's environment. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface ApplyReport {
  /** Changes that were made, or would be in a dry run; empty = none. */
  changes: RecordChange[];
  /** The same for people, as in `diff.ts`. */
  lines: string[];
  /** Unconfirmed removals of the file; null = none. */
  unconfirmed: Unconfirmed | null;
  /** New pairs: shown only now. Empty in a dry run. */
  generated: GeneratedPair[];
  /** Stored records that the file does not name. */
  untouched: string[];
  /** Warnings about the file, one line each. It is applied nevertheless. */
  warnings: string[];
}

export interface Unconfirmed {
  /** The removals, one line for each record. */
  lines: string[];
  /** The value that `confirm` must have in the file. */
  code: string;
  /** Changes of the file that were left out, one line each. Empty in a dry run. */
  leftOut: string[];
}

/** The file cannot be applied: report why and exit with code 78. Nothing was written. */
export class RecordsRefused extends Error {
  /** All problems, one line each; no secrets. */
  readonly problems: readonly string[];
  constructor(path: string, problems: readonly string[]) {
    super(`${path} was not applied:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'RecordsRefused';
    this.problems = problems;
  }
}

/** The file contains a removal, which needs a confirmation: exit code 78. Nothing was written. */
export class ConfirmationNeeded extends Error {
  readonly report: ApplyReport & { unconfirmed: Unconfirmed };
  constructor(path: string, report: ApplyReport & { unconfirmed: Unconfirmed }) {
    const { lines } = report.unconfirmed;
    super(`${path} was not applied, as it takes something away:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfirmationNeeded';
    this.report = report;
  }
}

/** Gives up after this many concurrent edits. */
const triesMax = 5;

/** Applies the file at `path`. Throws RecordsRefused, ConfirmationNeeded, SealingRefused (another key) or StoreUnavailable. */
export async function applyFile(path: string, parts: ApplyParts): Promise<ApplyReport> {
  const refuse = (problems: readonly string[]) => new RecordsRefused(path, problems);
  const bytes = readBytes(path);
  if (typeof bytes === 'string') throw refuse([bytes]);
  const parsed = parseRecordsFile(bytes);
  if (!parsed.ok) throw refuse(parsed.problems);

  for (let tries = 0; tries < triesMax; tries++) {
    const { version, ...onRecord } = await parts.store.records();
    const { report, changes } = judge(path, parsed.content, onRecord, parts);
    const edit = { version, put: changes, dropRoutes: [], audit: [] };
    if (report.changes.length === 0 || parts.dryRun === true) return report;
    // A concurrent edit in the portal is kept: the file is then merged with the records again.
    if ((await parts.store.editRecords(edit)) !== null) return report;
  }
  throw refuse(['the records change all the time just now; try again']);
}

interface Judgement {
  report: ApplyReport;
  /** The records to write. */
  changes: RecordLists;
}

/** Merges the file with these records. Writes nothing. */
function judge(path: string, written: unknown, onRecord: RecordLists, parts: ApplyParts): Judgement {
  const refuse = (problems: readonly string[]) => new RecordsRefused(path, problems);
  const { sealer, clock, random, dryRun = false, reseal = false, env = process.env } = parts;
  if (!reseal) checkKey(onRecord, sealer);
  const { content, texts } = mergeWithRecords(written, { onRecord, sealer });
  const read = readEntries(content);
  if (!read.ok) throw refuse(read.problems);
  const readFile = textReader(dirname(path));
  const readText = (file: string) => texts.get(file) ?? readFile(file);
  const resolved = resolveEntries(read.file, { onRecord, sealer, clock, random, readText, env, reseal });
  const problems = [...resolved.problems, ...crossCheck(withRecords(onRecord, resolved.records))];
  if (problems.length > 0) throw refuse(problems.map(withoutMadeUpNames));

  const diff = diffRecords(onRecord, resolved.records);
  const code = confirmationOf(diff.records);
  const isConfirmed = code === null || parts.confirmed === true || read.file.confirm === code;
  const report: ApplyReport = {
    changes: diff.records,
    lines: diff.records.flatMap(linesOf),
    unconfirmed: isConfirmed ? null : { lines: diff.records.flatMap(linesOf).filter(isTakenAway), code, leftOut: [] },
    generated: dryRun ? [] : resolved.generated,
    untouched: onlyOnRecord(onRecord, resolved.records),
    warnings: resolved.records.carriers.flatMap(carrierWarnings),
  };
  const { unconfirmed } = report;
  if (dryRun || unconfirmed === null) return { report, changes: diff.changes };
  if (parts.leaveOut !== true) throw new ConfirmationNeeded(path, { ...report, unconfirmed });
  return restOf(onRecord, resolved, { ...report, unconfirmed });
}

/** The file without removals. An entry with one is left out entirely; if the others depend on it, all are. */
function restOf(
  onRecord: RecordLists,
  { records }: Resolved,
  report: ApplyReport & { unconfirmed: Unconfirmed },
): Judgement {
  const rest = withoutRecords(
    records,
    report.changes.filter(({ fields }) => fields.some((field) => field.takesAway)),
  );
  const stands = crossCheck(withRecords(onRecord, rest)).length === 0;
  const diff = diffRecords(onRecord, stands ? rest : noRecords());
  const done = new Set(diff.records.map(({ noun, id }) => `${noun} ${id}`));
  const leftOut = report.changes.filter(({ noun, id }) => !done.has(`${noun} ${id}`)).flatMap(linesOf);
  const left = {
    ...report,
    changes: diff.records,
    lines: diff.records.flatMap(linesOf),
    generated: stands ? report.generated : [],
    unconfirmed: { ...report.unconfirmed, leftOut },
  };
  return { report: left, changes: diff.changes };
}

function isTakenAway(line: string): boolean {
  return line.startsWith('- ');
}

function readBytes(path: string): Buffer | string {
  try {
    if (statSync(path).size > fileBytesMax) return `the file is larger than ${fileBytesMax / 1024 / 1024} MB`;
    return readFileSync(path);
  } catch (error) {
    return `the file cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** File names are relative to the folder of the records file. */
function textReader(folder: string): (file: string) => string | undefined {
  return (file) => {
    try {
      return readFileSync(resolve(folder, file), 'utf8');
    } catch {
      return undefined;
    }
  };
}

/** If the key does not open the stored secrets, sealing with it would lock the gateway out of the new ones. */
function checkKey({ carriers }: RecordLists, sealer: Sealer): void {
  for (const carrier of carriers) if (carrier.environment === 'live') unsealedCarrier(carrier, sealer);
}
