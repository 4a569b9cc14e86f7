/** A start as one terminal shows it: first the whole card, then the log; or one sentence when it fails. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bareEnv } from '../../../../test/props/bare-env.ts';
import { runHelio } from './program.ts';

const launcher = fileURLToPath(new URL('../../bin/helio.js', import.meta.url));
const freePorts = { HELIO_SMPP_PORT: '0', HELIO_MM7_PORT: '0', HELIO_MM4_PORT: '0', HELIO_INBOX_PORT: '0' };

interface Started {
  child: ChildProcess;
  /** Both streams, in the order of writing. */
  seen(): string;
}

function start(env: Record<string, string>, args: string[] = []): Started {
  const folder = mkdtempSync(join(tmpdir(), 'helio-start-'));
  const terminal = join(folder, 'terminal');
  const fd = openSync(terminal, 'a');
  const child = spawn(process.execPath, [launcher, 'start', ...args], {
    cwd: folder,
    env: { ...bareEnv(), PORT: '0', HELIO_DATA: join(folder, 'data'), ...freePorts, ...env },
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, seen: () => readFileSync(terminal, 'utf8') };
}

describe('helio start', () => {
  it('shows the card before anything else, once it is bound, and then the whole log', async () => {
    const { child, seen } = start({ HELIO_TYPO: '1' });
    await expect.poll(seen, { timeout: 60_000 }).toContain('"msg":"started"');
    const dataDir = /data (\S+)/.exec(seen())![1]!;
    const again: string[] = [];
    const out = (text: string) => void again.push(text);
    const terminal = { out, error: () => {}, env: { HELIO_DATA: dataDir } };
    expect(await runHelio(['first-steps'], terminal)).toBe(0);
    expect(again.pop()).toContain(', bound as transceiver (2 sessions up)\n');
    child.kill('SIGTERM');
    await once(child, 'exit');
    await runHelio(['first-steps'], terminal);
    expect(again.pop()).toMatch(/SMPP 3\.4 on 127\.0\.0\.1:\d+\n/);
    const [card, log] = seen().split(/Lost this\? .*\n/);
    expect(card).toMatch(/^Heliograph /);
    expect(card).not.toContain('"level"');
    expect(card).toMatch(/Sim carrier {5}SMPP 3\.4 on 127\.0\.0\.1:\d+, bound as transceiver \(2 sessions up\)\n/);
    const lines = log!
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ level: 'warn', msg: 'HELIO_TYPO is not a setting and changes nothing.' });
    expect(lines.map(({ time }) => time)).toEqual(lines.map(({ time }) => time).toSorted());
    expect(lines.at(-1).msg).toBe('stopped');
  });

  it('says last of all who has the port, and ends with 78', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const { child, seen } = start({ PORT: String(port) });
    const [code] = await once(child, 'exit');
    expect(code).toBe(78);
    const by = process.platform === 'linux' ? ` \\([^,]+, pid ${process.pid}\\)` : '.*';
    expect(seen().trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^Port ${port} is in use${by}\\. Start with PORT=${port + 1} npm start\\.$`),
    );
  });

  it('leaves out of HELIO_CONFIG what takes something away, says what, and starts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helio-records-'));
    const [file, dataDir] = [join(folder, 'records.json'), join(folder, 'data')];
    const write = (accounts: object[]) => writeFileSync(file, JSON.stringify({ accounts }));
    write([{ id: 'A', name: 'Acme', destinations: ['US', 'DE'] }]);
    const terminal = { out: () => {}, error: () => {}, env: { HELIO_DATA: dataDir } };
    expect(await runHelio(['apply', file], terminal)).toBe(0);
    write([
      { id: 'A', name: 'Acme', destinations: ['US'] },
      { id: 'B', name: 'Other' },
    ]);
    const { child, seen } = start({ HELIO_CONFIG: file, HELIO_DATA: dataDir });
    await expect.poll(seen, { timeout: 60_000 }).toContain('applied in part');
    expect(seen()).toContain(
      'Left out of HELIO_CONFIG, as it takes something away:\n  - account A destinations: [US, DE] → [US]\n',
    );
    expect(seen()).toMatch(/"changes":1,.*HELIO_CONFIG was applied in part/);
    const again: string[] = [];
    await runHelio(['apply', file, '--dry-run'], { ...terminal, out: (text) => void again.push(text) });
    expect(again.join('')).toMatch(/^- account A .*\n1 change to make/);
    child.kill('SIGTERM');
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  });

  it('closes a data folder that is open to others, and makes every file for its owner alone', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helio-open-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    chmodSync(dataDir, 0o755);
    const { child, seen } = start({ HELIO_DATA: dataDir });
    await expect.poll(seen, { timeout: 60_000 }).toContain('"msg":"started"');
    const open = [
      dataDir,
      ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(dataDir, name)),
    ]
      .map((path) => [path, statSync(path).mode & 0o077] as const)
      .filter(([, others]) => others !== 0);
    expect(open).toEqual([]);
    const lines = seen()
      .split('\n')
      .filter((line) => line.includes('were open to others'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', count: 1, path: dataDir, mode: '0755' },
    ]);
    child.kill('SIGTERM');
    await once(child, 'exit');
  });

  it('hides the credentials and the link when it is configured to', async () => {
    const { child, seen } = start({ HELIO_PRINT_SECRETS: '0' });
    // Printed after the start, which a slow machine has time to be stopped in between.
    await expect.poll(seen, { timeout: 60_000 }).toContain('npx helio first-steps');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(seen()).not.toMatch(/_sbx_|setup#k=/);
  });
});
