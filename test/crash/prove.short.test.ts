/**
 * `helio prove` with all its faults, on SQLite and on PostgreSQL, as a process. With a bug planted in the gateway the
 * command must fail: node's `--import` also applies to the gateway that the command starts.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../packages/gateway/src/cli/prove/report.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { bareEnv } from '../props/bare-env.ts';
import { type Plant, planted, shortForm } from './rounds.ts';

const launcher = fileURLToPath(new URL('../../packages/gateway/bin/helio.js', import.meta.url));
const isRoot = process.getuid?.() === 0;

interface Ended {
  code: number;
  report: Report | null;
  error: string;
}

function prove(args: string[], plant?: Plant): Promise<Ended> {
  const node = plant === undefined ? [] : planted(plant);
  return new Promise((done) => {
    execFile(
      process.execPath,
      [...node, launcher, 'prove', '--json', ...args],
      { env: bareEnv() },
      (fault, out, error) =>
        done({ code: fault === null ? 0 : Number(fault.code), report: out === '' ? null : JSON.parse(out), error }),
    );
  });
}

describe('helio prove, SQLite', shortForm, () => {
  it('passes all faults, power cuts included where this machine has them', async () => {
    const { code, report, error } = await prove(['--kills', '1']);
    expect(report?.verdict, error).toMatch(/^Nothing acknowledged was lost, and /);
    expect(code).toBe(0);
    const faults = ['kill', 'power', 'drop', 'silent', 'restart'].filter((fault) => isRoot || fault !== 'power');
    expect(report?.faults.map(({ fault }) => fault)).toEqual(faults);
    expect(report?.skipped).toEqual(isRoot ? [] : [{ fault: 'power', why: 'power cuts need root' }]);
    for (const { fault, acknowledged } of report!.faults) expect(acknowledged, fault).toBeGreaterThan(20);
    // A dropped line leaves messages in doubt: without a double this round would have tried nothing.
    expect(report?.faults.find(({ fault }) => fault === 'drop')?.doubled).toBeGreaterThan(0);
  });

  it('finds the planted bug: answered before it is in the journal', async () => {
    const { code, report } = await prove(['--faults', 'kill', '--kills', '3'], 'journal-late');
    expect(report?.total.lost).toBeGreaterThan(0);
    expect(code).toBe(1);
  });

  it('finds the planted bug: the journal is not synced', async (ctx) => {
    if (!isRoot) ctx.skip('power cuts need root');
    const { code, report } = await prove(['--faults', 'power', '--kills', '3'], 'journal-unsynced');
    expect(report?.total.lost).toBeGreaterThan(0);
    expect(code).toBe(1);
  });
});

describe('helio prove, PostgreSQL', shortForm, () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  it('passes a kill, and leaves the database as empty as it was', async () => {
    const url = await server.createDatabase();
    const { code, report, error } = await prove(['--kills', '1', '--faults', 'kill,power', '--database', url]);
    expect(report?.verdict, error).toMatch(/^Nothing acknowledged was lost, and /);
    expect(code).toBe(0);
    expect(report?.gateway).toContain('on PostgreSQL');
    expect(report?.skipped).toEqual([{ fault: 'power', why: 'the database is not on a disk of this run' }]);
    expect(await server.query(url, "select relname from pg_class where relnamespace = 'public'::regnamespace")).toEqual(
      [],
    );
  });

  it('refuses a database with anything in it, and leaves that alone', async () => {
    const url = await server.createDatabase();
    await server.query(url, 'create table precious (id int)');
    const { code, report, error } = await prove(['--database', url]);
    expect([code, report]).toEqual([78, null]);
    expect(error).toContain('not empty: it has public.precious.');
    expect(await server.query(url, 'select count(*)::int as rows from precious')).toEqual([{ rows: 0 }]);
  });
});
