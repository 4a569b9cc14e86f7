/** Reading and writing compared with octets written by hand from the standard. */
import { describe, expect, it } from 'vitest';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import type { Decoded, Pdu, PduInput } from './pdu.ts';
import { readTlv, tlv } from './tlvs.ts';

const octets = (...parts: string[]): Buffer => Buffer.from(parts.join('').replaceAll(' ', ''), 'hex');
const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

/** A frame: command_id, command_status, sequence_number and body in hex; the length is put in front. */
const frame = (command_id: string, command_status: string, sequence_number: string, body = ''): Buffer => {
  const rest = octets(command_id, command_status, sequence_number, body);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(rest.length + 4);
  return Buffer.concat([length, rest]);
};

const address = (ton: string, npi: string, digits: string): string => `${ton}${npi}${ascii(digits)}00`;

const vectors: { name: string; bytes: Buffer; pdu: PduInput }[] = [
  {
    name: 'bind_transceiver',
    bytes: frame(
      '00000009',
      '00000000',
      '00000001',
      `${ascii('smppclient1')}00 ${ascii('password')}00 ${ascii('CMT')}00 34 01 01 ${ascii('^1555')}00`,
    ),
    pdu: {
      command: 'bind_transceiver',
      sequence_number: 1,
      system_id: 'smppclient1',
      password: 'password',
      system_type: 'CMT',
      interface_version: 0x34,
      addr_ton: 1,
      addr_npi: 1,
      address_range: '^1555',
    },
  },
  {
    name: 'bind_receiver_resp with sc_interface_version',
    bytes: frame('80000001', '00000000', '7fffffff', `${ascii('MC')}00 0210 0001 34`),
    pdu: {
      command: 'bind_receiver_resp',
      sequence_number: 0x7fffffff,
      system_id: 'MC',
      tlvs: [tlv('sc_interface_version', 0x34)],
    },
  },
  {
    name: 'bind_transmitter_resp refused: the header alone',
    bytes: frame('80000002', '0000000e', '00000002'),
    pdu: { command: 'bind_transmitter_resp', sequence_number: 2, command_status: 0x0e },
  },
  {
    name: 'outbind',
    bytes: frame('0000000b', '00000000', '00000001', `${ascii('MC')}00 ${ascii('pw')}00`),
    pdu: { command: 'outbind', sequence_number: 1, system_id: 'MC', password: 'pw' },
  },
  {
    name: 'submit_sm',
    bytes: frame(
      '00000004',
      '00000000',
      '00000005',
      [
        `${ascii('CMT')}00`,
        address('05', '00', 'HELIO'),
        address('01', '01', '15551230000'),
        '03 7f 01',
        `${ascii('261121021400000+')}00 ${ascii('000002000000000R')}00`,
        '11 00 08 00',
        `05 ${ascii('Hello')}`,
        '0204 0002 1234',
      ].join(' '),
    ),
    pdu: {
      command: 'submit_sm',
      sequence_number: 5,
      service_type: 'CMT',
      source_addr_ton: 5,
      source_addr: 'HELIO',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '15551230000',
      esm_class: 0x03,
      protocol_id: 0x7f,
      priority_flag: 1,
      schedule_delivery_time: '261121021400000+',
      validity_period: '000002000000000R',
      registered_delivery: 0x11,
      data_coding: 8,
      short_message: text('Hello'),
      tlvs: [tlv('user_message_reference', 0x1234)],
    },
  },
  {
    name: 'submit_sm_resp',
    bytes: frame('80000004', '00000000', '00000005', `${ascii('39f99dd5')}00`),
    pdu: { command: 'submit_sm_resp', sequence_number: 5, message_id: '39f99dd5' },
  },
  {
    name: 'submit_sm_resp throttled: the header alone',
    bytes: frame('80000004', '00000058', '00000006'),
    pdu: { command: 'submit_sm_resp', sequence_number: 6, command_status: 0x58 },
  },
  {
    name: 'submit_sm_resp throttled with a TLV: the message_id stands before it',
    bytes: frame('80000004', '00000058', '00000006', '00 0428 0001 5a'),
    pdu: {
      command: 'submit_sm_resp',
      sequence_number: 6,
      command_status: 0x58,
      tlvs: [tlv('congestion_state', 90)],
    },
  },
  {
    name: 'deliver_sm_resp: one NUL',
    bytes: frame('80000005', '00000000', '00000007', '00'),
    pdu: { command: 'deliver_sm_resp', sequence_number: 7 },
  },
  {
    name: 'deliver_sm_resp on an error: one NUL all the same',
    bytes: frame('80000005', '00000064', '00000007', '00'),
    pdu: { command: 'deliver_sm_resp', sequence_number: 7, command_status: 0x64 },
  },
  {
    name: 'enquire_link',
    bytes: frame('00000015', '00000000', '00000008'),
    pdu: { command: 'enquire_link', sequence_number: 8 },
  },
  {
    name: 'unbind_resp',
    bytes: frame('80000006', '00000000', '00000009'),
    pdu: { command: 'unbind_resp', sequence_number: 9 },
  },
  {
    name: 'generic_nack',
    bytes: frame('80000000', '00000003', '0000000a'),
    pdu: { command: 'generic_nack', sequence_number: 10, command_status: 3 },
  },
  {
    name: 'query_sm_resp',
    bytes: frame('80000003', '00000000', '0000000b', `${ascii('id1')}00 ${ascii('261121021400000+')}00 02 00`),
    pdu: {
      command: 'query_sm_resp',
      sequence_number: 11,
      message_id: 'id1',
      final_date: '261121021400000+',
      message_state: 2,
    },
  },
  {
    name: 'cancel_sm',
    bytes: frame(
      '00000008',
      '00000000',
      '0000000c',
      ['00', `${ascii('id1')}00`, address('01', '01', '1555'), address('01', '01', '1556')].join(' '),
    ),
    pdu: {
      command: 'cancel_sm',
      sequence_number: 12,
      message_id: 'id1',
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: '1555',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '1556',
    },
  },
  {
    name: 'submit_multi with an address and a list',
    bytes: frame(
      '00000021',
      '00000000',
      '0000000d',
      [
        '00',
        address('00', '00', '1555'),
        '02',
        `01 ${address('01', '01', '15551230000')}`,
        `02 ${ascii('friends')}00`,
        '00 00 00 00 00 00 00 00 00',
        `02 ${ascii('Hi')}`,
      ].join(' '),
    ),
    pdu: {
      command: 'submit_multi',
      sequence_number: 13,
      source_addr: '1555',
      dest_addresses: [
        { dest_flag: 1, dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '15551230000' },
        { dest_flag: 2, dl_name: 'friends' },
      ],
      short_message: text('Hi'),
    },
  },
  {
    name: 'submit_multi_resp',
    bytes: frame(
      '80000021',
      '00000000',
      '0000000d',
      `${ascii('m1')}00 01 ${address('01', '01', '15551230000')} 0000000b`,
    ),
    pdu: {
      command: 'submit_multi_resp',
      sequence_number: 13,
      message_id: 'm1',
      unsuccess_smes: [
        { dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '15551230000', error_status_code: 0x0b },
      ],
    },
  },
  {
    name: 'data_sm with its text in a TLV',
    bytes: frame(
      '00000103',
      '00000000',
      '0000000e',
      ['00', address('01', '01', '1555'), address('01', '01', '1556'), '00 01 00', `0424 0002 ${ascii('Hi')}`].join(
        ' ',
      ),
    ),
    pdu: {
      command: 'data_sm',
      sequence_number: 14,
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: '1555',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '1556',
      registered_delivery: 1,
      tlvs: [tlv('message_payload', text('Hi'))],
    },
  },
  {
    name: 'alert_notification',
    bytes: frame(
      '00000102',
      '00000000',
      '0000000f',
      [address('01', '01', '15551230000'), address('00', '00', '1556'), '0422 0001 00'].join(' '),
    ),
    pdu: {
      command: 'alert_notification',
      sequence_number: 15,
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: '15551230000',
      esme_addr: '1556',
      tlvs: [tlv('ms_availability_status', 0)],
    },
  },
];

