/** A start as one terminal sees it: the card first and whole, then the log, and one sentence when it cannot be. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHelio } from './program.ts';

const launcher = fileURLToPath(new URL('../../bin/helio.js', import.meta.url));
const freePorts = { HELIO_SMPP_PORT: '0', HELIO_MM7_PORT: '0', HELIO_MM4_PORT: '0', HELIO_INBOX_PORT: '0' };

interface Started {
  child: ChildProcess;
  /** Both streams, in the order in which they were written. */
  seen(): string;
}

function start(env: Record<string, string>, args: string[] = []): Started {
  const folder = mkdtempSync(join(tmpdir(), 'helio-start-'));
  const terminal = join(folder, 'terminal');
  const fd = openSync(terminal, 'a');
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HELIO_|PORT$|NODE_|VITEST)/.test(name));
  const child = spawn(process.execPath, [launcher, 'start', ...args], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), PORT: '0', HELIO_DATA: join(folder, 'data'), ...freePorts, ...env },
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, seen: () => readFileSync(terminal, 'utf8') };
}

describe('helio start', { timeout: 60_000 }, () => {
  it('shows the card before anything else, told by the binds, and then the whole log', async () => {
    const { child, seen } = start({ HELIO_TYPO: '1' });
    await expect.poll(seen, { timeout: 30_000 }).toContain('"msg":"started"');
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

  it('hides the credentials and the link when it is told to', async () => {
    const { child, seen } = start({ HELIO_PRINT_SECRETS: '0' });
    await expect.poll(seen, { timeout: 30_000 }).toContain('"msg":"started"');
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(seen()).not.toMatch(/_sbx_|setup#k=/);
    expect(seen()).toContain('npx helio first-steps');
  });
});
