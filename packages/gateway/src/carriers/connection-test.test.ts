/**
 * Tests of a carrier's connection: each step reported, the carrier's own words in a refusal, a peer that hangs, a peer
 * that is absent; never a message.
 */
import { createServer, type Server } from 'node:net';
import { status } from '@heliograph/smpp';
import { afterEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../test/props/chance.ts';
import { movedClock, until } from '../../../../test/props/clock.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock } from '../kernel/machine.ts';
import { type CarrierRecord, noRecords } from '../model/records.ts';
import { judgeCarrier } from '../subjects/records/form.ts';
import { sealer } from '../subjects/records/records-fixture.ts';
import { testConnection } from './connection-test.ts';
import { openSmpp, type SmppUnderTest } from './smpp/smpp-fixture.ts';

let subject: SmppUnderTest | null = null;
let silent: Server | null = null;
afterEach(async () => {
  await subject?.close();
  await new Promise<void>((resolve) => (silent === null ? resolve() : silent.close(() => resolve())));
  subject = null;
  silent = null;
});

const deps = () => ({ clock: subject!.clock, random: steadyRandom(), logger: silentLogger });
const shown = (steps: { step: string; ok: boolean }[]) => steps.map(({ step, ok }) => `${ok ? 'ok' : 'no'} ${step}`);

describe('trying an SMPP carrier', () => {
  it('opens, binds and unbinds each way of binding', async () => {
    subject = await openSmpp({ bindMode: 'transmitter+receiver' });
    const { record } = subject;
    const steps = await testConnection(record, deps());
    const at = `${record.smpp.host}:${record.smpp.port}`;
    expect(shown(steps)).toEqual([
      ...[`ok Open a connection to ${at}`, `ok bind_transmitter as ${record.smpp.system_id}`, 'ok unbind'],
      ...[`ok Open a connection to ${at}`, `ok bind_receiver as ${record.smpp.system_id}`, 'ok unbind'],
    ]);
    expect(subject.peer.submits).toEqual([]);
    await until(() => subject!.peer.sessions.size === 0);
  });

  it("reports a refusal in the carrier's words, and does not bind again", async () => {
    subject = await openSmpp();
    subject.peer.bindStatus = status.ESME_RINVPASWD;
    const steps = await testConnection(subject.record, deps());
    expect(steps.at(-1)).toMatchObject({ ok: false, detail: 'refused: ESME_RINVPASWD' });
    expect(subject.peer.binds).toBe(1);
  });

  it('says that nobody is there', async () => {
    subject = await openSmpp();
    const { record } = subject;
    const steps = await testConnection({ ...record, smpp: { ...record.smpp, port: 1 } } as CarrierRecord, deps());
    expect(steps).toMatchObject([{ ok: false, detail: expect.stringContaining('ECONNREFUSED') }]);
  });

  it('waits no longer than a person does for a peer that says nothing', async () => {
    const clock = movedClock();
    silent = createServer((socket) => socket.on('error', () => {}).resume());
    await new Promise<void>((resolve) => silent!.listen(0, '127.0.0.1', () => resolve()));
    const { port } = silent.address() as { port: number };
    let connected = 0;
    silent.on('connection', () => connected++);
    subject = await openSmpp();
    const { smpp } = subject.record;
    const record = { ...subject.record, smpp: { ...smpp, port, responseTimeoutMs: 60_000 } };
    const testing = testConnection(record, { clock, random: steadyRandom(), logger: silentLogger });
    await until(() => connected === 1);
    let steps: Awaited<typeof testing> | null = null;
    void testing.then((found) => {
      steps = found;
    });
    await until(() => {
      clock.pass(5_000);
      return steps !== null;
    });
    expect(steps).toMatchObject([{ ok: true }, { ok: false, detail: 'the connection ended: bind_timeout' }]);
  });
});

describe('trying an MMS carrier', () => {
  const clock = machineClock;
  const machine = { clock, random: steadyRandom(), logger: silentLogger };
  const commands: string[] = [];

  /** Answers each line of an SMTP client; with a 4yz `greeting` it says that it is busy. */
  async function smtpPeer(greeting = '220 peer'): Promise<number> {
    commands.length = 0;
    silent = createServer((socket) => {
      socket.on('error', () => {}).write(`${greeting}\r\n`);
      socket.on('data', (bytes) => {
        const line = bytes.toString().trim();
        commands.push(line.split(' ')[0]!);
        socket.write(line.startsWith('QUIT') ? '221 bye\r\n' : '250 peer\r\n');
        if (line.startsWith('QUIT')) socket.end();
      });
    });
    await new Promise<void>((resolve) => silent!.listen(0, '127.0.0.1', () => resolve()));
    return (silent.address() as { port: number }).port;
  }
  const mm4 = (port: number, more: object = {}) =>
    recordOf({
      id: 'm',
      kind: 'mm4',
      host: '127.0.0.1',
      port,
      domain: 'a.example',
      ownDomain: 'b.example',
      tls: 'none',
      ...more,
    });

  it('over MM4 says EHLO and QUIT, and nothing between', async () => {
    const port = await smtpPeer();
    const steps = await testConnection(mm4(port), machine);
    expect(shown(steps)).toEqual([`ok Connect to 127.0.0.1:${port}, EHLO`, 'ok QUIT']);
    await until(() => commands.includes('QUIT'));
    expect(commands).toEqual(['EHLO', 'QUIT']);
  });

  it("over MM4 reports the peer's refusal, and a missing TLS", async () => {
    const refused = await testConnection(mm4(await smtpPeer('554 go away')), machine);
    expect(refused).toMatchObject([{ ok: false, detail: expect.stringContaining('554') }]);
    await new Promise<void>((resolve) => silent!.close(() => resolve()));
    const bare = await testConnection(mm4(await smtpPeer(), { tls: 'starttls' }), machine);
    expect(bare).toMatchObject([{ ok: false }]);
  });

  it('over MM7 opens a connection, and says when nobody is there', async () => {
    const port = await smtpPeer();
    const mm7 = (at: number) => recordOf({ id: 'm', kind: 'mm7', url: `http://127.0.0.1:${at}/mm7` });
    expect(shown(await testConnection(mm7(port), machine))).toEqual([
      `ok Open a connection to 127.0.0.1:${port}`,
      'ok Close',
    ]);
    expect(commands).toEqual([]);
    expect(await testConnection(mm7(1), machine)).toMatchObject([
      { ok: false, detail: expect.stringContaining('ECONNREFUSED') },
    ]);
  });
});

function recordOf(form: object): CarrierRecord {
  const judged = judgeCarrier({ ...form }, { onRecord: noRecords(), sealer });
  if (!judged.ok) throw new Error(JSON.stringify(judged.fields));
  return judged.record;
}