describe('hand-written vectors', () => {
  it.each(vectors)('$name is written so', ({ bytes, pdu }) => {
    expect(encodePdu(pdu)).toEqual(bytes);
  });

  it.each(vectors)('$name is read so, strictly too', ({ bytes, pdu }) => {
    const { command_status = 0, tlvs = [], ...rest } = pdu;
    expect(decodePdu(bytes)).toMatchObject({ ...rest, command_status, tlvs });
    expect(decodePdu(bytes, 0, bytes.length, { strict: true })).toEqual(decodePdu(bytes));
  });

  it.each(vectors)('$name is read the same inside a longer buffer', ({ bytes }) => {
    const inside = Buffer.concat([Buffer.alloc(7, 0xff), bytes, Buffer.alloc(7, 0xff)]);
    expect(decodePdu(inside, 7, 7 + bytes.length)).toEqual(decodePdu(bytes));
  });

  it.each(vectors)('$name cut anywhere is malformed or reads as less, and never throws', ({ bytes }) => {
    const whole = decodePdu(bytes) as Pdu;
    for (let end = 16; end < bytes.length; end++) {
      const cut = decodePdu(bytes, 0, end);
      if (cut.command !== 'malformed') expectLess(cut, whole);
      else expect(cut).toMatchObject({ command_id: whole.command_id, sequence_number: whole.sequence_number });
    }
    for (let end = 0; end < 16; end++) expect(decodePdu(bytes, 0, end).command).toBe('malformed');
  });
});

