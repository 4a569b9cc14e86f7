/** Invalid bodies, each with its command_status: no field is trusted, nothing throws. */
import { describe, expect, it } from 'vitest';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import type { PduInput } from './pdu.ts';
import { tlv } from './tlvs.ts';

const bytesOf = (pdu: PduInput): Buffer => encodePdu(pdu, { overlong: true }) as Buffer;

/** The answer to a request read strictly; 0 when it is valid. */
const answerTo = (bytes: Buffer, strict = true): number => {
  const read = decodePdu(bytes, 0, bytes.length, { strict });
  return read.command === 'malformed' ? read.answer : 0;
};

const sound = {
  sequence_number: 9,
  source_addr: '15550000000',
  destination_addr: '15551230000',
  short_message: Buffer.from('Hello'),
} as const;

const submit = (more: Partial<PduInput<'submit_sm'>> = {}): PduInput<'submit_sm'> => ({
  command: 'submit_sm',
  ...sound,
  ...more,
});
const deliver = (more: Partial<PduInput<'deliver_sm'>> = {}): PduInput<'deliver_sm'> => ({
  command: 'deliver_sm',
  ...sound,
  ...more,
});

describe('lengths that lie', () => {
  const smLengthAt = (bytes: Buffer): number => bytes.length - sound.short_message.length - 1;

  it.each([6, 7, 100, 254, 255])('sm_length %i with 5 octets left: RINVMSGLEN', (sm_length) => {
    for (const bytes of [bytesOf(submit()), bytesOf(deliver())]) {
      bytes[smLengthAt(bytes)] = sm_length;
      expect(answerTo(bytes)).toBe(0x01);
      expect(answerTo(bytes, false)).toBe(0x01);
    }
  });

  it('sm_length shorter than the text leaves octets that are no TLV: RINVTLVSTREAM', () => {
    const bytes = bytesOf(submit());
    bytes[smLengthAt(bytes)] = 2;
    expect(answerTo(bytes)).toBe(0xc0);
  });

  it.each([2, 100, 0xffff])('a TLV length of %i with 1 octet left: RINVTLVSTREAM', (length) => {
    const bytes = bytesOf(submit({ tlvs: [tlv('more_messages_to_send', 1)] }));
    bytes.writeUInt16BE(length, bytes.length - 3);
    expect(answerTo(bytes)).toBe(0xc0);
    expect(answerTo(bytes, false)).toBe(0xc0);
  });

  it.each([1, 2, 3])('%i stray octets: taken when zero, else RINVTLVSTREAM', (count) => {
    const bytes = bytesOf(submit());
    expect(answerTo(Buffer.concat([bytes, Buffer.alloc(count)]))).toBe(0);
    expect(answerTo(Buffer.concat([bytes, Buffer.alloc(count, 1)]))).toBe(0xc0);
  });

  it.each([5, 6, 139, 255])('a user data header of %i octets in a message of 5: RINVESMCLASS', (udhl) => {
    const short_message = Buffer.from([udhl, 0, 3, 1, 2]);
    for (const strict of [true, false]) {
      expect(answerTo(bytesOf(submit({ esm_class: 0x43, short_message })), strict)).toBe(0x43);
      expect(answerTo(bytesOf(deliver({ esm_class: 0x40, short_message })), strict)).toBe(0x43);
    }
  });

  it('a user data header that fits, that is in message_payload, or that no receipt has', () => {
    const short_message = Buffer.from([4, 0, 3, 1, 2]);
    expect(answerTo(bytesOf(submit({ esm_class: 0x40, short_message })))).toBe(0);
    const tlvs = [tlv('message_payload', short_message)];
    expect(answerTo(bytesOf(submit({ esm_class: 0x40, short_message: Buffer.alloc(0), tlvs })))).toBe(0);
    expect(answerTo(bytesOf(submit({ esm_class: 0x40, short_message: Buffer.alloc(0) })))).toBe(0x43);
    expect(answerTo(bytesOf(deliver({ esm_class: 0x44, short_message: Buffer.from('id:1') })))).toBe(0);
  });
});

