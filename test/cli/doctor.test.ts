/** `helio doctor` beside a gateway, without one, and where another program has its port. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runHelio } from '../../packages/gateway/src/cli/program.ts';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { otherCertificate, otherKey, testCertificate, testKey } from '../../packages/gateway/src/http/tls-fixture.ts';
import { type Gateway, spawnGateway } from '../props/gateway.ts';
import { writeLiveRecords } from '../props/live-records.ts';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'helio-doctor-'));
let gateway: SandboxGateway;
beforeAll(async () => {
  gateway = await startSandbox();
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Found {
  what: string;
  ok: boolean;
  detail: string;
  fix: string | null;
}

async function doctor(port: number, more: Record<string, string> = {}) {
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const env = { PORT: String(port), HELIO_HOST: '127.0.0.1', HELIO_DATA: gateway.dataDir, ...more };
  const exitCode = await runHelio(['doctor', '--json'], { out: write, error: write, env });
  return { exitCode, findings: JSON.parse(out) as Found[] };
}

const named = (findings: Found[], what: string) => findings.find((one) => one.what === what);

describe('helio doctor', () => {
  it('finds no problem beside a running gateway', async () => {
    const { exitCode, findings } = await doctor(gateway.gateway.port);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(findings.map(({ what }) => what).filter((what) => !what.startsWith('Carrier '))).toEqual([
      ...['Node', 'Data folder', 'Disk', 'Gateway', 'Clock', 'Sandbox'],
    ]);
    const carriers = findings.filter(({ what }) => what.startsWith('Carrier '));
    expect(carriers.length).toBeGreaterThan(0);
    for (const { detail } of carriers) expect(detail).toBe('connected');
    expect(JSON.stringify(findings)).not.toContain(gateway.credentials.authToken);
  });

  it('finds the gateway of the data folder at another port than the settings here name', async () => {
    const port = await freePort();
    const { exitCode, findings } = await doctor(port);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(exitCode).toBe(0);
    const url = `http://localhost:${gateway.gateway.port}`;
    expect(named(findings, 'Gateway')?.detail).toBe(`ready at ${url} (PORT is ${port} here)`);
    expect(named(findings, 'Sandbox')?.detail).toContain('credentials work');
  });

  it('says that none is running, and what would start one', async () => {
    const { exitCode, findings } = await doctor(await freePort(), { HELIO_DATA: join(folder, 'none') });
    expect(exitCode).toBe(1);
    expect(named(findings, 'Gateway')).toMatchObject({ ok: false, fix: 'npm start' });
  });

  it('reports another program on the port or on the public address', async () => {
    const other = createServer((request) => request.socket.destroy());
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const publicUrl = `http://127.0.0.1:${await freePort()}`;
    const env = { HELIO_PUBLIC_URL: publicUrl, HELIO_DATA: join(folder, 'none') };
    const { exitCode, findings } = await doctor(port, env);
    other.close();
    expect(exitCode).toBe(1);
    expect(named(findings, 'Gateway')?.detail).toContain('taken by another program');
    expect(named(findings, 'Public URL')).toMatchObject({
      ok: false,
      detail: `${publicUrl} does not answer from here`,
    });
  });

  it('shows no carriers without the gateway’s secret key, and creates no key', async () => {
    const dataDir = join(folder, 'other');
    const { findings } = await doctor(gateway.gateway.port, { HELIO_DATA: dataDir, HELIO_SANDBOX: '0' });
    expect(named(findings, 'Carriers')).toMatchObject({ ok: false, detail: expect.stringContaining('secret key') });
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('helio doctor beside a gateway with its own certificate', () => {
  let own: Gateway;
  let smscPort: number;
  const certFile = () => join(folder, 'cert.pem');
  const keyFile = () => join(folder, 'key.pem');
  const tls = () => ({ HELIO_TLS_CERT: certFile(), HELIO_TLS_KEY: keyFile() });
  const dataDir = () => join(folder, 'data');
  const settings = () => ({ ...tls(), HELIO_DATA: dataDir(), HELIO_SANDBOX: '0' });

  beforeAll(async () => {
    writeFileSync(certFile(), testCertificate);
    writeFileSync(keyFile(), testKey, { mode: 0o600 });
    smscPort = await freePort();
    const recordsFile = join(folder, 'records.json');
    writeLiveRecords(recordsFile, { smscPort, window: 10, uncertainPolicy: 'resend', receipts: false });
    own = await spawnGateway({ folder, recordsFile, env: { ...tls(), HELIO_LOG: 'info' } });
    await vi.waitFor(() => expect(own.stderr()).toContain('"msg":"started"'), { timeout: 60_000, interval: 50 });
  });
  afterAll(() => own?.kill());

  it('recognises it, and names the carrier that is down with its last error', async () => {
    const { exitCode, findings } = await doctor(own.port, settings());
    expect(exitCode).toBe(1);
    expect(named(findings, 'Gateway')).toMatchObject({ ok: true, detail: `ready at https://localhost:${own.port}` });
    const [carrier] = findings.filter(({ what }) => what.startsWith('Carrier '));
    expect(carrier).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^not connected since 20.*ECONNREFUSED/),
    });
  });

  it('does not take it for another program when its settings name no certificate', async () => {
    const { findings } = await doctor(own.port, { HELIO_DATA: dataDir(), HELIO_SANDBOX: '0' });
    expect(named(findings, 'Gateway')?.detail).toBe(`port ${own.port} speaks https, and no certificate is set here`);
  });

  it('distinguishes another certificate from another program, and gets the new one once it is renewed', async () => {
    const old = certFile();
    writeFileSync(old, otherCertificate);
    const { findings } = await doctor(own.port, settings());
    expect(named(findings, 'Gateway')?.detail).toMatch(/another certificate than HELIO_TLS_CERT holds|does not count/);
    writeFileSync(keyFile(), otherKey);
    await expect.poll(async () => named((await doctor(own.port, settings())).findings, 'Gateway')?.ok).toBe(true);
    expect(own.stderr()).toContain('the certificate was renewed and is served');
  });

  it('has a log line for the carrier that was never reached', async () => {
    await expect.poll(() => own.stderr()).toContain('a carrier cannot be reached');
  });
});
