/** The test SMSC against an independent client, and against bytes no client would send. */
import { createRequire } from 'node:module';
import { createConnection } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { commandIds, pduBytes } from './pdu-bytes.ts';
import { type Smsc, type SmscOptions, startSmsc } from './smsc.ts';

interface Pdu {
  command: string;
  command_status: number;
  message_id?: string;
  short_message?: { message: string };
  esm_class?: number;
  response(): Pdu;
}
interface PeerSession {
  bind_transceiver(fields: object, answered: (pdu: Pdu) => void): void;
  submit_sm(fields: object, answered: (pdu: Pdu) => void): void;
  enquire_link(answered: (pdu: Pdu) => void): void;
  unbind(answered: (pdu: Pdu) => void): void;
  send(pdu: Pdu): void;
  on(event: string, listener: (pdu: Pdu) => void): void;
  close(): void;
  destroy(): void;
}
const peer = createRequire(import.meta.url)('smpp') as { connect(options: object): PeerSession };

let smsc: Smsc;
const sessions: PeerSession[] = [];

afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await smsc.stop();
});

async function bound(options: SmscOptions): Promise<PeerSession> {
  smsc = await startSmsc(options);
  const session = peer.connect({ url: `smpp://127.0.0.1:${smsc.port}`, auto_enquire_link_period: 60_000 });
  sessions.push(session);
  session.on('error', () => {});
  await new Promise<Pdu>((resolve) => session.bind_transceiver({ system_id: 'a', password: 'b' }, resolve));
  return session;
}

const submit = (session: PeerSession, fields: object, answered: () => void = () => {}) =>
  new Promise<Pdu>((resolve) => {
    session.submit_sm({ source_addr: '12025550142', registered_delivery: 1, ...fields }, (pdu) => {
      answered();
      resolve(pdu);
    });
  });

describe('the test SMSC', () => {
  it('accepts a submit_sm and lists destination and text, GSM and UCS-2', async () => {
    const session = await bound({});
    const first = await submit(session, { destination_addr: '40000000001', short_message: 'plain' });
    await submit(session, { destination_addr: '40000000001', short_message: 'żółw' });
    expect(first.command_status).toBe(0);
    expect(first.message_id).toMatch(/^[0-9a-f]{8}$/);
    expect(smsc.accepted.map(({ text }) => text)).toEqual(['plain', 'żółw']);
    expect(smsc.copies.get('40000000001')).toBe(2);
  });

  it('answers enquire_link and unbind', async () => {
    const session = await bound({});
    expect((await new Promise<Pdu>((resolve) => session.enquire_link(resolve))).command).toBe('enquire_link_resp');
    expect((await new Promise<Pdu>((resolve) => session.unbind(resolve))).command).toBe('unbind_resp');
  });

  it.each(['before', 'after'] as const)(
    'sends the receipt %s the response, and again when it is refused',
    async (receipts) => {
      const session = await bound({ behaviour: { receipts } });
      const order: string[] = [];
      const twice = new Promise<void>((resolve) => {
        session.on('deliver_sm', (pdu) => {
          order.push(pdu.short_message!.message.slice(0, 11));
          const response = pdu.response();
          response.command_status = order.filter((entry) => entry.startsWith('id:')).length === 1 ? 0x8 : 0;
          session.send(response);
          if (response.command_status === 0) resolve();
        });
      });
      // In the callback itself: both may arrive in one piece, and a promise settles only after it.
      const answer = submit(session, { destination_addr: '40000000001', short_message: 'x' }, () =>
        order.push('response'),
      );
      await Promise.all([answer, twice]);
      await expect.poll(() => smsc.counts().receiptsAcknowledged).toBe(1);
      const receipt = `id:${(await answer).message_id}`;
      expect(order).toEqual(receipts === 'before' ? [receipt, 'response', receipt] : ['response', receipt, receipt]);
    },
  );

  it('says that every Nth text did not arrive, and has every Nth handset reply until the reply is taken', async () => {
    const session = await bound({ behaviour: { receipts: 'after', undeliveredEvery: 2, replyEvery: 3 } });
    const words: string[] = [];
    session.on('deliver_sm', (pdu) => {
      const { message } = pdu.short_message!;
      words.push(/stat:(\w+)/.exec(message)?.[1] ?? `${pdu.esm_class} ${message}`);
      const response = pdu.response();
      // The first time the reply comes it is refused.
      const isFirst = words.filter((word) => word.includes('reply')).length === 1;
      if (message.startsWith('reply') && isFirst) response.command_status = 0x14;
      session.send(response);
    });
    for (const last of [1, 2, 3]) await submit(session, { destination_addr: `4000000000${last}` });
    await expect.poll(() => [...smsc.repliesTaken]).toEqual(['reply to 00000003']);
    const reply = '0 reply to 00000003';
    expect(words).toEqual(['DELIVRD', 'UNDELIV', 'DELIVRD', reply, reply]);
    expect(smsc.counts().receiptsAcknowledged).toBe(3);
  });

  it('throttles every Nth and drops every Nth, counting the dropped one as accepted only when set so', async () => {
    const session = await bound({ behaviour: { throttleEvery: 2, dropEvery: 3, unansweredAccepted: false } });
    expect((await submit(session, { destination_addr: '40000000001' })).command_status).toBe(0);
    expect((await submit(session, { destination_addr: '40000000002' })).command_status).toBe(0x58);
    const closed = new Promise<void>((resolve) => session.on('close', () => resolve()));
    session.submit_sm({ destination_addr: '40000000003' }, () => {});
    await closed;
    expect([...smsc.copies.keys()]).toEqual(['40000000001']);
  });

  it('does not answer when mute and reports how many are unanswered', async () => {
    const session = await bound({ behaviour: { mute: true } });
    for (let i = 0; i < 5; i++) session.submit_sm({ destination_addr: `4000000000${i}` }, () => {});
    await expect.poll(() => smsc.counts().accepted).toBe(5);
    expect(smsc.counts().unansweredMax).toBe(5);
  });

  it('refuses a submit_sm before a bind, nacks an unknown command and closes on a length no PDU has', async () => {
    smsc = await startSmsc();
    const socket = createConnection(smsc.port, '127.0.0.1');
    const answers: number[] = [];
    socket.on('data', (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
        answers.push(bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 8));
    });
    socket.write(pduBytes(commandIds.submit_sm, 0, 1, Buffer.alloc(0)));
    socket.write(pduBytes(0xff, 0, 2, Buffer.alloc(0)));
    socket.write(Buffer.from([0, 0, 0, 3]));
    await new Promise((resolve) => socket.on('close', resolve));
    expect(answers).toEqual([0x80000004, 0x4, commandIds.generic_nack, 0x3, commandIds.generic_nack, 0x2]);
  });
});
