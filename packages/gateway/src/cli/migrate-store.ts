/** `helio migrate-store`: moves the store of a stopped gateway from SQLite to PostgreSQL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Moved, type MoveStep, moveStore } from '../app/store-move.ts';
import { counted } from '../kernel/counted.ts';
import { machineClock as clock, machineRandom as random } from '../kernel/machine.ts';
import { keyFileName } from '../kernel/sealing.ts';
import { startCommand } from '../kernel/start-command.ts';
import { StoreRefused } from '../store/faults.ts';
import { markPath } from '../store/move/mark.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

/** For a large table, prints a line each time this many more rows are copied. */
const lineEveryRows = 100_000;

export function migrateStore(flags: { json?: boolean }, terminal: Terminal): Promise<number> {
  return runWithStore(terminal, async ({ databaseUrl, dataDir, secretKeyFile }) => {
    if (databaseUrl === null) {
      throw new StoreRefused('HELIO_DATABASE_URL is not set: it names the empty PostgreSQL database to move to.');
    }
    const moved = await moveStore({
      dataDir,
      databaseUrl: databaseUrl.reveal(),
      now: clock.now(),
      id: Buffer.from(random.bytes(16)).toString('hex'),
      progress: progressLines(terminal),
    });
    if (flags.json === true) return `${JSON.stringify(moved)}\n`;
    const keyFile = secretKeyFile ?? join(dataDir, keyFileName);
    return `${linesOf(moved, { dataDir, keyFile: existsSync(keyFile) ? keyFile : null }).join('\n')}\n`;
  });
}

function progressLines(terminal: Terminal): (step: MoveStep) => void {
  let printed = { table: '', rows: 0 };
  return ({ kind, table, rows, of }) => {
    if (kind === 'checked') {
      terminal.error(`${table}: ${counted(rows, 'row')}, the same on both sides\n`);
      return;
    }
    if (printed.table !== table) printed = { table, rows: 0 };
    if (rows < of && rows - printed.rows < lineEveryRows) return;
    printed.rows = rows;
    terminal.error(`${table}: ${rows} of ${counted(of, 'row')} copied\n`);
  };
}

function linesOf({ rows, tables, journal, to }: Moved, place: { dataDir: string; keyFile: string | null }): string[] {
  return [
    `Moved to ${to}: ${counted(rows, 'row')} in ${counted(tables.length, 'table')}, counted and compared on both sides.`,
    ...(journal === null ? [] : [`Of these, ${counted(journal.messages, 'message')} came from the journal.`]),
    `Keep ${place.dataDir}: media and other files stay there${place.keyFile === null ? '' : `, and the secrets open with ${place.keyFile}`}.`,
    `The SQLite store is marked as moved (${markPath(place.dataDir)}): no start takes it any more.`,
    `Next, with the same HELIO_DATABASE_URL: ${startCommand}`,
  ];
}
