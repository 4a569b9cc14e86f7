import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dice } from '../../../../test/props/chance.ts';
import { movedClock, until } from '../../../../test/props/clock.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock } from '../kernel/machine.ts';
import { type ImageType, isImage } from '../model/medium.ts';
import { type FitChild, startFitChild } from './fit-command.ts';
import { encodeFrame } from './fit-frame.ts';
import { type FitProcesses, type FitProcessParts, openFitProcesses } from './fit-process.ts';
import { kindOf } from './kind.ts';
import { animatedGif, phoneJpeg, picture } from './media-fixture.ts';

function open(parts: Partial<FitProcessParts> = {}): FitProcesses & { started: FitChild[] } {
  const started: FitChild[] = [];
  const { start = startFitChild, ...rest } = parts;
  const processes = openFitProcesses({
    clock: machineClock,
    logger: silentLogger,
    start: () => {
      started.push(start());
      return started.at(-1)!;
    },
    ...rest,
  });
  onTestFinished(() => processes.close());
  return { ...processes, started };
}

/** Starts a process that runs `script` instead. */
const fake = (script: string) => () =>
  spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'pipe'], env: {} });
const spins = 'process.stdin.once("data", () => { process.stderr.write("x"); for (;;); })';
const dies = 'process.stdin.once("data", () => { console.error("Segmentation fault"); process.abort(); })';
const printing = (bytes: Buffer) =>
  `process.stdin.once("data", () => process.stdout.write(Buffer.from("${bytes.toString('hex')}", "hex")))`;

const job = (bytes: Buffer, type: ImageType = 'image/jpeg', budgetBytes = 600_000) => ({
  type,
  budgetBytes,
  load: async () => bytes,
});
const small = await phoneJpeg(60, 40, 6);
const ended = (child: FitChild) => child.exitCode !== null || child.signalCode !== null;

