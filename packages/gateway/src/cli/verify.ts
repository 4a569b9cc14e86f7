/**
 * `helio verify`: checks the files of the store, and reports what is damaged and what could be saved. It changes
 * nothing.
 */
import type { Config } from '../app/config.ts';
import { badConfigurationExitCode } from '../app/config.ts';
import { type JournalState, lookAtSqlite, type StoreState } from '../app/store-repair.ts';
import { counted } from '../kernel/counted.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock as clock, machineRandom as random } from '../kernel/machine.ts';
import { checkMediaFiles, type MediaCheck } from '../media/check.ts';
import { describeFailure } from './failure.ts';
import { missingLines } from './repair-lines.ts';
import { exitCodes, type Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

/** The role of the gateway may not install the extension that pg_amcheck needs. */
const ofPostgres = `The store is PostgreSQL, its journal included. An administrator of the server checks it with:
pg_amcheck --install-missing "postgres://ADMINISTRATOR@HOST/DATABASE"
`;

export async function verify(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  if (config.databaseUrl !== null) {
    terminal.error(ofPostgres);
    return exitCodes.refused;
  }
  try {
    return await verifyFiles(flags, config, terminal);
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) throw error;
    terminal.error(failure.text);
    return failure.exitCode;
  }
}

async function verifyFiles(
  flags: { json?: boolean },
  { dataDir, mediaBucket }: Config,
  terminal: Terminal,
): Promise<number> {
  const store = lookAtSqlite(dataDir, clock.now());
  const context = { random, logger: silentLogger, now: clock.now };
  const bucket =
    mediaBucket === null ? null : await (await import('../media/open-bucket.ts')).openBucket(mediaBucket, context);
  const media = await checkMediaFiles(dataDir, store.needed, bucket?.folder('media'));
  bucket?.close();
  const { database, journal, isRunning } = store;
  const isWhole = database.fault === null && database.missing === null;
  const isWell = isWhole && !journal?.fault && media.damaged.length + media.missing.length === 0;
  if (flags.json === true) terminal.out(`${JSON.stringify({ ok: isWell, database, journal, isRunning, media })}\n`);
  else terminal.out(`${[...databaseLines(store), ...journalLines(store), ...mediaLines(media)].join('\n')}\n`);
  return isWell ? exitCodes.ok : exitCodes.refused;
}

function databaseLines({ database: { path, bytes, fault, missing } }: StoreState): string[] {
  const what = `Database  ${path} (${bytes.toLocaleString('en')} bytes)`;
  const form =
    fault === null
      ? [`✓ ${what}: whole`]
      : [`✕ ${what}: damaged: ${fault}`, '  → Go back to a backup: npx helio backup restore FILE'];
  if (missing === null) return form;
  return [...form, `✕ Log       ${missing}`, '  → Bring in what can be had: npx helio recover'];
}

function journalLines({ journal, isRunning, database }: StoreState): string[] {
  if (isRunning) return ['✓ Journal   not looked at: a gateway runs here, and has all of it in memory too'];
  if (journal === null) return database.fault === null ? [] : ['✕ Journal   cannot be judged without the database'];
  const head =
    journal.fault === null ? `✓ Journal   ${journal.path}: ${stateOf(journal)}` : `✕ Journal   ${journal.fault}`;
  const next = journal.fault === null ? [] : ['  → Bring in what can be had: npx helio recover'];
  return [head, ...broughtLines(journal), ...missingLines(journal.lost).map((line) => `  ${line}`), ...next];
}

function stateOf({ frames, torn }: JournalState): string {
  if (frames === 0 && !torn) return 'nothing in it that the database does not have';
  return `${counted(frames, 'whole frame')}${torn ? ', and one at the end that was never acknowledged' : ''}`;
}

function broughtLines({ requests, messages, mended, doubtful, fault }: JournalState): string[] {
  if (requests === 0 && fault === null) return [];
  const who = fault === null ? 'A start' : 'helio recover';
  const lines = [`  ${who} would recover ${counted(requests, 'request')} with ${counted(messages, 'message')}.`];
  if (mended > 0) lines.push(`  One wrong bit in each of ${counted(mended, 'frame')} can be repaired by its checksum.`);
  if (doubtful > 0) lines.push(`  Of these, ${counted(doubtful, 'message')} may have been sent already: uncertain.`);
  return lines;
}

function mediaLines({ files, damaged, missing }: MediaCheck): string[] {
  const isWell = damaged.length + missing.length === 0;
  const bad = [
    ...damaged.map((path) => `  damaged: ${path}`),
    ...missing.map((path) => `  missing, and still needed: ${path}`),
  ];
  return [`${isWell ? '✓' : '✕'} Media     ${counted(files, 'file')}${isWell ? ', all whole' : ''}`, ...bad];
}
