/**
 * Two of our adapters as each other's peer: messages, their RES and reports, in both directions at once, over loopback.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock, until } from '../../../../../test/props/clock.ts';
import { freePort } from '../../cli/prove/free-port.ts';
import { testCertificate, testKey } from '../../http/tls-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Carrier } from '../carrier.ts';
import { loadAdapters, mmsSubmission, type RecordingSink, recordingSink } from '../carrier-fixture.ts';
import { deliveryReport, mm4Bytes, mm4Record } from './mm4-fixture.ts';
import { mailPieces, smtpTalk, stuffed } from './peer-fixture.ts';

const openCarrier = await loadAdapters();

const clock = movedClock();
interface Node {
  carrier: Carrier;
  sink: RecordingSink;
}

function node(ownDomain: string, domain: string, ports: { own: number; peer: number }): Node {
  const record = mm4Record(ports.peer, {
    ownDomain,
    domain,
    tls: 'starttls',
    caCertificate: testCertificate,
    acknowledgement: true,
    connections: 2,
    window: 30,
    inbound: { host: '127.0.0.1', port: ports.own, addresses: ['127.0.0.1'], requireTls: true },
  });
  const tls = { cert: testCertificate, key: testKey };
  const carrier = openCarrier(record, { clock, random: steadyRandom(), logger: silentLogger, tls });
  return { carrier, sink: recordingSink() };
}

/** Moves time only for a node that waits to retry: the other's greeting takes real time. */
function stands({ carrier }: Node): boolean {
  const states = carrier.status().binds.map(({ state }) => state);
  if (states.includes('lost')) clock.pass(100);
  return states.every((state) => state === 'reachable');
}

let a: Node;
let b: Node;
beforeAll(async () => {
  const [portOfA, portOfB] = [await freePort(), await freePort()];
  a = node('a.example', 'b.example', { own: portOfA, peer: portOfB });
  b = node('b.example', 'a.example', { own: portOfB, peer: portOfA });
  for (const { carrier, sink } of [a, b]) carrier.start(sink);
  await until(() => stands(a) && stands(b));
});
afterAll(async () => {
  const stopped = Promise.all([a.carrier.stop(0), b.carrier.stop(0)]);
  clock.pass(2_000);
  await stopped;
});

describe('two nodes', () => {
  it('hand each other messages, and each counts as sent when the other has stored it', async () => {
    const pictures = Array.from({ length: 20 }, (_, i) => Buffer.alloc(10_000 + i, i));
    const batch = pictures.map((bytes, i) =>
      mmsSubmission(i, { media: [{ type: 'image/jpeg', sizeBytes: bytes.length, load: async () => bytes }] }),
    );
    for (const { carrier } of [a, b]) carrier.submit(batch);
    await until(() => [a, b].every(({ sink }) => sink.resultBatches.flat().length === 20));
    for (const { sink } of [a, b]) {
      expect(sink.resultBatches.flat().every(({ outcome }) => outcome.kind === 'accepted')).toBe(true);
      const byId = new Map(sink.mms.map((message) => [message.peerMessageId, message]));
      expect(byId.size).toBe(20);
      for (const [i, bytes] of pictures.entries()) {
        const message = byId.get(`msg_${i}`)!;
        expect(message).toMatchObject({ from: '12025550199', to: ['12025550100'], text: `Hello ${i}` });
        expect(message.media.map(({ contentType, bytes: got }) => [contentType, got.equals(bytes)])).toEqual([
          ['image/jpeg', true],
        ]);
      }
    }
  });

  it('a node that cannot store refuses for now: the message is not lost and not sent', async () => {
    b.sink.storing = () => Promise.reject(new Error('disk full'));
    a.carrier.submit([mmsSubmission(100)]);
    await until(() => a.sink.outcomeOf('msg_100') !== undefined);
    expect(a.sink.outcomeOf('msg_100')).toMatchObject({ kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE' });
    b.sink.storing = async () => {};
  });

  it('a report names the id under which the message came', async () => {
    const { peerMessageId } = b.sink.mms[0]!;
    const report = mm4Bytes(deliveryReport(peerMessageId, 'Retrieved'));
    const pieces = mailPieces(stuffed(report), { to: ['+12025550199/TYPE=PLMN@a.example'] });
    const { port } = a.carrier.status().listening!;
    const { codes } = await smtpTalk(port, ['EHLO b.example\r\n', 'STARTTLS\r\n', ...pieces], {
      tls: { ca: testCertificate, servername: 'localhost' },
    });
    expect(codes.at(-1)).toBe(250);
    const sent = a.sink.resultBatches.flat().find(({ messageId }) => messageId === peerMessageId);
    const { carrierMessageId } = a.sink.receiptBatches.flat()[0]!;
    expect(sent?.outcome).toMatchObject({ parts: [{ carrierMessageId }] });
  });

  it('one that stopped says so: nothing is sent to it, and no try is spent', async () => {
    const stopped = b.carrier.stop(0);
    await until(() => a.carrier.status().binds.every(({ state }) => state === 'reachable_idle'));
    clock.pass(2_000);
    await stopped;
    a.carrier.submit([mmsSubmission(200)]);
    await until(() => a.sink.outcomeOf('msg_200') !== undefined);
    expect(a.sink.outcomeOf('msg_200')).toMatchObject({ kind: 'refused', countsAttempt: false });
  });
});
