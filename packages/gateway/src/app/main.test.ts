import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keptLog, type LogLine } from '../http/server-fixture.ts';
import { type Config, readConfig } from './config.ts';
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

/** A start with the sandbox on a new data folder; `began` and `ended` list the started and stopped parts, in order. */
function gatewayWith(env: Record<string, string> = {}, over: Partial<Config> = {}) {
  const folder = newFolder();
  const read = readConfig({ ...anyPorts, HELIO_DATA: join(folder, 'data'), HELIO_HOST: '127.0.0.1', ...env });
  if (!read.ok) throw new Error(read.problems.join(' '));
  const lines: LogLine[] = [];
  const broken = (error: unknown) => void lines.push({ level: 'broken', fields: {}, message: String(error) });
  const partsOf = (event: string) => lines.filter(({ message }) => message === event).map(({ fields }) => fields.part);
  const began = () => partsOf('a part of the gateway started');
  const ended = () => partsOf('a part of the gateway ended');
  const failures = () => lines.filter(({ level }) => level === 'broken' || level === 'error');
  const config = { ...read.config, ...over };
  return { start: () => startGateway({ config, logger: keptLog(lines), broken }), began, ended, failures };
}

const countOf = (kind: string) => process.getActiveResourcesInfo().filter((one) => one === kind).length;
/** Sockets that listen in this process. */
const listening = () => countOf('TCPServerWrap');
/** Resources that a gateway may leave behind: sockets on both sides, and the ports of its threads. */
const running = () => ['TCPServerWrap', 'TCPSocketWrap', 'MessagePort'].map((kind) => [kind, countOf(kind)]);

const startedInOrder = [
  'recovery',
  'send queues',
  'events',
  'webhooks',
  'media work',
  'file move',
  'evidence',
  'usage',
  'directory',
  'memory',
  'database state',
  'sweeper',
  'retention',
  'alerts',
  'carrier history',
  'clock watch',
  'carrier watch',
  'backlog',
];

const wholeOrder = [
  'server',
  'request log',
  'recovery',
  'clock watch',
  'directory',
  'memory',
  'database state',
  'carrier watch',
  'backlog',
  'carrier notifier',
  'sweeper',
  'retention',
  'alerts',
  'media work',
  'file move',
  'evidence',
  'send queues',
  'usage',
  'webhooks',
  'events',
  'carrier history',
  'simulator',
  'media store',
  'file stores',
  'egress policy',
  'store',
];

describe('a gateway', () => {
  it('stops its doors, sweeps, send queues, followers and peers before its store, and leaves nothing listening', async () => {
    const before = listening();
    const { start, began, ended, failures } = gatewayWith();
    const gateway = await start();
    expect(began()).toEqual(startedInOrder);
    expect(listening()).toBeGreaterThan(before);
    await gateway.stop();
    expect(ended()).toEqual(wholeOrder);
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
    await expect.poll(listening).toBe(before - 1);
  });

  it('leaves nothing running when its doors cannot be built after the simulator opened', async () => {
    const before = running();
    const { start, began, ended, failures } = gatewayWith({}, { trustedProxies: ['no address'] });
    await expect(start()).rejects.toThrow('no address');
    expect(began()).toEqual([]);
    expect(ended()).toEqual(wholeOrder.filter((name) => name !== 'server'));
    expect(failures()).toEqual([]);
    await expect.poll(running).toEqual(before);
  });

  it('leaves nothing running when it fails last of all, with every part started', async () => {
    const before = running();
    const email = { adminEmail: 'a@example.org', adminPasswordFile: join(newFolder(), 'missing') };
    const { start, began, ended, failures } = gatewayWith({}, email);
    await expect(start()).rejects.toMatchObject({ code: 'ENOENT' });
    expect(began()).toEqual(startedInOrder);
    expect(ended()).toEqual(wholeOrder);
    expect(failures()).toEqual([]);
    await expect.poll(running).toEqual(before);
  });

  it('closes what it had opened when a part cannot open', async () => {
    const folder = newFolder();
    const file = join(folder, 'no-certificate.pem');
    writeFileSync(file, 'this is no certificate');
    const { start, ended } = gatewayWith({ HELIO_TLS_CERT: file, HELIO_TLS_KEY: file });
    await expect(start()).rejects.toThrow();
    expect(ended().slice(-4)).toEqual(['media store', 'file stores', 'egress policy', 'store']);
  });
});
