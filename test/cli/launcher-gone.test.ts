/** `kill -9` of the launcher: the gateway that it started stops in good order, and the next start takes its place. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bareEnv } from '../props/bare-env.ts';

const launcher = fileURLToPath(new URL('../../packages/gateway/bin/helio.js', import.meta.url));
const freePorts = { HELIO_SMPP_PORT: '0', HELIO_MM7_PORT: '0', HELIO_MM4_PORT: '0', HELIO_INBOX_PORT: '0' };

/** A Node that calls itself old starts the pinned one, as an old Node of the machine would. */
const pretendOld = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });",
  )}`,
];

let folder: string;
let started: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helio-launcher-gone-'));
  started = [];
});
afterEach(() => {
  for (const child of started) {
    child.kill('SIGKILL');
    for (const pid of childrenOf(child)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** The output goes to the file `name`. */
function start(name: string): { child: ChildProcess; seen(): string } {
  const file = join(folder, name);
  const fd = openSync(file, 'a');
  const env = { ...bareEnv(), ...freePorts, PORT: '0', HELIO_DATA: join(folder, 'data') };
  const child = spawn(process.execPath, [...pretendOld, launcher, 'start'], {
    cwd: folder,
    env,
    stdio: ['ignore', fd, fd],
  });
  started.push(child);
  return { child, seen: () => readFileSync(file, 'utf8') };
}

function childrenOf({ pid }: ChildProcess): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A process that ended but was not yet reaped (state Z) is not alive: process 1 reaps orphans late. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('kill -9 of the launcher', () => {
  it('stops the gateway, and a start at once after it waits for its place', async () => {
    const first = start('first');
    await expect.poll(first.seen, { timeout: 60_000 }).toContain('"msg":"started"');
    const [pid] = childrenOf(first.child);
    expect(pid).toBeDefined();
    first.child.kill('SIGKILL');
    const second = start('second');
    await expect.poll(second.seen, { timeout: 60_000 }).toContain('"msg":"started"');
    expect(isAlive(pid!)).toBe(false);
    expect(first.seen()).toContain('the launcher is gone');
    expect(first.seen()).toContain('"msg":"stopped"');
    const [second2] = childrenOf(second.child);

    // A third start while the second runs: its refusal names what holds the data folder.
    const third = start('third');
    const code = await new Promise((resolve) => third.child.once('exit', resolve));
    expect(code).toBe(78);
    expect(third.seen()).toContain(`Another node runs on this data folder (pid ${second2})`);
  });
});
