/** Receipts as carriers write them, and the one we write. All texts are invented after forms seen in the field. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import { type MessageState, numberOfState, wordOfState } from './message-state.ts';
import type { PduFields, PduOf } from './pdu.ts';
import { isReceipt, parseReceipt, receiptFromText } from './receipt.ts';
import { receiptFields, receiptText } from './receipt-write.ts';
import { tlv } from './tlvs.ts';

type DeliverSm = PduOf<'deliver_sm'>;

/** A deliver_sm as it arrives; a receipt unless esm_class says otherwise. */
const deliver = (fields: PduFields<'deliver_sm'>): DeliverSm =>
  decodePdu(encodePdu({ command: 'deliver_sm', sequence_number: 1, esm_class: 4, ...fields }) as Buffer) as DeliverSm;

const withText = (text: string, fields: PduFields<'deliver_sm'> = {}): DeliverSm =>
  deliver({ short_message: Buffer.from(text, 'latin1'), ...fields });

const reference =
  'id:0123456789 sub:001 dlvrd:001 submit date:2611210214 done date:2611210215 stat:DELIVRD err:000 text:Hello there';

describe('the reference text', () => {
  it('is read whole', () => {
    expect(parseReceipt(withText(reference))).toEqual({
      id: '0123456789',
      state: 'DELIVERED',
      final: true,
      statText: 'DELIVRD',
      sub: 1,
      dlvrd: 1,
      err: '000',
      submitDate: new Date('2026-11-21T02:14:00Z'),
      doneDate: new Date('2026-11-21T02:15:00Z'),
      text: 'Hello there',
      raw: reference,
    });
  });

  const states: [MessageState, boolean][] = [
    ['SCHEDULED', false],
    ['ENROUTE', false],
    ['DELIVERED', true],
    ['EXPIRED', true],
    ['DELETED', true],
    ['UNDELIVERABLE', true],
    ['ACCEPTED', false],
    ['UNKNOWN', false],
    ['REJECTED', true],
    ['SKIPPED', true],
  ];

  it.each(states)('%s: by its short word, its whole word and its number', (state, final) => {
    for (const stat of [wordOfState(state), state, state.toLowerCase()]) {
      expect(receiptFromText(`id:1 stat:${stat} err:0`)).toMatchObject({ id: '1', state, final, statText: stat });
    }
    const tlvs = [tlv('message_state', numberOfState(state))];
    expect(parseReceipt(deliver({ tlvs }))).toMatchObject({ state, final });
  });

  it('ACCEPTED is final for a carrier that means it so', () => {
    expect(receiptFromText('id:1 stat:ACCEPTD', { acceptedIsFinal: true }).final).toBe(true);
  });
});