describe('the real process', () => {
  it('fits one image after the other without starting anew', async () => {
    const processes = open();
    const photo = await phoneJpeg(2_000, 1_500, 6);
    for (let i = 0; i < 3; i++) {
      const result = await processes.fit(job(photo, 'image/jpeg', 200_000));
      if (result.kind !== 'fitted') throw new Error(result.kind);
      expect(await sharp(result.bytes).metadata()).toMatchObject({ width: 1_200, height: 1_600 });
    }
    expect(processes.started).toHaveLength(1);
  });

  it('holds no secret: its environment, files and network are closed', async () => {
    process.env.HELIO_TEST_SECRET = 'must-not-travel';
    onTestFinished(() => {
      delete process.env.HELIO_TEST_SECRET;
    });
    const processes = open();
    await processes.fit(job(small));
    const [child] = processes.started;
    const environment = readFileSync(`/proc/${child!.pid}/environ`, 'latin1').split('\0').filter(Boolean);
    expect(environment.map((one) => one.split('=')[0]).sort()).toEqual([
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
      'PWD',
      'UV_THREADPOOL_SIZE',
    ]);
    const limits = readFileSync(`/proc/${child!.pid}/limits`, 'latin1');
    expect(limits).toMatch(/Max cpu time +600 +600 /);
    expect(limits).toMatch(/Max file size +0 +0 /);
    expect(limits).toMatch(/Max data size +921600000 +921600000 /);
    expect(limits).toMatch(/Max core file size +0 +0 /);
    const command = readFileSync(`/proc/${child!.pid}/cmdline`, 'latin1').split('\0');
    expect(command).toContain('--permission');
    expect(command.filter((flag) => flag.startsWith('--allow')).map((flag) => flag.split('=')[0])).toEqual([
      '--allow-addons',
      '--allow-fs-read',
      '--allow-fs-read',
    ]);
  });

  it('cannot connect, read a file of ours or start another, when taken over by a script', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    let reached = 0;
    server.on('connection', (socket) => {
      reached++;
      socket.destroy();
    });
    const { port } = server.address() as { port: number };
    const attempts = [
      `require("node:net").connect(${port}, "127.0.0.1")`,
      'require("node:fs").readFileSync("/etc/passwd")',
      'require("node:fs").writeFileSync("/tmp/h", "x")',
      'require("node:child_process").spawnSync("id")',
      'new (require("node:worker_threads").Worker)("1", { eval: true })',
    ];
    const script = attempts.map(
      (one) => `try { ${one}.on("error", (e) => console.log(e.code)) } catch (e) { console.log(e.code) }`,
    );
    const real = startFitChild();
    const readFlags = () =>
      readFileSync(`/proc/${real.pid}/cmdline`, 'latin1')
        .split('\0')
        .filter((flag) => /^--(p|allow)/.test(flag));
    // The kernel shows them a moment after the process has started, and none while one program takes the place of another.
    const flags = await vi.waitUntil(() => {
      const found = readFlags();
      return found.includes('--permission') && found;
    }, 60_000);
    real.kill('SIGKILL');
    const child = spawn(process.execPath, [...flags, '-e', script.join('\n')], { stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(out.trim().split('\n')).toEqual(attempts.map(() => 'ERR_ACCESS_DENIED'));
    expect(reached).toBe(0);
  });

  it('survives 300 files that were damaged on purpose, within its memory', async () => {
    const processes = open();
    const chance = dice(11);
    const whole = [
      await phoneJpeg(300, 200, 6),
      await picture(300, 200).jpeg({ progressive: true }).toBuffer(),
      await picture(300, 200, { channels: 4 }).png().toBuffer(),
      await animatedGif(60, 4),
      await picture(300, 200).webp().toBuffer(),
    ];
    const seen = { fitted: 0, refused: 0 };
    for (let round = 0; round < 300; round++) {
      const bytes = Buffer.from(whole[round % whole.length]!);
      for (let i = 0; i < 1 + (round % 9); i++) bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
      const kind = kindOf(bytes);
      if (!kind.ok || !isImage(kind.type)) {
        seen.refused += 1;
        continue;
      }
      const result = await processes.fit(job(bytes, kind.type, 20_000));
      expect(['fitted', 'damaged', 'too-large']).toContain(result.kind);
      if (result.kind === 'fitted') seen.fitted += 1;
      else seen.refused += 1;
    }
    expect(seen.fitted).toBeGreaterThan(20);
    expect(seen.refused).toBeGreaterThan(20);
    expect(peakMegabytes(processes.started.at(-1)!)).toBeLessThan(256);
  });

  it('stays below 256 MB with the largest images that are let through', async () => {
    const processes = open();
    const large = { create: { width: 5_000, height: 4_990, channels: 4 as const, background: '#12345680' } };
    const png = await sharp(large).png({ progressive: true, compressionLevel: 1 }).toBuffer();
    const jpeg = await sharp(large).jpeg({ progressive: true }).withMetadata({ orientation: 8 }).toBuffer();
    for (const [bytes, type] of [
      [png, 'image/png'],
      [jpeg, 'image/jpeg'],
    ] as const) {
      expect(kindOf(bytes)).toEqual({ ok: true, type });
      expect(await processes.fit(job(bytes, type, 50_000))).toMatchObject({ kind: 'fitted' });
    }
    expect(processes.started).toHaveLength(1);
    expect(peakMegabytes(processes.started[0]!)).toBeLessThan(256);
  });
});

function peakMegabytes(child: FitChild): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1_000;
}

