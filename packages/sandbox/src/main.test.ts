/** `heliograph-sandbox` as people start it: a process, an independent SMPP client, MM7 and MM4, handsets over HTTP. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Mm4ForwardReq, Mm7DeliverReq } from '@heliograph/mms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../test/props/clock.ts';
import type { HandsetMessage } from './handsets.ts';
import { forwardReq, from, gatewayFor, picture, postMm7, sendMm4, submitReq } from './mms-fixture.ts';

/** The part of the peer's untyped interface that these tests use. */
type PeerPdu = {
  command: string;
  command_status: number;
  source_addr: string;
  short_message: { message: string };
  response(): PeerPdu;
};
type PeerSession = {
  on(event: string, listener: (pdu: PeerPdu) => void): void;
  send(pdu: PeerPdu): void;
  destroy(): void;
} & { [command: string]: (options: object, onResponse: (pdu: PeerPdu) => void) => void };
const peer = createRequire(import.meta.url)('smpp') as {
  connect(options: { host: string; port: number }, onConnect: () => void): PeerSession;
};

const command = fileURLToPath(new URL('../bin/heliograph-sandbox.js', import.meta.url));
const freePorts = ['--smpp-port', '0', '--mm7-port', '0', '--mm4-port', '0', '--http-port', '0'];
const phone = '12025550100';
const rejecting = '12025550113';

interface Started {
  child: ChildProcess;
  output(): string;
  smppPort: number;
  mm7: { url: string };
  mm4: { host: string; port: number };
  api: string;
}

function launch(args: string[]): { child: ChildProcess; output(): string } {
  const child = spawn(process.execPath, [command, ...args]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  return { child, output: () => output };
}

async function start(args: string[] = []): Promise<Started> {
  const { child, output } = launch([...freePorts, ...args]);
  await until(() => output().includes('/handsets\n') || child.exitCode !== null);
  const found =
    /SMPP +127\.0\.0\.1:(\d+)[\s\S]*MM7 +(\S+)[\s\S]*MM4 +127\.0\.0\.1:(\d+)[\s\S]*handsets +(\S+)\/handsets/;
  const [, smpp, url, mm4, api] = found.exec(output()) ?? [];
  if (api === undefined) throw new Error(`it did not start: ${output()}`);
  return {
    child,
    output,
    smppPort: Number(smpp),
    mm7: { url: url! },
    mm4: { host: '127.0.0.1', port: Number(mm4) },
    api,
  };
}

/** The exit code. */
async function ended({ child }: { child: ChildProcess }): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function bound(port: number, password = 'sandbox', system_id = 'heliograph') {
  const session = await new Promise<PeerSession>((resolve) => {
    const opened: PeerSession = peer.connect({ host: '127.0.0.1', port }, () => resolve(opened));
    opened.on('error', () => {});
  });
  const delivered: PeerPdu[] = [];
  session.on('deliver_sm', (pdu) => {
    delivered.push(pdu);
    session.send(pdu.response());
  });
  const ask = (name: string, fields: object) => new Promise<PeerPdu>((resolve) => session[name]!(fields, resolve));
  const { command_status } = await ask('bind_transceiver', { system_id, password });
  const submit = (destination_addr: string, short_message: string, source_addr = from) =>
    ask('submit_sm', { source_addr, destination_addr, short_message, registered_delivery: 1 });
  return { session, command_status, delivered, submit };
}

let gateway: Awaited<ReturnType<typeof gatewayFor>>;
let sandbox: Started;

beforeAll(async () => {
  gateway = await gatewayFor(() => sandbox);
  sandbox = await start(gateway.options);
});
afterAll(async () => {
  sandbox.child.kill('SIGTERM');
  await ended(sandbox);
  await gateway.stop();
});

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(sandbox.api + path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: JSON.parse((await answer.text()) || 'null') };
}

/** The next message of a handset. */
async function arrival(number: string, after = ''): Promise<HandsetMessage> {
  const { json } = await ask('GET', `/handsets/${number}/messages?waitMs=20000&after=${after}`);
  return (json as HandsetMessage[])[0]!;
}