describe('unterminated strings', () => {
  it('at the end of the PDU: RINVCMDLEN', () => {
    const whole = bytesOf(submit());
    // service_type, source_addr and destination_addr without their NUL, nothing behind them
    for (const end of [17, 19 + 6, 19 + 12 + 2 + 6]) {
      const cut = Buffer.from(whole.subarray(0, end));
      cut.fill(0x41, 16, 17);
      expect(answerTo(cut)).toBe(0x02);
      expect(answerTo(cut, false)).toBe(0x02);
    }
  });

  const overlong: [string, PduInput, number][] = [
    ['service_type', submit({ service_type: '1234567' }), 0x15],
    ['source_addr', submit({ source_addr: '1'.repeat(21) }), 0x0a],
    ['destination_addr', submit({ destination_addr: '1'.repeat(21) }), 0x0b],
    ['schedule_delivery_time', submit({ schedule_delivery_time: '1'.repeat(17) }), 0x61],
    ['validity_period', submit({ validity_period: '1'.repeat(17) }), 0x62],
    ['message_id', { command: 'query_sm', sequence_number: 1, message_id: '1'.repeat(65) }, 0x0c],
    ['system_id', { command: 'bind_transceiver', sequence_number: 1, system_id: '1'.repeat(16) }, 0x0f],
    ['password', { command: 'bind_transceiver', sequence_number: 1, password: '1'.repeat(9) }, 0x0e],
    ['system_type', { command: 'bind_transceiver', sequence_number: 1, system_type: '1'.repeat(13) }, 0x53],
    ['address_range', { command: 'bind_transceiver', sequence_number: 1, address_range: '1'.repeat(41) }, 0x02],
  ];

  it.each(overlong)('%s one octet too long: refused strictly, read laxly', (name, pdu, answer) => {
    const bytes = bytesOf(pdu);
    expect(answerTo(bytes)).toBe(answer);
    expect(decodePdu(bytes)).toMatchObject({ [name]: (pdu as Record<string, unknown>)[name] });
  });

  it('over 254 characters: refused laxly too', () => {
    const bytes = bytesOf(submit({ source_addr: '' }));
    const long = Buffer.concat([bytes.subarray(0, 19), Buffer.alloc(255, 0x31), bytes.subarray(19)]);
    expect(answerTo(long, false)).toBe(0x0a);
  });
});

describe('submit_multi', () => {
  const multi = (dest_addresses: PduInput<'submit_multi'>['dest_addresses']): Buffer =>
    bytesOf({ command: 'submit_multi', sequence_number: 1, dest_addresses });
  const one = multi([{ dest_flag: 2, dl_name: 'friends' }]);
  const flagAt = one.indexOf('friends') - 1;

  it('an unknown dest_flag: RINVDESTFLAG', () => {
    const bytes = Buffer.from(one);
    bytes[flagAt] = 3;
    expect(answerTo(bytes)).toBe(0x40);
  });

  it('a list name over 21 octets: RINVDLNAME', () => {
    const long = Buffer.concat([one.subarray(0, flagAt + 1), Buffer.alloc(21, 0x41), one.subarray(flagAt + 1)]);
    expect(answerTo(long)).toBe(0x34);
  });

  it('without destinations: RINVNUMDESTS', () => {
    const whole = bytesOf({ command: 'submit_multi', sequence_number: 1, dest_addresses: [] });
    expect(answerTo(whole)).toBe(0x33);
    expect(answerTo(whole, false)).toBe(0x33);
  });

  it('a count above the destinations: refused without reading past the end', () => {
    const bytes = Buffer.from(one);
    bytes[flagAt - 1] = 255;
    expect(answerTo(bytes)).not.toBe(0);
  });
});

describe('frames without a known command', () => {
  it.each([0x0a, 0x0c, 0xff, 0x10200, 0x7fffffff, 0x8000000b, 0xffffffff])(
    'command_id %i is unknown, its body kept',
    (id) => {
      const bytes = Buffer.concat([Buffer.alloc(16), Buffer.from('body')]);
      bytes.writeUInt32BE(id, 4);
      bytes.writeUInt32BE(5, 12);
      const body = Buffer.from('body');
      expect(decodePdu(bytes)).toEqual({
        command: 'unknown',
        command_id: id,
        command_status: 0,
        sequence_number: 5,
        body,
      });
    },
  );

  it.each([0, 1, 15])('%i octets are too few for a header', (length) => {
    expect(decodePdu(Buffer.alloc(length))).toMatchObject({ command: 'malformed', answer: 0x02 });
  });
});
