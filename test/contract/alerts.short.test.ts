/**
 * Alerts of a whole gateway: planted outages are reported to the operator's endpoint, signed, and by mail. The rules
 * are short, so that the test need not wait for minutes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, type TestContext } from 'vitest';
import { runHelio } from '../../packages/gateway/src/cli/program.ts';
import { certificateKey, expiredCertificate } from '../../packages/smpp/src/tls-samples.ts';
import { type Gateway, spawnGateway, startGateway } from '../props/gateway.ts';
import { liveCaller } from '../props/live-records.ts';
import { openMailbox } from '../props/mailbox.ts';
import { startSandbox } from '../props/sandbox.ts';
import { openScene, type Scene, type SceneOptions } from '../props/scene.ts';
import { goodBehaviour, startSmsc } from '../props/smsc.ts';

const withinMs = 60_000;
const operator = 'ops@example.com';
const password = 'seven otters fold maps at dusk';

/** Rules that fire almost at once; most of them never fire in these tests. */
const rules = [
  { id: 'link', forSeconds: 1 },
  { id: 'backlog', limit: 5, forSeconds: 1 },
  { id: 'errors', limit: 50, forSeconds: 1 },
  { id: 'disk', limit: 1, forSeconds: 1 },
];

interface Received {
  /** `webhook-id`. */
  id: string;
  type: string;
  data: Record<string, unknown>;
  genuine: boolean;
}

/** A receiver of webhooks that checks signatures with the reference library. */
async function receiver({ onTestFinished }: TestContext) {
  const received: Received[] = [];
  const trusted: { webhook: Webhook | null } = { webhook: null };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      let genuine = true;
      try {
        trusted.webhook!.verify(body, request.headers as Record<string, string>);
      } catch {
        genuine = false;
      }
      const { type, data } = JSON.parse(body) as Received;
      const id = String(request.headers['webhook-id']);
      // A gateway stopped before it recorded the answer sends the same event again.
      if (!received.some((one) => one.id === id)) received.push({ id, type, data, genuine });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, received, trusted };
}

async function mailServer({ onTestFinished }: TestContext) {
  const mailbox = await openMailbox();
  onTestFinished(() => mailbox.close());
  return { mails: mailbox.taken, url: `smtp://127.0.0.1:${mailbox.port}` };
}

interface Start {
  scene?: Partial<SceneOptions>;
  rules?: object[];
  env?: Record<string, string>;
  /** The carrier uses TLS with an expired certificate, which the gateway is configured to accept. */
  tls?: boolean;
}

function operatorEnv(folder: string): Record<string, string> {
  const file = join(folder, 'password');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  return { HELIO_ADMIN_EMAIL: operator, HELIO_ADMIN_PASSWORD_FILE: file, HELIO_ALLOW_PRIVATE_URLS: '1' };
}

/** A gateway with an operator whose company has an endpoint for alerts. */
async function start(test: TestContext, options: Start = {}) {
  const { onTestFinished } = test;
  const scene = await openScene({ window: 10, ...options.scene });
  onTestFinished(() => scene.close());
  const { gatewayOptions } = scene;
  const file = gatewayOptions.recordsFile!;
  const records = JSON.parse(readFileSync(file, 'utf8')) as { carriers: object[] };
  const tls = options.tls ? { tls: true, tlsVerify: false, port: await tlsBefore(test, scene.smsc.port) } : {};
  const carriers = records.carriers.map((one) => ({ ...one, ...tls }));
  writeFileSync(file, JSON.stringify({ ...records, carriers, alerts: options.rules ?? rules }));
  const [hook, smtp] = [await receiver(test), await mailServer(test)];
  const env = {
    ...operatorEnv(scene.folder),
    ...{ HELIO_SMTP_URL: smtp.url, HELIO_SMTP_FROM: 'gateway@example.com' },
    ...options.env,
  };
  const begin = async () => {
    const started = await startGateway({ ...gatewayOptions, env });
    onTestFinished(() => started.kill());
    return started;
  };
  const gateway = await begin();
  const made = await call(gateway, '/api/v1/endpoints', { url: hook.url, types: null });
  hook.trusted.webhook = new Webhook(made.data.secret);
  return { scene, gateway, begin, hook, mails: smtp.mails };
}

async function call({ port }: Gateway, path: string, body: object) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}?apikey=${liveCaller.authToken}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${liveCaller.bearerToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  return (await answer.json()) as any;
}

const send = (gateway: Gateway, count: number) =>
  call(gateway, '/SendSMS', {
    from: liveCaller.from,
    to: Array.from({ length: count }, (_, i) => `1415555${String(1_000 + i)}`),
    text: 'Hi',
  });

const alertsIn = (received: Received[]) =>
  received.filter(({ type }) => type.startsWith('alert.')).map(({ type, data }) => `${type} ${String(data.state)}`);

