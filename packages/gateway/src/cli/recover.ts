/** `helio recover`: saves what can be saved of a damaged journal that no start accepts, and reports what is missing. */
import { resolve } from 'node:path';
import { type Recovery, recoverSqlite } from '../app/store-repair.ts';
import { counted } from '../kernel/counted.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { startCommand } from '../kernel/start-command.ts';
import { StoreRefused } from '../store/faults.ts';
import { missingLines } from './repair-lines.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

const ofPostgres =
  'The store is PostgreSQL: its journal is a table there, and the next start brings in what that holds. There are no files to recover here.';

export interface RecoverFlags {
  journal?: string;
  json?: boolean;
}

export function recover(flags: RecoverFlags, terminal: Terminal): Promise<number> {
  return runWithStore(terminal, async ({ databaseUrl, dataDir }) => {
    if (databaseUrl !== null) throw new StoreRefused(ofPostgres);
    const from = flags.journal === undefined ? null : resolve(flags.journal);
    const done = recoverSqlite({ dataDir, from, now: clock.now() });
    return flags.json === true ? `${JSON.stringify(done)}\n` : `${linesOf(done).join('\n')}\n`;
  });
}

function linesOf(done: Recovery): string[] {
  const { database, fault, kept, frames, requests, messages, mended, doubtful, lost } = done;
  const what = `${counted(requests, 'request')} with ${counted(messages, 'message')}`;
  const lines = [
    ...(database === null ? [] : [`${database.missing} The rest of what was there cannot be read.`]),
    fault ?? 'The journal is undamaged.',
    `Recovered: ${counted(frames, 'whole frame')}; ${what} that the database did not have.`,
  ];
  if (mended > 0) lines.push(`One wrong bit was repaired in ${counted(mended, 'frame')}.`);
  if (doubtful > 0) {
    lines.push(`${counted(doubtful, 'message')} may have been sent already: uncertain after the next start.`);
  }
  lines.push(...missingLines(lost));
  for (const file of [kept, database?.kept ?? null]) if (file !== null) lines.push(`The damaged file is kept: ${file}`);
  lines.push(`Next: ${startCommand}`);
  return lines;
}
