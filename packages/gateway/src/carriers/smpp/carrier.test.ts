import { PassThrough } from 'node:stream';
import { receiptFields, status, tlv } from '@heliograph/smpp';
import { afterEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock, quiet, until, untilPassing } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { carrierContract } from '../carrier.contract.ts';
import type { Submission } from '../carrier.ts';
import { loadAdapters, mmsSubmission, type RecordingSink, recordingSink, submission } from '../carrier-fixture.ts';
import type { SmppProfile } from './profile.ts';
import { openSmpp, type SmppUnderTest, smppRecord } from './smpp-fixture.ts';

const openCarrier = await loadAdapters();

carrierContract('smpp transceiver', () => openSmpp());
carrierContract('smpp transmitter and receiver, two of each', () =>
  openSmpp({ bindMode: 'transmitter+receiver', binds: 2 }),
);

let subject: SmppUnderTest;
let sink: RecordingSink;

async function open(profile: Partial<SmppProfile> = {}): Promise<void> {
  subject = await openSmpp(profile);
  sink = recordingSink();
  subject.carrier.start(sink);
  await until(() => subject.carrier.status().binds.every(({ state }) => state.startsWith('bound')));
}
const submit = (...batch: Submission[]): void => subject.carrier.submit(batch);
const submitted = (count: number): Promise<void> => until(() => subject.peer.submits.length === count);
const outcome = async (messageId: string) => {
  await until(() => sink.outcomeOf(messageId) !== undefined);
  return sink.outcomeOf(messageId)!;
};

afterEach(() => subject?.close());

const long = 'Long enough for three parts of GSM. '.repeat(12);

describe('what is written', () => {
  it('type and plan of the sender by its kind, as the field has them and as the record says', async () => {
    const senders = [{ from: '12025550199' }, { from: '54321' }, { from: 'Shop' }];
    const sendersSeen = () =>
      subject.peer.submits.map(({ pdu }) => `${pdu.source_addr} ${pdu.source_addr_ton}/${pdu.source_addr_npi}`);
    await open();
    submit(...senders.map((more, i) => submission(i, more)));
    await submitted(3);
    expect(sendersSeen()).toEqual(['12025550199 1/1', '54321 3/0', 'Shop 5/0']);
    await subject.close();
    await open({ short_code_ton: 6, short_code_npi: 9, alphanumeric_ton: 0, alphanumeric_npi: 1, source_addr_ton: 2 });
    submit(...senders.map((more, i) => submission(i, more)));
    await submitted(3);
    expect(sendersSeen()).toEqual(['12025550199 2/1', '54321 6/9', 'Shop 0/1']);
  });

  it('addresses, receipt request and nothing about validity, as the profile says', async () => {
    await open({ source_addr_ton: 3, source_addr_npi: 0, dest_addr_ton: 2, dest_addr_npi: 8 });
    submit(submission(1, { from: '54321' }), submission(2, { from: 'Shop' }));
    await submitted(2);
    const [short, alphanumeric] = subject.peer.submits.map(({ pdu }) => pdu);
    expect(short).toMatchObject({
      source_addr_ton: 3,
      source_addr_npi: 0,
      source_addr: '54321',
      dest_addr_ton: 2,
      dest_addr_npi: 8,
      registered_delivery: 1,
      validity_period: '',
      schedule_delivery_time: '',
      data_coding: 0,
      esm_class: 0,
    });
    expect(alphanumeric).toMatchObject({ source_addr_ton: 5, source_addr_npi: 0, source_addr: 'Shop' });
  });

  it('no receipt request when the profile says so', async () => {
    await open({ registered_delivery: false });
    submit(submission(1));
    await submitted(1);
    expect(subject.peer.submits[0]!.pdu.registered_delivery).toBe(0);
  });

  it.each([
    ['udh8', 3, 0x40],
    ['udh16', 3, 0x40],
    ['sar', 3, 0],
    ['payload', 1, 0],
  ] as const)('a long text in mode %s: %i parts', async (longMessage, parts, esm_class) => {
    await open({ longMessage });
    submit(submission(1, { text: long, concatReference: 0x1234 }));
    await submitted(parts);
    expect(subject.peer.submits.map(({ pdu }) => pdu.esm_class)).toEqual(Array(parts).fill(esm_class));
    expect(subject.peer.submits.map(({ text }) => text).join('')).toBe(long);
    for (const [i, { accept }] of subject.peer.submits.entries()) accept(`P${i + 1}`);
    const whole = longMessage === 'payload' && { spans: 3 };
    expect(await outcome('msg_1')).toEqual({
      kind: 'accepted',
      parts: Array.from({ length: parts }, (_, i) => ({ part: i + 1, ...whole, carrierMessageId: `P${i + 1}` })),
    });
  });

  it('parts over all binds', async () => {
    await open({ binds: 3, window: 1 });
    submit(submission(1, { text: long }));
    await submitted(3);
    expect(new Set(subject.peer.submits.map(({ session }) => session.id)).size).toBe(3);
  });
});