describe('texts that differ from it', () => {
  const cases: [string, string, object][] = [
    [
      'labels in another order',
      'stat:EXPIRED err:21b id:abc done date:2611210215',
      { id: 'abc', state: 'EXPIRED', err: '21b' },
    ],
    [
      'no sub, no dlvrd',
      'id:abc submit date:2611210214 done date:2611210215 stat:DELIVRD err:000',
      { id: 'abc', state: 'DELIVERED' },
    ],
    ['only id and stat', 'id:abc stat:UNDELIV', { id: 'abc', state: 'UNDELIVERABLE' }],
    ['only stat', 'stat:REJECTD', { state: 'REJECTED' }],
    ['upper-case labels', 'ID:abc SUB:001 STAT:DELIVRD ERR:0 TEXT:Hi', { id: 'abc', state: 'DELIVERED', text: 'Hi' }],
    ['capitalised Text', 'id:abc stat:DELIVRD Text:Hi', { text: 'Hi' }],
    [
      'a space behind the colons',
      'id: abc sub: 001 stat: DELIVRD err: 12',
      { id: 'abc', state: 'DELIVERED', err: '12' },
    ],
    ['empty values', 'id:abc sub: dlvrd: submit date: done date: stat:DELIVRD err: text:', { id: 'abc', text: '' }],
    ['a padded state', 'id:abc stat:ACKED   err:000', { state: 'ACCEPTED', statText: 'ACKED' }],
    ['a lower-case state', 'id:abc stat:delivrd', { state: 'DELIVERED', statText: 'delivrd' }],
    ['a buffered state', 'id:abc stat:BUFFRED', { state: 'ENROUTE', final: false }],
    ['a failed state', 'id:abc stat:FAILED', { state: 'UNDELIVERABLE', final: true }],
    [
      "a carrier's own word",
      'id:abc stat:DND_REJECTED err:5',
      { state: 'UNKNOWN', final: false, statText: 'DND_REJECTED' },
    ],
    ['a number for a state', 'id:abc stat:0', { state: 'UNKNOWN', statText: '0' }],
    ['a state cut short', 'id:abc stat:DELIV', { state: 'DELIVERED', statText: 'DELIV' }],
    ['a state cut too short', 'id:abc stat:DEL', { state: 'UNKNOWN', statText: 'DEL' }],
    [
      'text in front and behind',
      'Message to 4790000000: id:abc stat:DELIVRD err:000 thank you',
      { id: 'abc', state: 'DELIVERED', err: '000' },
    ],
    ['words that end like labels', 'mid:9 msgstat:EXPIRED id:abc stat:DELIVRD', { id: 'abc', state: 'DELIVERED' }],
    ['no space between', 'id:123sub:001dlvrd:001stat:DELIVRD', { id: '123' }],
    ['line ends', 'id:abc\r\nsub:001\r\nstat:DELIVRD\r\nerr:000\r\n', { id: 'abc', state: 'DELIVERED', err: '000' }],
    ['a NUL at the end', 'id:abc stat:DELIVRD err:000\0', { state: 'DELIVERED', err: '000' }],
    ['a NUL behind the state', 'id:abc stat:DELIVRD\0', { state: 'DELIVERED', statText: 'DELIVRD' }],
    [
      'labels in the text',
      'id:abc stat:DELIVRD text:id:x stat:EXPIRED',
      { id: 'abc', state: 'DELIVERED', text: 'id:x stat:EXPIRED' },
    ],
    ['the text first', 'text:Hello you id:abc stat:DELIVRD', { id: 'abc', state: 'DELIVERED', text: 'Hello you' }],
    ['the text between', 'id:abc text:Hello you stat:EXPIRED', { id: 'abc', state: 'EXPIRED', text: 'Hello you' }],
    ['repeated labels', 'id:abc id:def stat:DELIVRD stat:EXPIRED', { id: 'abc', state: 'DELIVERED' }],
    ['a UUID', 'id:C87C2273-7EDB-4bc7-8d3a-7f57f21b625e stat:DELIVRD', { id: 'C87C2273-7EDB-4bc7-8d3a-7f57f21b625e' }],
    ['an id of twenty digits', 'id:18446744073709551616 stat:DELIVRD', { id: '18446744073709551616' }],
    ['a negative id', 'id:-1234567 stat:DELIVRD', { id: '-1234567' }],
    [
      'dates written as one word',
      'id:a submitdate:2611210214 donedate:2611210215 stat:DELIVRD',
      { doneDate: new Date('2026-11-21T02:15:00Z') },
    ],
    [
      'a label broken in two',
      'id:a submit\ndate:2611210214 done\r\ndate:2611210215 stat:DELIVRD',
      { doneDate: new Date('2026-11-21T02:15:00Z') },
    ],
    ['a name of Object.prototype', 'constructor:1 valueof:2 id:abc stat:DELIVRD', { id: 'abc' }],
    ['a state without a label', 'Message REJECTD by network', { state: 'UNKNOWN', raw: 'Message REJECTD by network' }],
    ['nothing', '', { state: 'UNKNOWN', raw: '' }],
  ];

  it.each(cases)('%s', (_, text, expected) => {
    expect(receiptFromText(text)).toMatchObject(expected);
    expect(parseReceipt(withText(text))).toMatchObject(expected);
  });

  it.each(['21b', '0x22', 'null', '0000', '-1', '000'])('err:%s is kept as written', (err) => {
    expect(receiptFromText(`id:1 stat:UNDELIV err:${err} text:x`).err).toBe(err);
  });
});