describe('a process that fails', () => {
  it('is replaced once: a crash in native code costs one more try', async () => {
    const lastWords: unknown[] = [];
    const starts = [fake(dies), startFitChild];
    const logger = { ...silentLogger, warn: (fields: object) => lastWords.push(fields) };
    const processes = open({ start: () => starts.shift()!(), logger });
    expect(await processes.fit(job(small))).toMatchObject({ kind: 'fitted' });
    expect(lastWords).toEqual([{ lastWords: expect.stringContaining('Segmentation fault') }]);
  });

  it('twice over the same image: the image is given up and the next one is served', async () => {
    const starts = [fake(dies), fake(dies), startFitChild];
    const processes = open({ start: () => starts.shift()!() });
    expect(await processes.fit(job(small))).toEqual({ kind: 'crashed' });
    expect(await processes.fit(job(small))).toMatchObject({ kind: 'fitted' });
  });

  it('hangs: it is killed after its time, and so is the second', async () => {
    const clock = movedClock();
    const processes = open({ start: fake(spins), clock });
    const result = processes.fit(job(small));
    for (let tries = 1; tries <= 2; tries++) {
      await until(() => processes.started.length === tries && clock.timers() === 1);
      clock.pass(24_999);
      expect(clock.timers()).toBe(1);
      clock.pass(1);
    }
    expect(await result).toEqual({ kind: 'crashed' });
    await until(() => processes.started.every(ended));
  });

  it('died while it was idle: that is no try', async () => {
    const starts = [startFitChild, fake(dies), startFitChild];
    const processes = open({ start: () => starts.shift()!() });
    await processes.fit(job(small));
    processes.started[0]!.kill('SIGKILL');
    await until(() => ended(processes.started[0]!));
    expect(await processes.fit(job(small))).toMatchObject({ kind: 'fitted' });
    expect(processes.started).toHaveLength(3);
  });

  it('cannot be started', async () => {
    const start = () => spawn('/nonexistent/node', [], { stdio: ['pipe', 'pipe', 'pipe'] });
    expect(await open({ start }).fit(job(small))).toEqual({ kind: 'crashed' });
  });

  const html = Buffer.from('<html>');
  it.each([
    ['no frame', Buffer.from('garbage that is no frame at all')],
    ['more than the budget', encodeFrame({ kind: 'fitted' }, small)],
    ['another type', encodeFrame({ kind: 'fitted', type: 'image/jpeg' }, html)],
    ['a kind nobody knows', encodeFrame({ kind: 'busy' }, Buffer.alloc(0))],
    ['null', encodeFrame([], Buffer.alloc(0))],
    ['two answers', Buffer.concat([encodeFrame({ kind: 'damaged' }, html), encodeFrame({ kind: 'damaged' }, html)])],
  ])('is not believed: %s', async (_name, answer) => {
    const processes = open({ start: fake(printing(answer)) });
    expect(await processes.fit(job(small, 'image/jpeg', small.length - 1))).toEqual({ kind: 'crashed' });
    await until(() => processes.started.every(ended));
  });
});

describe('the queue', () => {
  it('runs two at a time, holds no bytes for those who wait, and is full at its limit', async () => {
    const clock = movedClock();
    const processes = open({ start: fake(spins), clock, limits: { waitingMax: 3 } });
    let loaded = 0;
    const load = async () => {
      loaded += 1;
      return small;
    };
    const results = Array.from({ length: 5 }, () => processes.fit({ ...job(small), load }));
    await until(() => processes.started.length === 2);
    expect(await processes.fit({ ...job(small), load })).toEqual({ kind: 'busy' });
    expect([processes.started.length, loaded]).toEqual([2, 2]);
    processes.close();
    expect(await Promise.all(results)).toEqual(results.map(() => ({ kind: 'busy' })));
    await until(() => processes.started.every(ended));
  });

  it('goes on after a file that is lost and after one that cannot be read', async () => {
    const processes = open({ limits: { processesMax: 1 } });
    expect(await processes.fit({ ...job(small), load: async () => null })).toEqual({ kind: 'lost' });
    await expect(processes.fit({ ...job(small), load: () => Promise.reject(new Error('EIO')) })).rejects.toThrow('EIO');
    expect(await processes.fit(job(small))).toMatchObject({ kind: 'fitted' });
  });

  it('ends a process after its number of jobs, and one that is idle', async () => {
    const clock = movedClock();
    const processes = open({ clock, limits: { jobsPerProcess: 2, idleMs: 5 } });
    for (let i = 0; i < 3; i++) await processes.fit(job(small));
    expect(processes.started).toHaveLength(2);
    await until(() => ended(processes.started[0]!));
    clock.pass(5);
    await until(() => ended(processes.started[1]!));
  });
});
