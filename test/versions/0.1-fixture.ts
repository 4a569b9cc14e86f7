/** The data of version 0.1.0 (`make-0.1.ts`) under today's gateway, whose clock is set to ten minutes later. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { TestPostgres } from '../postgres.ts';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';
import type { Expected01 } from './make-0.1.ts';

const folder = join(import.meta.dirname, '0.1');
const plant = pathToFileURL(join(import.meta.dirname, '../props/plants/clock.ts')).href;
const upgradeMs = 600_000;

export const expected: Record<'sqlite' | 'postgres', Expected01> = JSON.parse(
  readFileSync(join(folder, 'expected.json'), 'utf8'),
);

export function fillFolder(dataDir: string, name: 'sqlite' | 'postgres'): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  execFileSync('tar', ['xzf', join(folder, `${name}.tar.gz`), '-C', dataDir]);
}

export async function fillDatabase(server: TestPostgres): Promise<string> {
  const databaseUrl = await server.createDatabase();
  await server.query(databaseUrl, gunzipSync(readFileSync(join(folder, 'postgres.sql.gz'))).toString());
  return databaseUrl;
}

/** With PostgreSQL: on the database that `fillDatabase` made. */
export function startUpgraded(databaseUrl?: string): Promise<SandboxGateway> {
  const name = databaseUrl === undefined ? 'sqlite' : 'postgres';
  const { killedAt } = expected[name];
  let clockFile = '';
  return startSandbox({
    ...(databaseUrl !== undefined && { databaseUrl }),
    fill: (dataDir) => {
      fillFolder(dataDir, name);
      clockFile = join(dataDir, '..', 'clock');
      writeFileSync(clockFile, String(killedAt + upgradeMs - Date.now()));
    },
    env: {
      get CLOCK_FILE() {
        return clockFile;
      },
      NODE_OPTIONS: `--import ${plant}`,
    },
  });
}