describe('SMPP', () => {
  it('accepts a text, shows it on the handset, and sends its receipt and a reply', async () => {
    const { session, command_status, delivered, submit } = await bound(sandbox.smppPort);
    expect(command_status).toBe(0);
    expect(await submit(phone, 'Hi there')).toMatchObject({ command: 'submit_sm_resp', command_status: 0 });
    expect(await arrival(phone)).toMatchObject({ from, to: phone, text: 'Hi there', via: 'smpp', kind: 'SMS' });
    await until(() => delivered.length === 1);
    expect(delivered[0]!.short_message.message).toMatch(/^id:\S+ .*stat:DELIVRD err:000/);
    const reply = await ask('POST', `/handsets/${phone}/messages`, { text: 'Yes, hello' });
    expect(reply).toMatchObject({ status: 202, json: { to: from, messageType: 'SMS', parts: 1 } });
    await until(() => delivered.length === 2);
    expect(delivered[1]).toMatchObject({ source_addr: phone, short_message: { message: 'Yes, hello' } });
    await until(() => sandbox.output().includes(`smpp ← deliver_sm`));
    expect(sandbox.output()).toMatch(new RegExp(`smpp → submit_sm #\\d+ ${from} to ${phone} "Hi there"`));
    session.destroy();
  });

  it('refuses a wrong password, another system_id, and as a test number does', async () => {
    expect((await bound(sandbox.smppPort, 'guess')).command_status).toBe(0x0e);
    expect((await bound(sandbox.smppPort, 'sandbox', 'stranger')).command_status).toBe(0x0f);
    const { session, submit } = await bound(sandbox.smppPort);
    expect((await submit(rejecting, 'x')).command_status).toBe(0x45);
    expect((await submit('Acme', 'x')).command_status).toBe(0x0b);
    session.destroy();
  });

  it('prints no control characters', async () => {
    const { session, submit } = await bound(sandbox.smppPort);
    await submit('12025550104', 'red\u001b[31m', '\u001b[31mX');
    await until(() => sandbox.output().includes('[31mX'));
    expect(sandbox.output()).not.toContain('\u001b');
    session.destroy();
  });

  it('survives garbage', async () => {
    const socket = connect(sandbox.smppPort, '127.0.0.1', () => socket.write(Buffer.alloc(4_096, 0xff)));
    socket.on('error', () => {});
    await once(socket.resume(), 'close');
    expect((await bound(sandbox.smppPort)).command_status).toBe(0);
  });

  it('injects faults, and ends them', async () => {
    const { session, submit } = await bound(sandbox.smppPort);
    expect(await ask('PUT', '/faults', { throttlePerSecond: 0 })).toMatchObject({ json: { throttlePerSecond: 0 } });
    expect((await submit(phone, 'x')).command_status).toBe(0x58);
    expect((await ask('DELETE', '/handsets')).status).toBe(204);
    expect((await submit(phone, 'x')).command_status).toBe(0);
    const closed = new Promise<void>((resolve) => session.on('close', () => resolve()));
    const { json } = await ask('DELETE', '/links');
    expect((json as { dropped: number }).dropped).toBeGreaterThanOrEqual(1);
    await closed;
  });
});

describe('MM7 and MM4', () => {
  const media = [{ contentType: 'image/png', fileName: 'sun.png', base64: picture.bytes.toString('base64') }];

  it('accept a picture over MM7, report on it, and send one back', async () => {
    const handset = '12025550101';
    expect((await postMm7(sandbox, submitReq(1, [handset]))).outcome).toMatchObject({ kind: 'accepted' });
    const { media: got } = await arrival(handset);
    const medium = await fetch(`${sandbox.api}/handsets/${handset}/media/${got[0]!.mediaId}`);
    expect(medium.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await medium.arrayBuffer())).toEqual(picture.bytes);
    await until(() => gateway.mm7.some(({ type }) => type === 'DeliveryReportReq'));
    expect((await ask('POST', `/handsets/${handset}/messages`, { text: 'Mine', media })).json).toMatchObject({
      via: 'mm7',
    });
    await until(() => gateway.mm7.some(({ type }) => type === 'DeliverReq'));
    const { message } = gateway.mm7.find(({ type }) => type === 'DeliverReq') as Mm7DeliverReq;
    expect([message.from, message.to, message.parts.some(({ bytes }) => bytes.equals(picture.bytes))]).toEqual([
      handset,
      [from],
      true,
    ]);
  });

  it('accept one over MM4, answer and report, and send one back', async () => {
    const handset = '12025550102';
    expect(await sendMm4(sandbox, forwardReq(1, handset), handset)).toBe(250);
    expect(await arrival(handset)).toMatchObject({ via: 'mm4', media: [{ contentType: 'image/png' }] });
    await until(() => gateway.mm4.some(({ type }) => type === 'MM4_delivery_report.REQ'));
    expect(gateway.mm4).toContainEqual(expect.objectContaining({ type: 'MM4_forward.RES', requestStatus: 'Ok' }));
    await ask('POST', `/handsets/${handset}/messages`, { media });
    await until(() => gateway.mm4.some(({ type }) => type === 'MM4_forward.REQ'));
    const { message } = gateway.mm4.find(({ type }) => type === 'MM4_forward.REQ') as Mm4ForwardReq;
    expect([message.from, message.to]).toEqual([handset, [from]]);
  });

  it('refuse a wrong password and garbage', async () => {
    const stranger = { authorization: `Basic ${Buffer.from('heliograph:guess').toString('base64')}` };
    expect((await postMm7(sandbox, submitReq(2, [phone]), stranger)).status).toBe(401);
    expect((await postMm7(sandbox, Buffer.from('<what>'))).outcome).not.toMatchObject({ kind: 'accepted' });
    expect(await sendMm4(sandbox, Buffer.from('what?\r\n'))).toBe(554);
  });
});

