/** `helio doctor`: beside a gateway, without one, and where another program has its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHelio } from '../../packages/gateway/src/cli/program.ts';
import { freePort } from '../props/free-port.ts';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

let gateway: SandboxGateway;
beforeAll(async () => {
  gateway = await startSandbox();
});
afterAll(() => gateway?.stop());

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
  it('finds nothing beside a running gateway', async () => {
    const { exitCode, findings } = await doctor(gateway.gateway.port);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(exitCode).toBe(0);
    expect(findings.map(({ what }) => what)).toEqual(['Node', 'Data folder', 'Disk', 'Gateway', 'Clock', 'Sandbox']);
    expect(JSON.stringify(findings)).not.toContain(gateway.credentials.authToken);
  });

  it('says that none is running, and what would start one', async () => {
    const { exitCode, findings } = await doctor(await freePort());
    expect(exitCode).toBe(1);
    expect(named(findings, 'Gateway')).toMatchObject({ ok: false, fix: 'npm start' });
  });

  it('tells a program that has the port, or is in the way of the public address', async () => {
    const other = createServer((request) => request.socket.destroy());
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const publicUrl = `http://127.0.0.1:${await freePort()}`;
    const { exitCode, findings } = await doctor(port, { HELIO_PUBLIC_URL: publicUrl });
    other.close();
    expect(exitCode).toBe(1);
    expect(named(findings, 'Gateway')?.detail).toContain('taken by another program');
    expect(named(findings, 'Public URL')).toMatchObject({
      ok: false,
      detail: `${publicUrl} does not answer from here`,
    });
  });
});