describe('a message in parts', () => {
  it('sends only what is not accepted yet, in the same numbering and with the same reference', async () => {
    await open();
    submit(submission(1, { text: long, concatReference: 7, partsAccepted: [1, 3], attempt: 2 }));
    await submitted(1);
    expect([...subject.peer.submits[0]!.pdu.short_message.subarray(0, 6)]).toEqual([5, 0, 3, 7, 3, 2]);
    subject.peer.submits[0]!.accept('P2');
    expect(await outcome('msg_1')).toEqual({ kind: 'accepted', parts: [{ part: 2, carrierMessageId: 'P2' }] });
  });

  it('that goes out whole goes again while any of its parts is missing, and not when none is', async () => {
    await open({ longMessage: 'payload' });
    submit(submission(1, { text: long, partsAccepted: [1, 2, 3] }), submission(2, { text: long, partsAccepted: [1] }));
    await submitted(1);
    expect(await outcome('msg_1')).toEqual({ kind: 'accepted', parts: [] });
    expect(subject.peer.submits[0]!.text).toBe(long);
  });

  it('refused for good in one part: failed, with the map of the parts that were taken', async () => {
    await open();
    submit(submission(1, { text: long }));
    await submitted(3);
    subject.peer.submits[0]!.accept('P1');
    subject.peer.submits[1]!.answer(status.ESME_RINVSRCADR);
    await quiet();
    expect(sink.resultBatches).toEqual([]);
    subject.peer.submits[2]!.accept('P3');
    expect(await outcome('msg_1')).toMatchObject({
      kind: 'refused',
      retry: 'never',
      code: 'CARRIER_REJECTED',
      carrierCode: 'ESME_RINVSRCADR 0x0000000A',
      parts: [
        { part: 1, carrierMessageId: 'P1' },
        { part: 3, carrierMessageId: 'P3' },
      ],
    });
  });

  it('sends no further part after a refusal', async () => {
    await open({ window: 1 });
    submit(submission(1, { text: long }), submission(2));
    await submitted(1);
    subject.peer.submits[0]!.refuse('later');
    await submitted(2);
    expect(subject.peer.submits[1]!.text).toBe('Hello 2');
    expect(await outcome('msg_1')).toMatchObject({ kind: 'refused', retry: 'later', parts: [] });
    subject.peer.submits[1]!.accept('A2');
    await outcome('msg_2');
    expect(subject.carrier.capacity()).toBe(1);
  });

  it('cut off with one part accepted and one open: uncertain, with the part that is known', async () => {
    await open({ window: 2 });
    submit(submission(1, { text: long }));
    await submitted(2);
    subject.peer.submits[0]!.accept('P1');
    await submitted(3);
    subject.peer.drop();
    expect(await outcome('msg_1')).toMatchObject({
      kind: 'uncertain',
      cause: 'broken',
      parts: [{ part: 1, carrierMessageId: 'P1' }],
    });
  });

  it('what waits for a slot when the connection goes is given back at once', async () => {
    await open({ window: 1 });
    submit(submission(1), submission(2));
    await submitted(1);
    subject.peer.drop();
    expect(await outcome('msg_2')).toMatchObject({ kind: 'refused', retry: 'later', countsAttempt: false });
    expect(await outcome('msg_1')).toMatchObject({ kind: 'uncertain' });
  });
});