/** Concurrent, because these tests mostly wait. */
describe.concurrent('the operator is notified', { timeout: 240_000 }, () => {
  it('of a carrier that was killed, once over a restart of the gateway, and of its return', async (test) => {
    const { scene, gateway, begin, hook, mails } = await start(test);
    await scene.smsc.stop();
    await test.expect.poll(() => alertsIn(hook.received), { timeout: withinMs }).toEqual(['alert.link firing']);
    const [alert] = hook.received;
    expect(alert).toMatchObject({
      genuine: true,
      data: { carrierId: 'smsc', environment: 'live', value: 100, limit: 100, unit: 'percent', resolvedAt: null },
    });
    await test.expect.poll(() => mails, { timeout: withinMs }).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: [operator], text: expect.stringContaining('smsc cannot be reached') });
    await gateway.stop();
    const again = await begin();
    // Long enough for a second alert, if there were one.
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    expect(alertsIn(hook.received)).toEqual(['alert.link firing']);
    expect(mails).toHaveLength(1);
    const back = await startSmsc({ port: scene.smsc.port });
    test.onTestFinished(() => back.stop());
    await test.expect
      .poll(() => alertsIn(hook.received), { timeout: 120_000 })
      .toEqual(['alert.link firing', 'alert.link resolved']);
    expect(hook.received.every(({ genuine }) => genuine)).toBe(true);
    await test.expect.poll(() => mails, { timeout: withinMs }).toHaveLength(2);
    await again.stop();
  });

  it('of messages that wait for a carrier that answers nothing', async (test) => {
    const behaviour = { ...goodBehaviour, responseDelayMs: 600_000 };
    const { gateway, hook } = await start(test, { scene: { behaviour, responseTimeoutMs: 120_000 } });
    await send(gateway, 40);
    await test.expect.poll(() => alertsIn(hook.received), { timeout: withinMs }).toEqual(['alert.backlog firing']);
    expect(hook.received[0]!.data.detail).toMatch(/^The oldest message for carrier smsc has been due for \d+ s/);
  });

  it('of a disk with less than the limit, and of its end when the limit is lowered', async (test) => {
    const { scene, hook, mails } = await start(test, { rules: [{ id: 'disk', limit: 100_000_000, forSeconds: 1 }] });
    await test.expect.poll(() => alertsIn(hook.received), { timeout: withinMs }).toEqual(['alert.disk firing']);
    expect(hook.received[0]).toMatchObject({ genuine: true, data: { carrierId: null, unit: 'megabytes' } });
    await test.expect.poll(() => mails, { timeout: withinMs }).toHaveLength(1);
    const file = join(scene.folder, 'lower.json');
    writeFileSync(file, JSON.stringify({ alerts: [{ id: 'disk', limit: 1 }] }));
    expect(await helio(scene, 'apply', file)).toContain('~ alert disk limit: 100000000 → 1\n');
    await test.expect
      .poll(() => alertsIn(hook.received), { timeout: 2 * withinMs })
      .toEqual(['alert.disk firing', 'alert.disk resolved']);
    expect(hook.received[1]!.data).toMatchObject({ alertId: hook.received[0]!.data.alertId, state: 'resolved' });
  });

  it('of a carrier whose certificate has expired', async (test) => {
    const { received } = (await start(test, { tls: true })).hook;
    await test.expect.poll(() => alertsIn(received), { timeout: withinMs }).toEqual(['alert.certificate firing']);
    expect(received[0]!.data).toMatchObject({
      carrierId: 'smsc',
      detail: 'The certificate of carrier smsc expired on 2020-01-02.',
    });
  });

  it('of a simulated carrier that refuses what it is handed', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'helio-alerts-'));
    test.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const hook = await receiver(test);
    const sandbox = await startSandbox({ records: { alerts: rules }, env: operatorEnv(folder) });
    test.onTestFinished(() => sandbox.stop());
    const made = await sandbox.post('/api/v1/endpoints', { url: hook.url, types: ['alert.errors', 'alert.link'] });
    hook.trusted.webhook = new Webhook(made.json.data.secret);
    for (let i = 0; i < 25; i++) await sandbox.text('12025550113', `Refused ${i}`);
    await test.expect.poll(() => alertsIn(hook.received), { timeout: withinMs }).toEqual(['alert.errors firing']);
    expect(hook.received[0]).toMatchObject({
      genuine: true,
      data: { environment: 'sandbox', value: 100, limit: 50, unit: 'percent' },
    });
  });

  it('of nothing while all is well', async (test) => {
    const { gateway, hook, mails } = await start(test, { scene: { receipts: true, behaviour: { receipts: 'after' } } });
    for (let i = 0; i < 4; i++) {
      await send(gateway, 50);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
    }
    expect([alertsIn(hook.received), mails]).toEqual([[], []]);
    expect(hook.received.length).toBeGreaterThan(0);
  });

  it('that the certificate of the gateway itself has expired, also on its command line', async (test) => {
    const scene = await openScene({ window: 10 });
    test.onTestFinished(() => scene.close());
    const files = { HELIO_TLS_CERT: join(scene.folder, 'cert.pem'), HELIO_TLS_KEY: join(scene.folder, 'key.pem') };
    writeFileSync(files.HELIO_TLS_CERT, expiredCertificate);
    writeFileSync(files.HELIO_TLS_KEY, certificateKey, { mode: 0o600 });
    const gateway = await spawnGateway({ ...scene.gatewayOptions, env: files });
    test.onTestFinished(() => gateway.kill());
    const firing = () => helio(scene, 'alerts');
    const line = 'fires  certificate  The certificate of this gateway expired on 2020-01-02.';
    await test.expect.poll(firing, { timeout: withinMs, interval: 500 }).toContain(line);
  });
});

/** Runs a command beside the gateway of the scene; resolves with its output. */
async function helio({ gatewayOptions: { folder } }: Scene, ...args: string[]): Promise<string> {
  const out: string[] = [];
  const terminal = {
    out: (text: string) => void out.push(text),
    error: (text: string) => void out.push(text),
    env: { HELIO_DATA: join(folder, 'data') },
  };
  await runHelio(args, terminal);
  return out.join('');
}

/** A TLS proxy in front of a carrier, with an expired certificate. */
async function tlsBefore({ onTestFinished }: TestContext, port: number): Promise<number> {
  const server = createTlsServer({ cert: expiredCertificate, key: certificateKey }, (socket) => {
    const inner = connect(port, '127.0.0.1');
    for (const one of [socket, inner]) one.on('error', () => {});
    socket.pipe(inner).pipe(socket);
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
