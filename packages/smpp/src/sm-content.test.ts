import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContent, type SmFields } from './sm-content.ts';
import { digitsOf } from './sm-fields.ts';
import { tlv } from './tlvs.ts';

function sm(short_message: number[] | string, more: Partial<SmFields> = {}): SmFields {
  const octets = typeof short_message === 'string' ? Buffer.from(short_message, 'latin1') : Buffer.from(short_message);
  return { esm_class: 0, data_coding: 0, short_message: octets, tlvs: [], ...more };
}

describe('the content of a short message', () => {
  it('reads data_coding 0 in the carrier’s alphabet', () => {
    expect(readContent(sm([0x00]), 'gsm')).toMatchObject({ text: '@', encoding: 'GSM-7', octets: null, concat: null });
    expect(readContent(sm([0xe9]), 'latin1').text).toBe('é');
    expect(readContent(sm('a@b'), 'ascii').text).toBe('a@b');
  });

  it.each([
    [0x01, [0x41, 0x40], 'A@', 'GSM-7'],
    [0x03, [0xe9], 'é', 'GSM-7'],
    [0x03, [0xe7], 'ç', 'UCS-2'],
    [0x08, [0xd8, 0x3d, 0xde, 0x00], '😀', 'UCS-2'],
    [0x18, [0x00, 0x41], 'A', 'UCS-2'],
    [0x06, [0xbf], 'П', 'UCS-2'],
    [0x07, [0xe0], 'א', 'UCS-2'],
    [0x0a, [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '日', 'UCS-2'],
    [0x0e, [0xb0, 0xa1], '가', 'UCS-2'],
    [0xf0, [0x00], '@', 'GSM-7'],
  ])('data_coding %i', (data_coding, octets, text, encoding) => {
    expect(readContent(sm(octets, { data_coding }), 'gsm')).toMatchObject({ text, encoding, octets: null });
  });

  it.each([0x02, 0x04, 0x05, 0x09, 0x0d, 0xf5, 0x20])('data_coding %i is kept as octets', (data_coding) => {
    const content = readContent(sm([0x00, 0xff, 0x1b], { data_coding }), 'gsm');
    expect(content).toMatchObject({ text: null, encoding: null });
    expect([...content.octets!]).toEqual([0x00, 0xff, 0x1b]);
  });

  it('keeps its own copy of binary content', () => {
    const message = sm([1, 2, 3], { data_coding: 4 });
    const { octets } = readContent(message, 'gsm');
    message.short_message!.fill(9);
    expect([...octets!]).toEqual([1, 2, 3]);
  });

  it('reads message_payload when short_message is empty or missing', () => {
    const tlvs = [tlv('message_payload', Buffer.from('long', 'latin1'))];
    expect(readContent(sm('', { tlvs }), 'ascii').text).toBe('long');
    expect(readContent({ esm_class: 0, data_coding: 0, tlvs }, 'ascii').text).toBe('long');
    expect(readContent(sm(''), 'ascii').text).toBe('');
  });

  it('reads short_message and message_payload where both are filled, and a repeated beginning once', () => {
    const tlvs = [tlv('message_payload', Buffer.from('and the rest', 'latin1'))];
    expect(readContent(sm('short ', { tlvs }), 'ascii').text).toBe('short and the rest');
    expect(readContent(sm('and', { tlvs }), 'ascii').text).toBe('and the rest');
    expect(readContent(sm('and the rest', { tlvs }), 'ascii').text).toBe('and the rest');
    const none = [tlv('message_payload', Buffer.alloc(0))];
    expect(readContent(sm('short', { tlvs: none }), 'ascii').text).toBe('short');
    const header = sm([5, 0, 3, 7, 2, 1, 0x41], { esm_class: 0x40, tlvs });
    expect(readContent(header, 'ascii')).toMatchObject({ text: 'Aand the rest', concat: { reference: 7 } });
  });

  it('marks a part that was cut behind an escape, and no other', () => {
    const part = (sequence: number, ...septets: number[]) =>
      readContent(sm([0x05, 0x00, 0x03, 7, 2, sequence, ...septets], { esm_class: 0x40 }), 'gsm').text;
    expect(part(1, 0x41, 0x1b)).toBe('A\u001b');
    expect(part(2, 0x41, 0x1b)).toBe('A ');
    expect(part(1, 0x41, 0x1b, 0x65)).toBe('A€');
    expect(readContent(sm([0x41, 0x1b]), 'gsm').text).toBe('A ');
  });

  it('removes the header and reads the concatenation', () => {
    const esm_class = 0x43;
    expect(readContent(sm([5, 0, 3, 7, 2, 1, 0x41], { esm_class }), 'gsm')).toMatchObject({
      text: 'A',
      concat: { reference: 7, bits: 8, total: 2, sequence: 1 },
    });
    expect(readContent(sm([6, 8, 4, 1, 2, 3, 3, 0x42], { esm_class }), 'gsm')).toMatchObject({
      text: 'B',
      concat: { reference: 258, bits: 16, total: 3, sequence: 3 },
    });
  });

  it('ignores a concatenation of one part', () => {
    expect(readContent(sm([5, 0, 3, 7, 1, 1, 0x41], { esm_class: 0x40 }), 'gsm')).toMatchObject({
      text: 'A',
      concat: null,
    });
  });

  it('survives a broken header', () => {
    const esm_class = 0x40;
    expect(readContent(sm([200, 0x41], { esm_class }), 'ascii').text).toBe('\u00c8A');
    expect(readContent(sm([2, 0, 9, 0x41], { esm_class }), 'ascii')).toMatchObject({ text: 'A', concat: null });
    expect(readContent(sm([], { esm_class }), 'gsm')).toMatchObject({ text: '', concat: null });
    expect(readContent(sm([5, 0, 3, 7, 2, 3, 0x41], { esm_class }), 'gsm').concat).toBeNull();
  });

  it('reads SAR when all three are present and valid', () => {
    const sar = (reference: number, total: number, sequence: number) => [
      tlv('sar_msg_ref_num', reference),
      tlv('sar_total_segments', total),
      tlv('sar_segment_seqnum', sequence),
    ];
    expect(readContent(sm('x', { tlvs: sar(500, 2, 2) }), 'gsm').concat).toEqual({
      reference: 500,
      bits: 16,
      total: 2,
      sequence: 2,
    });
    expect(readContent(sm('x', { tlvs: sar(500, 2, 2).slice(1) }), 'gsm').concat).toBeNull();
    expect(readContent(sm('x', { tlvs: sar(500, 2, 3) }), 'gsm').concat).toBeNull();
    expect(readContent(sm('x', { tlvs: sar(500, 2, 0) }), 'gsm').concat).toBeNull();
    expect(readContent(sm('x', { tlvs: sar(500, 1, 1) }), 'gsm').concat).toBeNull();
  });
});

describe('content that contradicts data_coding', () => {
  it('GSM with octets that are no septets is Latin-1 or UTF-8', () => {
    expect(readContent(sm([0x4f, 0x6c, 0xe9, 0x00]), 'gsm')).toMatchObject({ text: 'Olé', octets: null });
    expect(readContent(sm([0xc3, 0xa9, 0x40]), 'gsm')).toMatchObject({ text: 'é@', encoding: 'GSM-7', octets: null });
    expect(readContent(sm([0xc3, 0x41], { data_coding: 0xf0 }), 'gsm').text).toBe('ÃA');
  });

  it('IA5 with controls that nobody types is GSM', () => {
    const read = (octets: number[]) => readContent(sm(octets, { data_coding: 1 }), 'gsm').text;
    expect(read([0x35, 0x1b, 0x65])).toBe('5€');
    expect(read([0x61, 0x00, 0x62])).toBe('a@b');
    expect(read([0x61, 0x40, 0x62, 0x0d, 0x0a, 0x09])).toBe('a@b\r\n\t');
  });

  it('NUL after a text is padding, except where it is the @', () => {
    const stop = [0x53, 0x54, 0x4f, 0x50, 0x00, 0x00];
    expect(readContent(sm(stop, { data_coding: 1 }), 'gsm').text).toBe('STOP');
    expect(readContent(sm(stop, { data_coding: 3 }), 'gsm').text).toBe('STOP');
    expect(readContent(sm(stop), 'gsm').text).toBe('STOP@@');
    expect([...readContent(sm(stop, { data_coding: 4 }), 'gsm').octets!]).toEqual(stop);
  });

  it('UCS-2 with a byte order mark, of either order', () => {
    const read = (octets: number[]) => readContent(sm(octets, { data_coding: 8 }), 'gsm');
    expect(read([0xfe, 0xff, 0x04, 0x16]).text).toBe('Ж');
    expect(read([0xff, 0xfe, 0x16, 0x04]).text).toBe('Ж');
    expect(read([0xff, 0xfe, 0x16, 0x04, 0x41])).toMatchObject({ text: 'Ж', octets: expect.anything() });
  });
});

describe('partly readable content', () => {
  it('UCS-2 with an octet too many keeps its octets', () => {
    const { text, octets, encoding } = readContent(sm([0x00, 0x41, 0xd8], { data_coding: 8 }), 'gsm');
    expect({ text, encoding }).toEqual({ text: 'A', encoding: 'UCS-2' });
    expect([...octets!]).toEqual([0x00, 0x41, 0xd8]);
    expect(readContent(sm([0xd8, 0x3d], { data_coding: 8 }), 'gsm')).toMatchObject({ text: '\ud83d', octets: null });
  });

  it('octets outside every table are kept', () => {
    const { text, octets } = readContent(sm([0x41, 0xff, 0xff], { data_coding: 0x0e }), 'gsm');
    expect(text).toContain('\ufffd');
    expect([...octets!]).toEqual([0x41, 0xff, 0xff]);
  });

  it('letters of a national table that the standard does not have keep their octets, without the header', () => {
    const message = sm([3, 0x24, 1, 99, 0x1b, 0x67], { esm_class: 0x40 });
    const { octets, encoding, extras } = readContent(message, 'gsm');
    expect([...octets!]).toEqual([0x1b, 0x67]);
    expect([encoding, extras]).toEqual(['GSM-7', { dataCoding: 0 }]);
    expect(readContent({ ...message, data_coding: 3 }, 'gsm').octets).toBeNull();
  });

  it('an extension that is not in the table shows as its letter', () => {
    expect(readContent(sm([0x1b, 0x61, 0x1b]), 'gsm').text).toBe('a ');
  });
});

describe('framing', () => {
  const sar = [tlv('sar_msg_ref_num', 9), tlv('sar_total_segments', 2), tlv('sar_segment_seqnum', 1)];

  it('a header in message_payload', () => {
    const tlvs = [tlv('message_payload', Buffer.from([5, 0, 3, 7, 2, 2, 0x41]))];
    expect(readContent(sm('', { esm_class: 0x40, tlvs }), 'gsm')).toMatchObject({
      text: 'A',
      concat: { reference: 7, total: 2, sequence: 2 },
    });
  });

  it('a header with ports and with a concatenation', () => {
    const octets = [0x0b, 5, 4, 0x0b, 0x84, 0x23, 0xf0, 0, 3, 7, 2, 1, 0x01];
    const content = readContent(sm(octets, { esm_class: 0x40, data_coding: 0xf5 }), 'gsm');
    expect(content).toMatchObject({ text: null, concat: { reference: 7, total: 2, sequence: 1 } });
    expect([...content.octets!]).toEqual([0x01]);
  });

  it('SAR next to a header that says nothing of parts, or that is broken', () => {
    const concat = { reference: 9, total: 2, sequence: 1 };
    const esm_class = 0x40;
    expect(readContent(sm([2, 0x70, 0, 0x41], { esm_class, tlvs: sar }), 'gsm')).toMatchObject({ text: 'A', concat });
    expect(readContent(sm([2, 0, 9, 0x41], { esm_class, tlvs: sar }), 'gsm')).toMatchObject({ text: 'A', concat });
  });

  it('any content: no crash, and everything that is not text is kept', () => {
    const any = fc.record({
      esm_class: fc.constantFrom(0, 0x40, 0xff),
      data_coding: fc.nat(255),
      octets: fc.uint8Array({ maxLength: 60 }),
      alphabet: fc.constantFrom('gsm', 'latin1', 'ascii'),
    });
    fc.assert(
      fc.property(any, ({ esm_class, data_coding, octets, alphabet }) => {
        const { text, octets: kept } = readContent(
          { esm_class, data_coding, short_message: octets, tlvs: [] },
          alphabet,
        );
        expect(text !== null || kept !== null).toBe(true);
        if (text?.includes('\ufffd')) expect(kept).not.toBeNull();
        if (kept !== null) expect(octets.subarray(octets.length - kept.length)).toEqual(kept);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a national table', () => {
  const shifted = (header: number[], body: number[], more = {}) =>
    readContent(sm([header.length, ...header, ...body], { esm_class: 0x40, ...more }), 'gsm');

  it.each<[string, number[], number[], string]>([
    ['single shift', [0x24, 1, 1], [0x1b, 0x67, 0x1b, 0x73], 'ğş'],
    ['locking shift', [0x25, 1, 1], [0x1c, 0x69, 0x1d], 'Şiş'],
    ['both', [0x25, 1, 6, 0x24, 1, 6], [0x2f, 0x42, 0x1b, 0x1d], 'नम१'],
    ['locking alone: escapes are those of the default table', [0x25, 1, 3], [0x09, 0x1b, 0x65], 'ç€'],
  ])('%s is read', (_, header, body, text) => {
    expect(shifted(header, body)).toEqual({ text, octets: null, encoding: 'GSM-7', concat: null });
  });

  it('is read in each part of a longer text by its own header', () => {
    const concat = (sequence: number) => [0x00, 3, 7, 2, sequence];
    expect(shifted([...concat(1), 0x25, 1, 1], [0x1c]).text).toBe('Ş');
    expect(shifted([...concat(2), 0x24, 1, 1], [0x1c, 0x1b, 0x73])).toMatchObject({
      text: 'Æş',
      concat: { reference: 7, total: 2, sequence: 2 },
    });
  });

  it('keeps octets outside its table, and an escape without its letter', () => {
    const unread = shifted([0x25, 1, 4], [0x00, 0x12]);
    expect([unread.text, [...unread.octets!], unread.extras]).toEqual(['ঁ\ufffd', [0x00, 0x12], { dataCoding: 0 }]);
    const cut = shifted([0x00, 3, 7, 2, 1, 0x24, 1, 1], [0x41, 0x1b]);
    expect([cut.text, [...cut.octets!]]).toEqual(['A ', [0x41, 0x1b]]);
  });
});

describe('extras beside the content', () => {
  it.each([
    [0x10, 0],
    [0x11, 1],
    [0x18, 0],
    [0xf0, 0],
    [0xf2, 2],
    [0xf7, 3],
  ])('data_coding %i names the message class %i', (data_coding, messageClass) => {
    expect(readContent(sm([0, 0x41], { data_coding }), 'gsm').extras).toMatchObject({ messageClass });
  });

  it('dest_addr_subunit names it where data_coding does not', () => {
    const subunit = (value: number) => ({ tlvs: [tlv('dest_addr_subunit', value)] });
    expect(readContent(sm('x', subunit(1)), 'gsm').extras).toEqual({ messageClass: 0 });
    expect(readContent(sm('x', { ...subunit(1), data_coding: 0xf2 }), 'gsm').extras).toEqual({ messageClass: 2 });
    for (const reserved of [0, 5]) expect(readContent(sm('x', subunit(reserved)), 'gsm').extras).toBeUndefined();
  });

  it('octets that are not text come with their data_coding, class and ports', () => {
    const message = sm([6, 0x05, 4, 0x0b, 0x84, 0x23, 0xf0, 0xde, 0xad], { esm_class: 0x40, data_coding: 0xf5 });
    const { text, octets, extras } = readContent(message, 'gsm');
    expect([text, [...octets!]]).toEqual([null, [0xde, 0xad]]);
    expect(extras).toEqual({ dataCoding: 0xf5, messageClass: 1, ports: { source: 9_200, destination: 2_948 } });
  });

  it.each<[string, Partial<SmFields>, number[], object]>([
    ['8 bits each', { esm_class: 0x40 }, [4, 0x04, 2, 0xf0, 0xf1, 0x41], { source: 0xf1, destination: 0xf0 }],
    [
      'the last of the header',
      { esm_class: 0x40 },
      [10, 4, 2, 1, 2, 5, 4, 0, 3, 0, 4, 0x41],
      { source: 4, destination: 3 },
    ],
    ['TLVs', { tlvs: [tlv('source_port', 7), tlv('destination_port', 8)] }, [0x41], { source: 7, destination: 8 }],
    ['one TLV', { tlvs: [tlv('destination_port', 8)] }, [0x41], { source: 0, destination: 8 }],
    [
      'the header before TLVs',
      { esm_class: 0x40, tlvs: [tlv('destination_port', 8)] },
      [4, 0x04, 2, 1, 2, 0x41],
      { source: 2, destination: 1 },
    ],
  ])('ports: %s', (_, more, octets, ports) => {
    const { text, extras } = readContent(sm(octets, more), 'gsm');
    expect([text, extras]).toEqual(['A', { ports }]);
  });
});

describe('an address as digits', () => {
  it.each([
    ['+12025550100', '12025550100'],
    ['0012025550100', '12025550100'],
    ['12025550100', '12025550100'],
    ['00123', '00123'],
    ['72345', '72345'],
    ['Acme+1', 'Acme+1'],
  ])('%s', (address, digits) => expect(digitsOf(address)).toBe(digits));
});
