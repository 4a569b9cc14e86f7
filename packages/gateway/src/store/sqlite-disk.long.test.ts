/**
 * A disk that is really full and a disk that really fails: a small tmpfs, and errors injected into system calls by
 * strace. Linux and root only; elsewhere these tests fail with that reason.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { brokenExitCode } from '../kernel/end-at-once.ts';
import type { Claim } from '../model/delivery.ts';
import { acceptItem, settlement, start } from './contract/fixture.ts';
import { StoreUnavailable } from './faults.ts';

const clock = movedClock(start);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openStore({ dataDir: join(folder, 'data'), role: 'node', clock });

describe('a full disk', () => {
  const ballast = () => join(folder, 'ballast');
  /** The last accepted texts are in the journal; a start needs space to write them to the database. */
  const makeRoom = () => execFileSync('mount', ['-o', 'remount,size=96m', folder]);
  beforeEach(() => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]);
    writeFileSync(ballast(), Buffer.alloc(20 * 1024 * 1024));
  });
  afterEach(() => {
    execFileSync('umount', [folder]);
  });

  /** Accepts until the disk is full; returns the ids of the confirmed ones. */
  async function fill(store: Store, textLength: number): Promise<string[]> {
    const stored: string[] = [];
    for (;;) {
      const item = acceptItem(start, { text: 'x'.repeat(textLength) });
      try {
        await store.accept([item]);
        stored.push(item.deliveries[0]!.messageId);
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailable);
        expect(error).toMatchObject({ reason: 'full' });
        return stored;
      }
    }
  }

  it.each([10, 1_500, 60_000])(
    'refuses, loses nothing, and works again once there is space (texts of %i)',
    async (length) => {
      const store = await open();
      const stored = await fill(store, length);
      expect(stored.length).toBeGreaterThan(3);
      for (let tries = 0; tries < 20; tries += 1) stored.push(...(await fill(store, length)));

      rmSync(ballast());
      const after = await fill(store, length);
      expect(after.length).toBeGreaterThan(3);
      stored.push(...after);
      await store.close();

      makeRoom();
      const again = await open();
      for (const messageId of stored) expect((await again.message('acc1', messageId))?.state).toBe('queued');
      expect(await again.queueCounts()).toMatchObject([{ queued: stored.length }]);
      await again.close();
    },
  );

  it('accepts outcomes again once there is space', async () => {
    const store = await open();
    const stored = await fill(store, 1_500);
    const claim = (limit: number) => store.claim({ lane: 'c1', limit, now: start, token: store.token });

    // A claim may write fewer pages than an accept, so the first few may still fit.
    const claims: Claim[] = [];
    const claimAll = async () => {
      for (const _ of stored) claims.push(...(await claim(1)));
    };
    await expect(claimAll()).rejects.toMatchObject({ reason: 'full' });

    rmSync(ballast());
    claims.push(...(await claim(stored.length)));
    expect(claims).toHaveLength(stored.length);
    expect(stored.length).toBeGreaterThan(3);
    const states = await store.settle(claims.map((one) => settlement(one, start)));
    expect(states).toEqual(claims.map(() => ['sent']));
    await store.close();
  });
});

describe('a failing disk', () => {
  const child = fileURLToPath(new URL('./contract/crash-child.ts', import.meta.url));
  const limitMs = 60_000;

  /** Runs a node whose sync of `path` (or of any file) fails once, at the given call. */
  function runFailing(call: number, path?: string) {
    const data = join(folder, 'data');
    const only = path ? ['-P', join(data, path)] : [];
    const inject = ['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:error=EIO:when=${call}`];
    const args = ['-f', ...only, ...inject, '-o', join(folder, 'trace'), process.execPath, child, '--data', data];
    return spawnSync('strace', args, { encoding: 'utf8', timeout: limitMs, killSignal: 'SIGKILL' });
  }

  /** Before the store is open, opening it throws; afterwards the process exits. */
  function expectEnded({ error, stdout, stderr, status }: ReturnType<typeof runFailing>): void {
    const isOpen = /^open /m.test(stdout);
    expect(error).toBeUndefined();
    expect(stderr).toMatch(isOpen ? /cannot be trusted/ : /StoreBroken/);
    expect(status).toBe(isOpen ? brokenExitCode : 1);
  }

  async function expectConfirmed(output: string): Promise<void> {
    const store = await open();
    const ids = [...output.matchAll(/^accepted (\S+)$/gm)].map(([, messageId]) => messageId!);
    for (const messageId of ids) expect(await store.message('acc1', messageId)).not.toBeNull();
    await store.close();
  }

  async function expectLeavesLog(ended: ReturnType<typeof runFailing>): Promise<void> {
    expect(ended.error).toBeUndefined();
    expect(ended.stderr).toMatch(/cannot be trusted/);
    expect([ended.signal, ended.status]).toEqual([null, brokenExitCode]);
    expect(existsSync(join(folder, 'data', 'store.db-wal'))).toBe(true);
    await expectConfirmed(ended.stdout);
  }

  it.each([1, 3, 5, 8, 9, 10, 11, 12, 20, 50, 200])(
    'under commit %i ends the node, nothing confirmed is lost',
    async (call) => {
      const ended = runFailing(call);
      expectEnded(ended);
      await expectConfirmed(ended.stdout);
    },
  );

  it.each([1, 2, 20])('of the journal (%i) ends the node, nothing confirmed is lost', async (call) => {
    const ended = runFailing(call, 'store.journal');
    expectEnded(ended);
    await expectConfirmed(ended.stdout);
  });

  it('in the thread that copies the log ends the node and leaves the log', async () => {
    // A store that exists is not synced again before the log is copied.
    await (await open()).close();
    await expectLeavesLog(runFailing(1, 'store.db'));
    const trace = readFileSync(join(folder, 'trace'), 'utf8');
    const failed = /^(\d+) .*INJECTED/m.exec(trace)?.[1];
    // The writer's thread ends with the process.
    expect(trace).toMatch(new RegExp(`^${failed} .*exited with 0`, 'm'));
  });

  it.each([2, 3, 4])('under a checkpoint (%i) ends the node and leaves the log', async (call) => {
    await expectLeavesLog(runFailing(call, 'store.db'));
  });
});