/** A cut frame may lose its TLVs; an answer may also lose its fields. */
const expectLess = (cut: Decoded, whole: Pdu): void => {
  expect(cut.command).toBe(whole.command);
  if (whole.command_id < 0x80000000) expect({ ...cut, tlvs: whole.tlvs }).toEqual(whole);
};

describe('lax reading', () => {
  it('an answer without its body', () => {
    expect(decodePdu(frame('80000005', '00000000', '00000001'))).toMatchObject({ message_id: '', tlvs: [] });
    expect(decodePdu(frame('80000004', '00000000', '00000001'))).toMatchObject({ message_id: '' });
  });

  it('an error answer with a body, even a broken one', () => {
    expect(decodePdu(frame('80000004', '00000008', '00000001', '00'))).toMatchObject({ message_id: '' });
    expect(decodePdu(frame('80000003', '00000067', '00000001', `${ascii('id')}00`))).toMatchObject({
      command: 'query_sm_resp',
      command_status: 0x67,
      message_id: 'id',
    });
  });

  it('a message_id that ends without its NUL', () => {
    expect(decodePdu(frame('80000004', '00000000', '00000001', ascii('abc')))).toMatchObject({ message_id: 'abc' });
  });

  it('a message_id of any length: the answer says that the message was taken', () => {
    for (const length of [100, 254, 300, 5_000]) {
      const id = 'a'.repeat(length);
      for (const end of ['00', '', '00 0427 0001 02']) {
        const read = decodePdu(frame('80000004', '00000000', '00000001', `${ascii(id)}${end}`));
        expect(read).toMatchObject({ command: 'submit_sm_resp', message_id: id });
      }
    }
  });

  it('a TLV of an answer that passes its end', () => {
    const read = decodePdu(frame('80000004', '00000000', '00000001', `${ascii('abc')}00 0428 0009 01`));
    expect(read).toMatchObject({ command: 'submit_sm_resp', message_id: 'abc', tlvs: [] });
  });

  it('one NUL behind a header that has no body', () => {
    expect(decodePdu(frame('80000015', '00000000', '00000001', '00'))).toMatchObject({ command: 'enquire_link_resp' });
    expect(decodePdu(frame('00000015', '00000000', '00000001', '000000'))).toMatchObject({ command: 'enquire_link' });
  });

  it('a receipted_message_id without its NUL', () => {
    const bytes = frame('00000102', '00000000', '00000001', `000000 000000 001e 0003 ${ascii('a1b')} 0427 0001 02`);
    const read = decodePdu(bytes) as Pdu;
    expect(readTlv(read, 'receipted_message_id')).toBe('a1b');
    expect(readTlv(read, 'message_state')).toBe(2);
  });

  it('fields longer than the standard has them', () => {
    const bytes = frame(
      '00000001',
      '00000000',
      '00000001',
      `${ascii('a'.repeat(40))}00 ${ascii('p'.repeat(20))}00 00 34 00 00 00`,
    );
    expect(decodePdu(bytes)).toMatchObject({ system_id: 'a'.repeat(40), password: 'p'.repeat(20) });
    expect(decodePdu(bytes, 0, bytes.length, { strict: true })).toMatchObject({ command: 'malformed', answer: 0x0f });
  });

  it('a field longer than any reader takes it: the reason names the limit that applies', () => {
    const bytes = frame('00000001', '00000000', '00000001', `${ascii('a'.repeat(300))}00 00 00 34 00 00 00`);
    const reasonOf = (strict: boolean) => decodePdu(bytes, 0, bytes.length, { strict });
    expect(reasonOf(true)).toMatchObject({ command: 'malformed', reason: 'system_id is longer than 16 octets' });
    expect(reasonOf(false)).toMatchObject({ command: 'malformed', reason: 'system_id is longer than 255 octets' });
  });
});