describe('the control API', () => {
  it.each([
    ['GET', '/elsewhere', 404],
    ['GET', '//', 404],
    ['PATCH', '/faults', 405, {}],
    ['GET', '/handsets/+12025550100/messages', 400],
    ['GET', `/handsets/${phone}/messages?waitMs=-1`, 400],
    ['GET', `/handsets/${phone}/media/none`, 404],
    ['POST', `/handsets/${phone}/messages`, 400, {}],
    ['POST', `/handsets/${phone}/messages`, 400, { text: 'a'.repeat(60_000), to: from }],
    ['POST', '/handsets/12025550142/messages', 409, { text: 'nobody wrote' }],
    ['PUT', `/handsets/${phone}/behaviour`, 400, { power: 'of' }],
    ['PUT', `/handsets/${phone}/behaviour`, 400, { receipt: { outcome: 'DELIVRD', afterMs: -1 } }],
    ['PUT', '/faults', 400, { errorPercnt: 50 }],
    ['PUT', '/faults', 400, []],
  ] as [string, string, number, unknown?][])('%s %s: %i', async (method, path, status, body) => {
    const answer = await ask(method, path, body);
    expect(answer).toMatchObject({ status, json: { error: expect.stringMatching(/^\S.*\.$/) } });
  });

  it.each([
    ['localhost', 200],
    ['LOCALHOST:1', 200],
    ['[::1]:8088', 200],
    ['rebound.example', 421],
  ])('called %j: %i', async (host, status) => {
    const { port } = new URL(sandbox.api);
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host, connection: 'close' };
      get({ host: '127.0.0.1', port, path: '/handsets', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
    expect(answered).toBe(status);
  });

  it('accepts JSON only, and only up to its limits', async () => {
    const post = (body: string, type: string) =>
      fetch(`${sandbox.api}/faults`, { method: 'PUT', headers: { 'content-type': type }, body }).then(
        ({ status }) => status,
      );
    expect(await post('{}', 'text/plain')).toBe(415);
    expect(await post('{', 'application/json')).toBe(400);
    expect(await post(`"${'a'.repeat(9 * 1024 * 1024)}"`, 'application/json').catch(() => 413)).toBe(413);
  });

  it('stores the behaviour of a handset', async () => {
    const wanted = { power: 'off', autoReply: { text: 'Away' } };
    const settings = { power: 'off', inbox: 'space', receipt: null, autoReply: { text: 'Away', afterMs: 1_000 } };
    expect(await ask('PUT', `/handsets/12025550103/behaviour`, wanted)).toEqual({ status: 200, json: settings });
    expect((await ask('GET', `/handsets/12025550103/behaviour`)).json).toEqual(settings);
  });
});

describe('the process', () => {
  it('ends at SIGTERM, despite open connections', async () => {
    const own = await start(['--quiet']);
    const { session } = await bound(own.smppPort);
    const waiting = fetch(`${own.api}/handsets/${phone}/messages?waitMs=60000`).catch(() => null);
    own.child.kill('SIGTERM');
    expect(await ended(own)).toBe(0);
    await waiting;
    session.destroy();
  });

  it('warns when other machines can reach it', async () => {
    const open = launch([...freePorts, '--host', '0.0.0.0']);
    await until(() => open.output().includes('There is no login') || open.child.exitCode !== null);
    open.child.kill('SIGTERM');
    expect(await ended(open)).toBe(0);
    expect(open.output()).toContain('anyone who reaches 0.0.0.0 can read and change this sandbox.');
    expect(sandbox.output()).not.toContain('There is no login');
  });

  it('says which port is in use', async () => {
    const second = launch([...freePorts, '--smpp-port', String(sandbox.smppPort)]);
    expect(await ended(second)).toBe(1);
    expect(second.output()).toBe(
      `Cannot listen on port ${sandbox.smppPort} of 127.0.0.1: it is in use. Choose another; 0 takes any free port.\n`,
    );
  });

  it.each([
    ['--smpp-prot', '1', /Unknown option '--smpp-prot'/],
    ['--smpp-port', '99999', /--smpp-port must be a port from 0 to 65535, not "99999"\./],
    ['--password', 'longer than 8', /--password must be 1 to 8 ASCII characters/],
    ['--mm7-to', 'ftp://u:secret@host/', /^--mm7-to must be an http or https URL\. See: heliograph-sandbox --help\n$/],
    ['--mm4-to', 'host', /--mm4-to must be HOST:PORT/],
    ['--mm4-domain', 'localhost', /--mm4-domain must be a domain/],
  ])('says what is wrong with %s %s', async (name, value, sentence) => {
    const wrong = launch([name, value]);
    expect(await ended(wrong)).toBe(64);
    expect(wrong.output()).toMatch(sentence);
  });

  it('explains itself', async () => {
    const helped = launch(['--help']);
    expect(await ended(helped)).toBe(0);
    expect(helped.output()).toContain('Usage: heliograph-sandbox [options]');
  });
});
