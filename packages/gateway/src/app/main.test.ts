import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keptLog, type LogLine } from '../http/doors-fixture.ts';
import { readConfig } from './config.ts';
import { startGateway } from './main.ts';

const anyPorts = { PORT: '0', HELIO_SMPP_PORT: '0', HELIO_MM7_PORT: '0', HELIO_MM4_PORT: '0', HELIO_INBOX_PORT: '0' };
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helio-main-'));
  folders.push(folder);
  return folder;
}

/** A start with the sandbox on a new data folder; `ended` names the parts that were stopped, in order. */
function gatewayWith(env: Record<string, string> = {}) {
  const folder = newFolder();
  const read = readConfig({ ...anyPorts, HELIO_DATA: join(folder, 'data'), HELIO_HOST: '127.0.0.1', ...env });
  if (!read.ok) throw new Error(read.problems.join(' '));
  const lines: LogLine[] = [];
  const broken = (error: unknown) => void lines.push({ level: 'broken', fields: {}, message: String(error) });
  const ended = () =>
    lines.filter(({ message }) => message === 'a part of the gateway ended').map((l) => l.fields.part);
  const failures = () => lines.filter(({ level }) => level === 'broken' || level === 'error');
  return { start: () => startGateway({ config: read.config, logger: keptLog(lines), broken }), ended, failures };
}

/** Sockets that listen in this process. */
const listening = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

const wholeOrder = [
  'server',
  'request log',
  'directory',
  'carrier watch',
  'carrier news',
  'keeper',
  'media work',
  'send queues',
  'usage',
  'webhooks',
  'simulator',
  'media store',
  'outside',
  'store',
];

describe('a gateway', () => {
  it('stops its doors, sweeps, send queues, followers and peers before its store, and leaves nothing listening', async () => {
    const before = listening();
    const { start, ended, failures } = gatewayWith();
    const gateway = await start();
    expect(listening()).toBeGreaterThan(before);
    await gateway.stop();
    expect(ended().filter((name) => name !== 'clock watch')).toEqual(wholeOrder);
    expect(failures()).toEqual([]);
    await expect.poll(listening).toBe(before);
  });

  it('closes everything when its port is taken, and says why it did not start', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const before = listening();
    const { port } = taken.address() as { port: number };
    const { start, ended, failures } = gatewayWith({ PORT: String(port) });
    await expect(start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(ended()).toEqual(wholeOrder);
    expect(failures()).toEqual([]);
    await expect.poll(listening).toBe(before);
    await new Promise((resolve) => taken.close(resolve));
  });

  it('closes what it had opened when a part cannot open', async () => {
    const folder = newFolder();
    const file = join(folder, 'no-certificate.pem');
    writeFileSync(file, 'this is no certificate');
    const { start, ended } = gatewayWith({ HELIO_TLS_CERT: file, HELIO_TLS_KEY: file });
    await expect(start()).rejects.toThrow();
    expect(ended().slice(-3)).toEqual(['media store', 'outside', 'store']);
  });
});