describe('answers out of the ordinary', () => {
  it('an accepted part without an id', async () => {
    await open();
    submit(submission(1));
    await submitted(1);
    subject.peer.submits[0]!.accept('');
    expect(await outcome('msg_1')).toEqual({ kind: 'accepted', parts: [{ part: 1, carrierMessageId: '' }] });
  });

  it('an id with spaces around it is the id of its receipt', async () => {
    await open();
    submit(submission(1));
    await submitted(1);
    subject.peer.submits[0]!.accept(' 0A1B  ');
    expect(await outcome('msg_1')).toEqual({ kind: 'accepted', parts: [{ part: 1, carrierMessageId: '0A1B' }] });
  });

  it('answers in another order than the submissions', async () => {
    await open();
    submit(...Array.from({ length: 8 }, (_, i) => submission(i)));
    await submitted(8);
    for (const [i, each] of [...subject.peer.submits.entries()].reverse()) each.accept(`A${i}`);
    await until(() => sink.resultBatches.flat().length === 8);
    for (let i = 0; i < 8; i++)
      expect(await outcome(`msg_${i}`)).toMatchObject({ parts: [{ carrierMessageId: `A${i}` }] });
  });

  it.each([
    [generic(0x80000000, status.ESME_RINVCMDLEN), { kind: 'refused', retry: 'never', code: 'MALFORMED' }],
    [generic(0x80000000, status.ESME_ROK), { kind: 'uncertain', cause: 'unanswered' }],
    [generic(0x80000005, status.ESME_ROK), { kind: 'uncertain', cause: 'unanswered' }],
  ])('octets %s', async (octets, expected) => {
    await open();
    submit(submission(1));
    await submitted(1);
    const { pdu, session } = subject.peer.submits[0]!;
    const bytes = Buffer.from(octets, 'hex');
    bytes.writeUInt32BE(pdu.sequence_number, 12);
    session.sendBytes(bytes);
    expect(await outcome('msg_1')).toMatchObject(expected);
  });

  it('garbage on the line: uncertain, and a new bind', async () => {
    await open();
    submit(submission(1));
    await submitted(1);
    subject.peer.submits[0]!.session.sendBytes(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await outcome('msg_1')).toMatchObject({ kind: 'uncertain', cause: 'unanswered' });
    await untilPassing(subject.clock, () => subject.carrier.capacity() > 0);
    expect(subject.peer.binds).toBe(2);
  });

  it('a status that speaks of the bind: given back, bound anew, other binds go on', async () => {
    await open({ binds: 2 });
    submit(submission(1), submission(2));
    await submitted(2);
    const [first, second] = subject.peer.submits;
    first!.answer(status.ESME_RINVBNDSTS);
    expect(await outcome('msg_1')).toMatchObject({
      kind: 'refused',
      retry: 'later',
      code: 'CARRIER_UNAVAILABLE',
      carrierCode: 'ESME_RINVBNDSTS 0x00000004',
      countsAttempt: false,
    });
    second!.accept('A2');
    await outcome('msg_2');
    await until(() => subject.peer.sessions.size === 1);
    expect(subject.carrier.status().up).toBe(true);
    expect(subject.carrier.status().binds.map(({ detail }) => detail)).toContain(
      'The carrier answered ESME_RINVBNDSTS 0x00000004.',
    );
    await untilPassing(subject.clock, () => subject.peer.sessions.size === 2);
    expect(sink.links).toHaveLength(1);
  });

  it('a bind that is refused: down, with the reason, and tried again', async () => {
    await open();
    subject.peer.bindStatus = status.ESME_RBINDFAIL;
    subject.peer.drop();
    await untilPassing(subject.clock, () => subject.peer.binds === 2);
    const detail = () => subject.carrier.status().binds[0]!.detail ?? '';
    const seconds = () => Number(/^bind refused: ESME_RBINDFAIL; next try in (\d+) s$/.exec(detail())?.[1]);
    await until(() => seconds() > 0);
    subject.clock.pass(seconds() * 1_000);
    expect(detail()).toBe('bind refused: ESME_RBINDFAIL; trying now');
    subject.peer.bindStatus = 0;
    await untilPassing(subject.clock, () => subject.carrier.capacity() > 0);
  });
});