describe('the counts', () => {
  it.each([
    ['sub:001 dlvrd:000', 1, 0],
    ['sub:002 dlvrd:1', 2, 1],
    ['sub: dlvrd:', undefined, undefined],
    ['sub:... dlvrd:all', undefined, undefined],
  ])('%s', (text, sub, dlvrd) => {
    const read = receiptFromText(`id:1 ${text} stat:DELIVRD err:000`);
    expect([read.sub, read.dlvrd]).toEqual([sub, dlvrd]);
    expect('sub' in read).toBe(sub !== undefined);
  });

  it('an empty err is absent', () => {
    expect('err' in receiptFromText('id:1 stat:UNDELIV err: text:x')).toBe(false);
    expect('err' in receiptFromText('id:1 stat:UNDELIV err:')).toBe(false);
  });
});

describe('dates', () => {
  it('are in the zone of the carrier, which may change its clock with the seasons', () => {
    const utcOffsetMinutes = (shown: Date) => (shown.getUTCMonth() === 6 ? 120 : 60);
    const read = receiptFromText('id:1 submit date:2607010100 done date:2611210214 stat:DELIVRD', { utcOffsetMinutes });
    expect(read.submitDate).toEqual(new Date('2026-06-30T23:00:00Z'));
    expect(read.doneDate).toEqual(new Date('2026-11-21T01:14:00Z'));
    // Seconds since 1970 have no time zone.
    const unix = receiptFromText('id:1 done date:1795227240 stat:DELIVRD', { utcOffsetMinutes });
    expect(unix.doneDate).toEqual(new Date('2026-11-21T02:14:00Z'));
  });

  const dates: [string, string | undefined][] = [
    ['2611210214', '2026-11-21T02:14:00Z'],
    ['261121021459', '2026-11-21T02:14:59Z'],
    ['201012011530', '2020-10-12T01:15:30Z'],
    ['202611210214', '2026-11-21T02:14:00Z'],
    ['20261121021459', '2026-11-21T02:14:59Z'],
    ['261121021459000+', '2026-11-21T02:14:59Z'],
    ['261121021459004+', '2026-11-21T01:14:59Z'],
    ['261121021459004-', '2026-11-21T03:14:59Z'],
    ['1795227240', '2026-11-21T02:14:00Z'],
    ['0000000000', undefined],
    ['000000000000', undefined],
    ['261121', undefined],
    ['20261345', undefined],
    ['26112102145', undefined],
    ['202602300000', undefined],
    ['99999999999999', undefined],
    ['000002000000000R', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ];

  it.each(dates)('%s is %s', (text, expected) => {
    const { doneDate } = receiptFromText(`id:1 done date:${text} stat:DELIVRD`);
    expect(doneDate).toEqual(expected === undefined ? undefined : new Date(expected));
  });

  it('are in the carrier’s zone when it is known, except those with their own', () => {
    const at = (text: string) => receiptFromText(`done date:${text} stat:DELIVRD`, { utcOffsetMinutes: 120 }).doneDate;
    expect(at('2611210214')).toEqual(new Date('2026-11-21T00:14:00Z'));
    expect(at('1795227240')).toEqual(new Date('2026-11-21T02:14:00Z'));
    expect(at('261121021459000+')).toEqual(new Date('2026-11-21T02:14:59Z'));
  });
});

describe('TLVs', () => {
  it('take precedence over the text, field by field', () => {
    const tlvs = [
      tlv('receipted_message_id', 'ABC'),
      tlv('message_state', 5),
      tlv('network_error_code', Buffer.from([3, 0, 27])),
    ];
    expect(parseReceipt(withText('id:2748 stat:DELIVRD err:027', { tlvs }))).toMatchObject({
      id: 'ABC',
      textId: '2748',
      state: 'UNDELIVERABLE',
      final: true,
      statText: 'DELIVRD',
      err: '027',
      networkErrorCode: { type: 3, code: 27 },
    });
  });

  it('suffice, or leave the other fields to the text', () => {
    const id = [tlv('receipted_message_id', 'abc')];
    expect(parseReceipt(deliver({ tlvs: [...id, tlv('message_state', 2)] }))).toEqual({
      id: 'abc',
      state: 'DELIVERED',
      final: true,
      raw: '',
    });
    expect(parseReceipt(withText('stat:EXPIRED', { tlvs: id }))).toMatchObject({ id: 'abc', state: 'EXPIRED' });
    expect(parseReceipt(withText('id:abc', { tlvs: [tlv('message_state', 8)] }))).toMatchObject({
      id: 'abc',
      state: 'REJECTED',
    });
    expect(parseReceipt(withText('id:abc', { tlvs: id }))).not.toHaveProperty('textId');
  });

  it('with an unknown state leave it to the text', () => {
    expect(parseReceipt(withText('id:a stat:DELIVRD', { tlvs: [tlv('message_state', 99)] }))).toMatchObject({
      state: 'DELIVERED',
    });
  });

  it('with an id without its NUL are read to their end', () => {
    const tlvs = [{ tag: 0x1e, value: Buffer.from('49960bd2') }];
    expect(parseReceipt(deliver({ tlvs }))).toMatchObject({ id: '49960bd2' });
  });
});

describe('where the text is', () => {
  it('in message_payload when short_message is empty, in data_sm too', () => {
    const tlvs = [tlv('message_payload', Buffer.from(reference))];
    expect(parseReceipt(deliver({ tlvs }))).toMatchObject({ id: '0123456789', state: 'DELIVERED' });
    const data = encodePdu({ command: 'data_sm', sequence_number: 1, esm_class: 4, tlvs }) as Buffer;
    expect(parseReceipt(decodePdu(data) as PduOf<'data_sm'>)).toMatchObject({ id: '0123456789' });
  });

  it('in UTF-16, whatever data_coding says', () => {
    const short_message = Buffer.from('id:abc stat:DELIVRD err:000', 'utf16le').swap16();
    for (const data_coding of [8, 0]) {
      expect(parseReceipt(deliver({ short_message, data_coding }))).toMatchObject({ id: 'abc', state: 'DELIVERED' });
    }
  });

  it('in UTF-16 of the wrong order', () => {
    const short_message = Buffer.from('id:abc stat:DELIVRD err:000', 'utf16le');
    expect(parseReceipt(deliver({ short_message, data_coding: 8 }))).toMatchObject({ id: 'abc', state: 'DELIVERED' });
  });

  it('behind a user data header, of any length, in any reading', () => {
    const text = 'id:abc stat:DELIVRD err:000';
    for (const header of ['050003070201', '06080400070201', '0b0504158a000000030702 01'.replace(' ', '')]) {
      for (const body of [Buffer.from(text), Buffer.from(text, 'utf16le').swap16()]) {
        const short_message = Buffer.concat([Buffer.from(header, 'hex'), body]);
        expect(parseReceipt(deliver({ short_message, esm_class: 0x44 }))).toMatchObject({ id: 'abc', raw: text });
      }
    }
    const none = { short_message: Buffer.from(text), esm_class: 0x44 };
    expect(parseReceipt(deliver(none))).toMatchObject({ id: 'abc', err: '000' });
  });

  it('in the GSM alphabet, whose underscore is 0x11', () => {
    const text = 'id:a\x11b submit\x11date:2611210214 stat:DND\x11REJECTED';
    expect(parseReceipt(withText(text))).toMatchObject({
      id: 'a_b',
      submitDate: new Date('2026-11-21T02:14:00Z'),
      statText: 'DND_REJECTED',
    });
  });

  it('in Latin-1 although data_coding says UCS-2', () => {
    expect(parseReceipt(withText('id:abc stat:DELIVRD x', { data_coding: 8 }))).toMatchObject({ id: 'abc' });
    expect(parseReceipt(withText('id:abc stat:DELIVRD é', { data_coding: 8 }))).toMatchObject({ id: 'abc' });
  });

  it('packed seven bits to a character', () => {
    const text = 'id:0A1 stat:DELIVRD err:000';
    const bits = [...text].flatMap((c) => [...Array(7).keys()].map((bit) => (c.charCodeAt(0) >> bit) & 1));
    const short_message = Buffer.alloc(Math.ceil(bits.length / 8));
    bits.forEach((bit, at) => {
      short_message[at >> 3]! |= bit << (at & 7);
    });
    expect(parseReceipt(deliver({ short_message }))).toMatchObject({ id: '0A1', state: 'DELIVERED', err: '000' });
  });
});

describe('what is a receipt', () => {
  it.each([0x04, 0x20, 0x44, 0x07, 0xc4])('esm_class %i is', (esm_class) => {
    expect(isReceipt(withText('id:1', { esm_class }))).toBe(true);
  });

  it.each([0x00, 0x03, 0x08, 0x10, 0x18, 0x40])(
    'esm_class %i is not, though a person writes "id:1 stat:DELIVRD"',
    (esm_class) => {
      const pdu = withText('\x02\0\0id:1 stat:DELIVRD', { esm_class });
      expect(isReceipt(pdu)).toBe(false);
      expect(parseReceipt(pdu)).toBeUndefined();
    },
  );

  it('unless the text may be trusted, and has both id and stat', () => {
    const options = { trustText: true };
    expect(parseReceipt(withText('id:1 stat:DELIVRD', { esm_class: 0 }), options)).toMatchObject({
      id: '1',
      byTextOnly: true,
    });
    expect(parseReceipt(withText('id:1', { esm_class: 0 }), options)).toBeUndefined();
    expect(parseReceipt(withText('Hello', { esm_class: 0 }), options)).toBeUndefined();
    expect(parseReceipt(withText('id:1 stat:DELIVRD', { esm_class: 8 }), options)).toBeUndefined();
  });
});

describe('a receipt in a long payload', () => {
  const payload = (text: string): DeliverSm => deliver({ tlvs: [tlv('message_payload', Buffer.from(text, 'latin1'))] });

  it('has its labels in the first 2 KB, and is kept whole', () => {
    const text = `id:abc stat:DELIVRD err:000 text:${'x'.repeat(60_000)}`;
    expect(parseReceipt(payload(text))).toMatchObject({ id: 'abc', state: 'DELIVERED', err: '000', raw: text });
    const behind = `${'x '.repeat(1_024)}id:abc stat:DELIVRD`;
    expect(parseReceipt(payload(behind))).toBeUndefined();
    expect(parseReceipt(payload(behind.slice(40)))).toMatchObject({ id: 'abc', state: 'DELIVERED' });
    const wide = Buffer.from(text, 'utf16le').swap16();
    const tlvs = [tlv('message_payload', wide.subarray(0, 60_000))];
    expect(parseReceipt(deliver({ tlvs, data_coding: 8 }))).toMatchObject({ id: 'abc', raw: text.slice(0, 30_000) });
  });
});

describe('a text of a handset that esm_class calls a receipt', () => {
  it.each(['STOP', 'Yes please', 'Text: yes', ':::', 'Delivered, ACK', 'ENROUTE'])('is none: %s', (text) => {
    expect(isReceipt(withText(text))).toBe(false);
    expect(parseReceipt(withText(text))).toBeUndefined();
    expect(receiptFromText(text)).toMatchObject({ state: 'UNKNOWN', raw: text });
  });

  it('is one with anything that only a receipt has', () => {
    for (const label of ['id:1', 'sub:001', 'dlvrd:000', 'submit date:2611210214', 'stat:X', 'err:1', 'DELIVRD']) {
      expect(isReceipt(withText(`x ${label}`))).toBe(true);
    }
    const tlvs = [
      tlv('receipted_message_id', 'a'),
      tlv('message_state', 7),
      tlv('network_error_code', Buffer.from([3, 0, 1])),
      tlv('delivery_failure_reason', 0),
    ];
    for (const one of tlvs) expect(isReceipt(withText('Hello', { tlvs: [one] }))).toBe(true);
    expect(isReceipt(withText('Hello', { tlvs: [tlv('user_message_reference', 7)] }))).toBe(false);
    expect(isReceipt(withText('Hello', { esm_class: 0x20 }))).toBe(true);
    expect(isReceipt(withText(' \0'))).toBe(true);
  });
});

describe('a receipt that esm_class does not call one', () => {
  const tlvs = [tlv('receipted_message_id', 'abc'), tlv('message_state', 2)];

  it('is known by the TLVs that only a message centre writes', () => {
    expect(parseReceipt(deliver({ esm_class: 0, tlvs }))).toMatchObject({ id: 'abc', state: 'DELIVERED', final: true });
    const fields = { esm_class: 0, tlvs: tlvs.slice(0, 1) };
    expect(parseReceipt(withText('id:1 stat:UNDELIV', fields))).toMatchObject({ id: 'abc', textId: '1' });
    expect(parseReceipt(withText('Yes please', fields))).toBeUndefined();
    expect(parseReceipt(withText('Yes please', { esm_class: 0, tlvs: tlvs.slice(1) }))).toBeUndefined();
    const empty = [tlv('receipted_message_id', ''), tlv('message_state', 2)];
    expect(parseReceipt(withText('Yes please', { esm_class: 0, tlvs: empty }))).toBeUndefined();
  });

  it('is none when a handset speaks, whatever the TLVs', () => {
    for (const esm_class of [0x08, 0x10, 0x18]) {
      expect(parseReceipt(withText('id:1 stat:DELIVRD', { esm_class, tlvs }))).toBeUndefined();
    }
  });

  it('is known by its text when the type is one that the standard reserves', () => {
    expect(parseReceipt(withText('id:1 stat:DELIVRD', { esm_class: 0x24 }))).toMatchObject({ id: '1', final: true });
    expect(parseReceipt(withText('Yes please', { esm_class: 0x0c }))).toBeUndefined();
  });
});

describe('an intermediate notification', () => {
  it('is never final, whatever state it names', () => {
    const text = withText('id:1 stat:DELIVRD', { esm_class: 0x20 });
    expect(parseReceipt(text)).toMatchObject({ id: '1', state: 'DELIVERED', final: false });
    const tlvs = [tlv('receipted_message_id', '1'), tlv('message_state', 5)];
    expect(parseReceipt(deliver({ esm_class: 0x20, tlvs }))).toMatchObject({ state: 'UNDELIVERABLE', final: false });
  });
});

describe('hostile texts', () => {
  it('never throw', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('id:', 'stat:', 'text:', 'submit ', 'date:', ' ', '\0', ':', 'é', 'DELIVRD', '9'),
        }),
        (text) => {
          expect(receiptFromText(text).raw).toBe(text);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'id:',
    ':',
    'a',
    'aA_',
    ' ',
    'xstat:',
    'stat:A_',
    'err:DELIVRD ',
    'submit ',
    'submit date:',
    'date:',
    '0',
    'text:',
  ])('a megabyte of %j takes linear time', (unit) => {
    // A quadratic reader would exceed the test's time-out.
    const text = unit.repeat(1_000_000 / unit.length);
    expect(receiptFromText(text).raw).toBe(text);
  });
});

