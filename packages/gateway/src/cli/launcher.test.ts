/**
 * bin/helio.js before any Node: which Node it chooses, and that nothing is lost between it and the Node that runs. It
 * is copied into a folder of its own with a stand-in for the command, so that every situation can be tested.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const command = `
const [wish] = process.argv.slice(2);
process.on('SIGTERM', () => process.exit(42));
process.on('SIGINT', () => process.exit(43));
process.on('SIGHUP', () => process.exit(44));
process.on('disconnect', () => {
  console.log('alone');
  process.exit(45);
});
process.emitWarning('new', 'ExperimentalWarning');
const { pid, ppid, execArgv } = process;
console.log(JSON.stringify({ node: process.versions.node, args: process.argv.slice(2), pid, ppid, execArgv }));
if (wish === 'exit') process.exit(7);
if (wish === 'die') process.kill(process.pid, 'SIGKILL');
// Bounded, so that a launcher that forgets it leaves nothing behind.
if (wish === 'wait') setTimeout(() => process.exit(1), 15_000);
`;

const queue = '--concurrent-recompilation-queue-length=200';

/** Makes Node appear to be an old version: the launcher must not rely on newer features. */
const pretendOld = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } });",
  )}`,
];

interface House {
  launcher: string;
}

function build(pinned: string | null, built: 'source' | 'release' = 'source'): House {
  const house = mkdtempSync(join(tmpdir(), 'helio-launcher-'));
  for (const folder of ['bin', 'src/cli', 'dist/cli']) mkdirSync(join(house, folder), { recursive: true });
  writeFileSync(join(house, 'package.json'), '{"type":"module"}');
  const launcher = join(house, 'bin', 'helio.js');
  copyFileSync(fileURLToPath(new URL('../../bin/helio.js', import.meta.url)), launcher);
  writeFileSync(join(house, built === 'source' ? 'src/cli/helio.ts' : 'dist/cli/helio.js'), command);
  if (pinned !== null) {
    const name = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
    const bin = join(house, 'node_modules', `${name}-${process.platform}-${process.arch}`, 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(pinned, join(bin, 'node'));
  }
  return { launcher };
}

interface Run {
  child: ChildProcess;
  first: Promise<{ node: string; args: string[]; pid: number; ppid: number; execArgv: string[] }>;
  end: Promise<{ code: number | null; signal: string | null; err: string }>;
}

function run({ launcher }: House, args: string[], node = process.execPath, flags: string[] = pretendOld): Run {
  const child = spawn(node, [...flags, launcher, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let err = '';
  child.stderr.on('data', (bytes) => {
    err += bytes;
  });
  const first = once(child.stdout, 'data').then(([bytes]) => JSON.parse(String(bytes)));
  const end = once(child, 'close').then(([code, signal]) => ({ code, signal, err }));
  return { child, first, end };
}

/** The machine's own old Node, if there is one. */
function oldNode(): string | undefined {
  const all = execFileSync('sh', ['-c', 'which -a node || true'], { encoding: 'utf8' }).trim().split('\n');
  return all.find((path) => {
    const version = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
    return Number.parseInt(version, 10) < 24;
  });
}

describe('the launcher under an old Node', () => {
  it('hands arguments, output and exit code over to the pinned one, silently', async () => {
    const { child, first, end } = run(build(process.execPath), ['exit', 'a b', '--c']);
    const started = await first;
    expect(started).toMatchObject({ node: process.versions.node, args: ['exit', 'a b', '--c'], ppid: child.pid });
    expect(started.execArgv).toContain(queue);
    expect(await end).toEqual({ code: 7, signal: null, err: '' });
  });

  it.each([
    ['SIGTERM', 42],
    ['SIGINT', 43],
    ['SIGHUP', 44],
  ] as const)('passes %s on and waits for the end', async (signal, code) => {
    const { child, first, end } = run(build(process.execPath), ['wait']);
    await first;
    child.kill(signal);
    expect(await end).toMatchObject({ code, signal: null });
  });

  it('leaves nothing behind when it is killed', async () => {
    const { child, first, end } = run(build(process.execPath), ['wait']);
    await first;
    let last = '';
    child.stdout!.on('data', (bytes) => {
      last += bytes;
    });
    child.kill('SIGKILL');
    // Both share the output: it closes when both have ended.
    await end;
    expect(last).toBe('alone\n');
  });

  it('ends with 128 + n when a signal ended the other', async () => {
    expect(await run(build(process.execPath), ['die']).end).toMatchObject({ code: 128 + 9, signal: null });
  });

  it('says in one sentence that no newer Node is there', async () => {
    const { code, err } = await run(build(null), []).end;
    expect(code).toBe(78);
    expect(err).toMatch(/^Heliograph needs Node 24 or newer; this is v.*\n$/);
  });

  it('says that the pinned one cannot be started', async () => {
    const { code, err } = await run(build(fileURLToPath(import.meta.url)), []).end;
    expect(code).toBe(78);
    expect(err).toMatch(/^\/.* cannot be started \(E[A-Z]+\)\. Install Node 24 or newer\.\n$/);
  });

  it('can be read by the old Node of this machine, if it has one', async () => {
    const { first, end } = run(build(process.execPath), ['exit'], oldNode() ?? process.execPath, []);
    expect((await first).node).toBe(process.versions.node);
    expect((await end).code).toBe(7);
  });
});

describe('the launcher under a Node that is new enough', () => {
  it('gives its place to the command: the same process, its flags and those of V8', async () => {
    const { child, first, end } = run(build(null), ['exit', 'a b', '--c'], process.execPath, ['--trace-uncaught']);
    const { pid, args, execArgv } = await first;
    expect(pid).toBe(child.pid);
    expect(args).toEqual(['exit', 'a b', '--c']);
    expect(execArgv).toEqual(expect.arrayContaining(['--trace-uncaught', queue]));
    expect(await end).toEqual({ code: 7, signal: null, err: '' });
  });

  it('runs what was built when the source is not there', async () => {
    expect(await run(build(null, 'release'), ['exit'], process.execPath, []).end).toMatchObject({ code: 7 });
  });
});