describe('what cannot be sent', () => {
  it('a number that is too long for the field', async () => {
    await open();
    submit(submission(1, { to: '1'.repeat(40) }), submission(2));
    expect(await outcome('msg_1')).toMatchObject({
      kind: 'refused',
      retry: 'never',
      code: 'MALFORMED',
      carrierCode: null,
    });
    await submitted(1);
  });

  it('an MMS, a text of more parts than there can be, a text that is all accepted already', async () => {
    await open();
    submit(mmsSubmission(1), submission(2, { text: 'x'.repeat(40_000) }), submission(3, { partsAccepted: [1] }));
    expect(await outcome('msg_1')).toMatchObject({ retry: 'never', code: 'MMS_NOT_SUPPORTED' });
    expect(await outcome('msg_2')).toMatchObject({ retry: 'never', code: 'MALFORMED' });
    expect(await outcome('msg_3')).toEqual({ kind: 'accepted', parts: [] });
    await quiet();
    expect(subject.peer.submits).toEqual([]);
  });

  it('a long text in mode sar to a carrier that knows no TLVs is sent all the same: the profile says so', async () => {
    await open({ longMessage: 'sar', interface_version: 0x33 });
    submit(submission(1, { text: long }));
    await submitted(3);
  });
});

describe('rate', () => {
  it('sends no faster than the profile says, and wakes the flow when it may go on', async () => {
    await open({ messagesPerSecond: 100, window: 100 });
    expect(subject.carrier.capacity()).toBe(5);
    submit(...Array.from({ length: 9 }, (_, i) => submission(i)));
    await submitted(5);
    expect(subject.carrier.capacity()).toBe(0);
    // Parts that arrive within this time join those that already wait.
    subject.clock.pass(19);
    expect(subject.carrier.capacity()).toBe(0);
    subject.clock.pass(1);
    await submitted(7);
    await quiet();
    expect(subject.peer.submits).toHaveLength(7);
    subject.clock.pass(20);
    await submitted(9);
    const readyBefore = sink.readyCalls;
    subject.clock.pass(100);
    await until(() => sink.readyCalls > readyBefore);
    expect(subject.carrier.capacity()).toBe(5);
  });
});

describe('one read, one batch', () => {
  it('receipts and texts', async () => {
    await open();
    const about = { from: '12025550199', to: '12025550100' };
    for (let i = 0; i < 5; i++) {
      subject.peer.receipt({ carrierMessageId: `A${i}`, ...about }, 'delivered');
      subject.peer.text('12025550100', '12025550199', `${i}`);
    }
    await until(() => sink.receiptBatches.flat().length + sink.inboundBatches.flat().length === 10);
    expect(sink.receiptBatches).toHaveLength(1);
    expect(sink.inboundBatches).toHaveLength(1);
  });

  it('an outcome before the receipt that came with it, whatever their order', async () => {
    await open();
    submit(submission(1));
    await submitted(1);
    subject.peer.receipt({ carrierMessageId: 'A1', from: '12025550199', to: '12025550100' }, 'delivered');
    subject.peer.submits[0]!.accept('A1');
    await until(() => sink.order.length === 2);
    expect(sink.order).toEqual(['results', 'receipts']);
  });

  it('a failed store of one batch does not touch the other', async () => {
    await open();
    sink.inbound = () => Promise.reject(new Error('disk full'));
    const receipt = subject.peer.receipt(
      { carrierMessageId: 'A', from: '12025550199', to: '12025550100' },
      'delivered',
    );
    const text = subject.peer.text('12025550100', '12025550199', 'hi');
    await until(() => receipt() !== null && text() !== null);
    expect([receipt(), text()]).toEqual(['taken', 'again_later']);
  });
});