describe('the receipt we write', () => {
  const details = {
    id: '00B8BE19',
    state: 'DELIVERED',
    submitDate: new Date('2026-11-21T02:14:59Z'),
    doneDate: new Date('2026-11-21T02:15:00Z'),
    text: 'The quick brown fox jumps',
  } as const;

  it('has the reference text', () => {
    expect(receiptText(details)).toBe(
      'id:00B8BE19 sub:001 dlvrd:001 submit date:2611210214 done date:2611210215 stat:DELIVRD err:000 text:The quick brown fox ',
    );
    const failed = receiptText({ ...details, state: 'UNDELIVERABLE', err: 27, utcOffsetMinutes: 60 });
    expect(failed).toContain('dlvrd:000 submit date:2611210314 done date:2611210315 stat:UNDELIV err:027');
  });

  it('swaps the addresses, fits, and reads back', () => {
    const submit = {
      source_addr_ton: 5,
      source_addr: 'HELIO',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '15551230000',
    };
    const fields = receiptFields(submit, { ...details, id: 'x'.repeat(64), networkErrorCode: { type: 3, code: 1 } });
    const read = deliver(fields);
    expect(read).toMatchObject({
      source_addr: '15551230000',
      source_addr_ton: 1,
      destination_addr: 'HELIO',
      dest_addr_ton: 5,
      esm_class: 4,
      data_coding: 0,
    });
    expect(read.short_message.length).toBeLessThanOrEqual(254);
    expect(parseReceipt(read)).toMatchObject({
      id: 'x'.repeat(64),
      state: 'DELIVERED',
      doneDate: details.doneDate,
      networkErrorCode: { type: 3, code: 1 },
    });
  });
});
