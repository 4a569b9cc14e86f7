/**
 * `helio prove` as people run it: our own gateway passes, and gateways with planted bugs do not. The command starts,
 * kills and ends each as a process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, type TestContext } from 'vitest';
import { launcher, place } from './place-fixture.ts';
import type { Report } from './prove/report.ts';

const toyFile = fileURLToPath(new URL('prove/toy-gateway-fixture.ts', import.meta.url));

/** A folder with the peer file of a toy gateway. */
function toyPlace(bug: string, finished: Finished) {
  const { folder, helio } = place({}, finished);
  const peer = {
    name: `a toy that ${bug}`,
    start: [[process.execPath, toyFile, '@PORT@', '@SINK@', '@RUN@/log', bug]],
    ready_port: '@PORT@',
    url_port: '@PORT@',
    single: { path: '/send?to={to}', accepted: '^taken$' },
    quiet_s: 2,
  };
  const peerFile = join(folder, 'peer.json');
  writeFileSync(peerFile, JSON.stringify(peer));
  return { folder, prove: (...args: string[]) => helio('prove', '--peer', peerFile, '--kills', '1', ...args) };
}

/** The hook of one test: several of them run at once. */
type Finished = TestContext['onTestFinished'];

const reportIn = (out: string) => JSON.parse(out) as Report;

describe.concurrent('helio prove', () => {
  it('finds nothing lost and nothing unflagged after a kill of our own gateway', async ({ onTestFinished }) => {
    // Settings of the user's own gateway: neither its database nor its data folder may be touched.
    const { folder, dataDir, helio } = place({ HELIO_DATABASE_URL: 'postgres://127.0.0.1:1/live' }, onTestFinished);
    const kept = join(folder, 'kept');
    const { code, out, error } = await helio('prove', '--faults', 'kill', '--kills', '1', '--keep', kept, '--json');
    const { total, ...report } = reportIn(out);
    expect(error).toMatch(/^heliograph .* on port/);
    expect([code, report.passed, total.lost, report.doubledWithoutFlag]).toEqual([0, true, 0, []]);
    expect(total.acknowledged).toBeGreaterThan(50);
    expect(total.readyMs).toBeGreaterThan(0);
    // The evidence files, from which anyone can count again.
    const linesOf = (name: string) => readFileSync(join(kept, name), 'utf8').trim().split('\n');
    const arrived = new Set(linesOf('arrived.txt').map((line) => line.split('\t')[0]));
    const acknowledged = linesOf('acknowledged.txt').map((line) => line.split('\t')[0]);
    expect(acknowledged).toHaveLength(total.acknowledged);
    expect(acknowledged.filter((to) => !arrived.has(to))).toEqual([]);
    expect(readdirSync(join(kept, 'run'))).toContain('data');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('finds a gateway that acknowledges before it stores', async ({ onTestFinished }) => {
    const { code, out, error } = await toyPlace('forgets', onTestFinished).prove('--faults', 'kill');
    expect(error).toContain('killed under load');
    expect(out).toMatch(/^Of \d+ acknowledged messages, [1-9]\d* did not arrive\.$/m);
    expect(code).toBe(1);
  });

  it('finds a gateway that sends everything again after a start', async ({ onTestFinished }) => {
    const { code, out } = await toyPlace('repeats', onTestFinished).prove('--faults', 'restart', '--json');
    const { total, verdict } = reportIn(out);
    expect(total).toMatchObject({ lost: 0, flagged: null, doubled: expect.any(Number) });
    expect(total.doubled).toBeGreaterThan(0);
    expect(verdict).toContain('cannot ask a toy that repeats for flags');
    expect(code).toBe(1);
  });

  it('says when a gateway ends by itself', async ({ onTestFinished }) => {
    const { out } = await toyPlace('vanishes', onTestFinished).prove('--faults', 'drop');
    expect(out).toContain('The gateway ended by itself in 1 round.');
  });

  it('says why a gateway cannot be started', async ({ onTestFinished }) => {
    const { folder, helio } = place({}, onTestFinished);
    const peer = {
      name: 'none',
      start: ['echo no disk; exit 4'],
      ready_port: 1,
      url_port: 1,
      single: { path: '/{to}' },
    };
    writeFileSync(join(folder, 'peer.json'), JSON.stringify(peer));
    const { code, out } = await helio('prove', '--peer', join(folder, 'peer.json'), '--faults', 'kill');
    expect(out).toContain('The gateway failed: it ended with 4 at its start: no disk');
    expect(code).toBe(1);
  });

  it('ends everything it started and leaves nothing at Ctrl+C', async ({ onTestFinished }) => {
    const { folder, env } = place({}, onTestFinished);
    const child = spawn(process.execPath, [launcher, 'prove', '--faults', 'kill'], { cwd: folder, env });
    let error = '';
    child.stderr.on('data', (bytes) => (error += bytes));
    await expect.poll(() => error, { timeout: 60_000 }).toContain('ready after');
    const [, port, scratch] = /on port (\d+), .* everything in (\S+)/.exec(error)!;
    expect(existsSync(scratch!)).toBe(true);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(error).toContain('there is no verdict');
    expect(existsSync(scratch!)).toBe(false);
    const [refused] = await once(
      connect(Number(port), '127.0.0.1').on('connect', () => expect.fail()),
      'error',
    );
    expect(refused.code).toBe('ECONNREFUSED');
  });
});

describe('helio prove', () => {
  it.each([
    [['--time', 'soon'], 2, '--time is "soon"; it takes a time from 5s to 60m.'],
    [['--time', '2h'], 2, '--time is "2h"'],
    [['--kills', '0'], 2, '--kills is "0"'],
    [['--faults', 'kill,flood'], 2, 'There is no fault "flood"; there are: kill, power, drop, silent, restart.'],
    [['--peer', 'a.json', '--database', 'postgres://x'], 2, '--database is for a gateway of this version'],
    [['--keep', 'full'], 2, 'full is not an empty folder'],
    [['--peer', 'nowhere.json'], 78, 'There is no file nowhere.json.'],
    [['--database', 'postgres://127.0.0.1:1/none'], 78, 'helio prove again'],
  ])('refuses %j', async (args, exitCode, sentence) => {
    const { folder, helio } = place();
    mkdirSync(join(folder, 'full', 'data'), { recursive: true });
    const { code, out, error } = await helio('prove', ...args);
    expect([code, out]).toEqual([exitCode, '']);
    expect(error).toContain(sentence);
    expect(error).toContain('Next: ');
  });
});