describe('texts from handsets', () => {
  it('in parts, by header or by TLVs, and binary ones', async () => {
    await open();
    const numbers = { source_addr: '12025550100', destination_addr: '12025550199' };
    const sar = [tlv('sar_msg_ref_num', 300), tlv('sar_total_segments', 2), tlv('sar_segment_seqnum', 1)];
    subject.peer.deliver({ ...numbers, esm_class: 0x40, short_message: Buffer.from([5, 0, 3, 9, 2, 2, 0x42]) });
    subject.peer.deliver({ ...numbers, short_message: Buffer.from('A'), tlvs: sar });
    subject.peer.deliver({ ...numbers, data_coding: 4, short_message: Buffer.from([0, 255]) });
    await until(() => sink.inboundBatches.flat().length === 3);
    expect(sink.inboundBatches.flat()).toMatchObject([
      { text: 'B', concat: { reference: 9, bits: 8, total: 2, sequence: 2 } },
      { text: 'A', concat: { reference: 300, bits: 16, total: 2, sequence: 1 } },
      { text: null, octets: Uint8Array.of(0, 255), encoding: null, concat: null },
    ]);
  });

  it('a text without content is a text all the same, an alert_notification is none', async () => {
    await open();
    const [session] = subject.peer.sessions;
    const numbers = { source_addr: '12025550100', destination_addr: '12025550199' };
    session!.notify('alert_notification', { source_addr: '12025550100' });
    let answered: number | null = null;
    session!.request('data_sm', numbers, (settled) => {
      if (settled.kind === 'response') answered = settled.pdu.command_status;
    });
    await until(() => answered !== null);
    expect(answered).toBe(status.ESME_ROK);
    expect(sink.inboundBatches.flat()).toMatchObject([{ text: '', from: '12025550100' }]);
  });

  it('receipts in a data_sm', async () => {
    await open();
    const [session] = subject.peer.sessions;
    const { short_message, ...rest } = receiptFields(
      { source_addr: '12025550199', destination_addr: '12025550100' },
      { id: 'D1', state: 'DELIVERED', submitDate: new Date(0), doneDate: new Date(0) },
    );
    session!.request('data_sm', { ...rest, tlvs: [tlv('message_payload', short_message!)] }, () => {});
    await until(() => sink.receiptBatches.length === 1);
    expect(sink.receiptBatches[0]).toMatchObject([{ carrierMessageId: 'D1', state: 'delivered' }]);
  });
});

describe('a carrier that is not there', () => {
  it('is reported once, with the reason, and stops cleanly', async () => {
    const carrier = openCarrier(smppRecord(1), { clock: movedClock(), random: steadyRandom(), logger: silentLogger });
    const sink = recordingSink();
    carrier.start(sink);
    await until(() => sink.links.length === 1);
    expect(sink.links[0]).toMatchObject({ up: false, detail: expect.stringContaining('ECONNREFUSED') });
    expect(carrier.capacity()).toBe(0);
    await carrier.stop(1_000);
    expect(sink.links).toHaveLength(1);
  });

  it('could not even be written to: down with the reason, and nothing is dialled', async () => {
    const record = smppRecord(1, { password: 'p'.repeat(300) });
    const connect = (): never => {
      throw new Error('dialled');
    };
    const carrier = openCarrier(record, { clock: movedClock(), random: steadyRandom(), logger: silentLogger, connect });
    const sink = recordingSink();
    carrier.start(sink);
    expect(sink.links).toMatchObject([{ up: false, detail: expect.stringContaining('password') }]);
    expect(sink.links[0]!.detail).not.toContain(record.smpp.password);
    carrier.submit([submission(1)]);
    await until(() => sink.outcomeOf('msg_1') !== undefined);
    expect(sink.outcomeOf('msg_1')).toMatchObject({ retry: 'later', countsAttempt: false });
    await carrier.stop(0);
  });

  it('never answers the connection: given up in time, tried again', async () => {
    const clock = movedClock();
    let dials = 0;
    const connect = (): never => {
      dials++;
      return Object.assign(new PassThrough(), { setNoDelay: () => {} }) as never;
    };
    const carrier = openCarrier(smppRecord(1), { clock, random: steadyRandom(), logger: silentLogger, connect });
    carrier.start(recordingSink());
    await untilPassing(clock, () => dials === 3, 1_000);
    await carrier.stop(0);
  });
});

/** A PDU with only a header; the sequence_number is filled in later. */
function generic(command_id: number, command_status: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(16, 0);
  bytes.writeUInt32BE(command_id, 4);
  bytes.writeUInt32BE(command_status, 8);
  return bytes.toString('hex');
}

it('comes back after the waits of its record', async () => {
  await open({ reconnectMs: 20_000 });
  subject.peer.drop();
  await until(() => !subject.carrier.status().up);
  // Between half and the full wait; the test's random number is in the middle.
  subject.clock.pass(14_900);
  await quiet();
  expect(subject.peer.binds).toBe(1);
  subject.clock.pass(200);
  await until(() => subject.carrier.status().up);
  expect(subject.peer.binds).toBe(2);
});