describe('TLVs on the wire', () => {
  const dataSm = (tlvs: string): Buffer => frame('00000103', '00000000', '00000001', `00 000000 000000 000000 ${tlvs}`);

  it('keep their order and duplicates, the first of a kind being the one that is read', () => {
    const read = decodePdu(dataSm('0427 0001 02  1401 0001 aa  0427 0001 05  1401 0000')) as Pdu;
    expect(read.tlvs).toEqual([
      { tag: 0x427, value: octets('02') },
      { tag: 0x1401, value: octets('aa') },
      { tag: 0x427, value: octets('05') },
      { tag: 0x1401, value: octets('') },
    ]);
    expect(readTlv(read, 'message_state')).toBe(2);
  });

  it('may have no value at all', () => {
    const read = decodePdu(dataSm('130c 0000 0427 0001 02')) as Pdu;
    expect(readTlv(read, 'alert_on_message_delivery')).toEqual(Buffer.alloc(0));
    expect(readTlv(read, 'message_state')).toBe(2);
  });

  it('of a wrong length are read laxly, and refused strictly', () => {
    const bytes = dataSm('0010 0002 0001');
    expect(readTlv(decodePdu(bytes) as Pdu, 'source_telematics_id')).toBe(1);
    expect(decodePdu(bytes, 0, bytes.length, { strict: true })).toMatchObject({ command: 'malformed', answer: 0xc2 });
  });
});

describe('what cannot be written', () => {
  const refused: { name: string; pdu: PduInput; field: string }[] = [
    {
      name: 'a source_addr of 21 characters',
      pdu: { command: 'submit_sm', sequence_number: 1, source_addr: '1'.repeat(21) },
      field: 'source_addr',
    },
    {
      name: 'a NUL in a string',
      pdu: { command: 'submit_sm', sequence_number: 1, service_type: 'a\0b' },
      field: 'service_type',
    },
    {
      name: 'a character beyond Latin-1',
      pdu: { command: 'submit_sm', sequence_number: 1, source_addr: '€' },
      field: 'source_addr',
    },
    {
      name: 'an integer over one octet',
      pdu: { command: 'submit_sm', sequence_number: 1, data_coding: 256 },
      field: 'data_coding',
    },
    { name: 'a fraction', pdu: { command: 'submit_sm', sequence_number: 1, data_coding: 0.5 }, field: 'data_coding' },
    {
      name: 'a short_message of 256 octets',
      pdu: { command: 'submit_sm', sequence_number: 1, short_message: Buffer.alloc(256) },
      field: 'short_message',
    },
    {
      name: 'a tag over two octets',
      pdu: { command: 'data_sm', sequence_number: 1, tlvs: [{ tag: 0x10000, value: Buffer.alloc(0) }] },
      field: 'tlvs',
    },
    {
      name: 'a value over 65,535 octets',
      pdu: { command: 'data_sm', sequence_number: 1, tlvs: [{ tag: 1, value: Buffer.alloc(65_536) }] },
      field: 'tlvs',
    },
    {
      name: 'a PDU over 65,536 octets',
      pdu: { command: 'data_sm', sequence_number: 1, tlvs: [tlv('message_payload', Buffer.alloc(65_535))] },
      field: 'command_length',
    },
  ];

  it.each(refused)('$name', ({ pdu, field }) => {
    expect(encodePdu(pdu)).toMatchObject({ kind: 'not_encodable', field });
  });

  it('but a long password can, on request', () => {
    const pdu: PduInput = { command: 'bind_receiver', sequence_number: 1, password: 'p'.repeat(20) };
    expect(encodePdu(pdu)).toMatchObject({ kind: 'not_encodable', field: 'password' });
    expect(decodePdu(encodePdu(pdu, { overlong: true }) as Buffer)).toMatchObject({ password: 'p'.repeat(20) });
  });
});
