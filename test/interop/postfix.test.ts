/**
 * MM4 through an independent mail server: our client's messages go through Postfix to our port byte for byte, with
 * their RES, and no data hidden in a mail turns into a second message in transit.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Carrier } from '../../packages/gateway/src/carriers/carrier.ts';
import {
  loadAdapters,
  mmsSubmission,
  type RecordingSink,
  recordingSink,
} from '../../packages/gateway/src/carriers/carrier-fixture.ts';
import {
  deliveryReport,
  forwardReq,
  mm4Bytes,
  mm4Record,
  plainHeader,
} from '../../packages/gateway/src/carriers/mm4/mm4-fixture.ts';
import { mailPieces, smtpTalk, stuffed } from '../../packages/gateway/src/carriers/mm4/peer-fixture.ts';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { silentLogger } from '../../packages/gateway/src/kernel/logger.ts';
import { machineClock } from '../../packages/gateway/src/kernel/machine.ts';
import { steadyRandom } from '../props/chance.ts';
import { until } from '../props/clock.ts';
import { type Postfix, postfixMissing, startPostfix } from './postfix.ts';

const openCarrier = await loadAdapters();

const missing = postfixMissing();
if (missing === null) describe('MM4 through Postfix', throughPostfix);
else {
  console.warn(`\n!!! MM4 THROUGH POSTFIX WAS NOT TESTED: ${missing} !!!\n`);
  it(`MM4 through Postfix is SKIPPED, NOT TESTED: ${missing}`, () => expect(missing).not.toBeNull());
}

function throughPostfix(): void {
  let postfix: Postfix;
  let carrier: Carrier;
  let sink: RecordingSink;

  beforeAll(async () => {
    const [port, relayPort] = [await freePort(), await freePort()];
    // Postfix's own default lets a bare LF end a mail, and would split one mail in two before it reaches us.
    const settings = { smtpd_forbid_bare_newline: 'normalize', smtpd_forbid_bare_newline_exclusions: '' };
    postfix = startPostfix({ port, relayPort, settings });
    // We are our own peer: what we send to Postfix comes back to our port.
    const record = mm4Record(port, {
      domain: 'ours.example',
      acknowledgement: true,
      ackTimeoutMs: 20_000,
      connections: 2,
      window: 10,
      inbound: { host: '127.0.0.1', port: relayPort, addresses: ['127.0.0.1'], requireTls: false },
    });
    carrier = openCarrier(record, { clock: machineClock, random: steadyRandom(), logger: silentLogger });
    sink = recordingSink();
    carrier.start(sink);
    await until(() => carrier.status().up && carrier.status().listening != null);
  });
  afterAll(async () => {
    await carrier.stop(2_000);
    postfix.stop();
  });

  const tricky = Buffer.from('\r\n.\r\nMAIL FROM:<a@b.example>\r\n\n.\n\r.\r..\0\xff--=_', 'latin1');
  const everyOctet = Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 31 + (i >> 8)) & 0xff));

  it('messages come byte for byte, and their RES come back', async () => {
    const media = [everyOctet, tricky].map((bytes, i) => ({
      type: (['image/jpeg', 'video/mp4'] as const)[i]!,
      sizeBytes: bytes.length,
      load: async () => bytes,
    }));
    const text = 'Grüße €\n.\n..\nMAIL FROM:<a@b.example>\n.';
    carrier.submit([1, 2, 3, 4, 5].map((n) => mmsSubmission(n, { text: `${text}${n}`, media })));
    await until(() => sink.resultBatches.flat().length === 5);
    expect(sink.resultBatches.flat().map(({ outcome }) => outcome.kind)).toEqual(Array(5).fill('accepted'));
    expect(sink.mms.map(({ peerMessageId }) => peerMessageId).sort()).toEqual([
      'msg_1',
      'msg_2',
      'msg_3',
      'msg_4',
      'msg_5',
    ]);
    for (const message of sink.mms) {
      expect(message).toMatchObject({ from: '12025550199', to: ['12025550100'] });
      expect(message.text).toBe(`${text}${message.peerMessageId.slice(4)}`);
      expect(message.media.map(({ bytes }) => bytes.toString('hex'))).toEqual(
        [everyOctet, tricky].map((bytes) => bytes.toString('hex')),
      );
    }
  });

  it('a delivery report comes through', async () => {
    const report = stuffed(mm4Bytes(deliveryReport('msg_1', 'Retrieved')));
    const { codes } = await smtpTalk(postfix.port, mailPieces(report));
    expect(codes.at(-1)).toBe(250);
    // Our own port's reports for the messages above come through as well.
    const reported = () => sink.receiptBatches.flat().filter(({ carrierMessageId }) => carrierMessageId === 'msg_1');
    await until(() => reported().length === 1);
    expect(reported()).toMatchObject([{ state: 'delivered', to: '12025550100' }]);
  });

  it('false ends of a mail make no second message', async () => {
    const ends = [
      '\n.\n',
      '\n.\r\n',
      '\r\n.\n',
      '\r.\r',
      '\r.\r\n',
      '\r\n.\r',
      '\r\n.\r\r\n',
      '\r\n.\0\r\n',
      '\0\r\n.\0\r\n',
      '\n\n.\n\n',
    ];
    const smuggled = mailPieces(stuffed(mm4Bytes(forwardReq('smuggled'))))
      .slice(1)
      .map(String)
      .join('');
    sink.mms.length = 0;
    for (const [i, end] of ends.entries()) {
      const content = Buffer.from(`${plainHeader(`form-${i}`)}\r\nHello${end}${smuggled}\r\n.\r\n`, 'latin1');
      await smtpTalk(postfix.port, mailPieces(content));
    }
    // Postfix delivers in order of arrival, so every earlier mail is through by now.
    await smtpTalk(postfix.port, mailPieces(stuffed(mm4Bytes(forwardReq('last')))));
    await until(() => sink.mms.some(({ peerMessageId }) => peerMessageId === 'last'));
    await until(
      () => (postfix.log().match(/: removed$/gm) ?? []).length >= (postfix.log().match(/queue active/g) ?? []).length,
    );
    const ids = sink.mms.map(({ peerMessageId }) => peerMessageId);
    expect(ids.filter((id) => id === 'smuggled')).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
}
