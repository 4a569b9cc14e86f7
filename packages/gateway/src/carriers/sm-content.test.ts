import { tlv } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import { readContent, type SmFields } from './sm-content.ts';

function sm(short_message: number[] | string, more: Partial<SmFields> = {}): SmFields {
  const octets = typeof short_message === 'string' ? Buffer.from(short_message, 'latin1') : Buffer.from(short_message);
  return { esm_class: 0, data_coding: 0, short_message: octets, tlvs: [], ...more };
}

describe('what a short message says', () => {
  it('reads data_coding 0 as the carrier means it', () => {
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

  it('reads message_payload when short_message is empty or not there', () => {
    const tlvs = [tlv('message_payload', Buffer.from('long', 'latin1'))];
    expect(readContent(sm('', { tlvs }), 'ascii').text).toBe('long');
    expect(readContent({ esm_class: 0, data_coding: 0, tlvs }, 'ascii').text).toBe('long');
    expect(readContent(sm('short', { tlvs }), 'ascii').text).toBe('short');
    expect(readContent(sm(''), 'ascii').text).toBe('');
  });

  it('takes the header off and reads the concatenation', () => {
    const esm_class = 0x43;
    expect(readContent(sm([5, 0, 3, 7, 2, 1, 0x41], { esm_class }), 'gsm')).toMatchObject({
      text: 'A',
      concat: { reference: 7, total: 2, sequence: 1 },
    });
    expect(readContent(sm([6, 8, 4, 1, 2, 3, 3, 0x42], { esm_class }), 'gsm')).toMatchObject({
      text: 'B',
      concat: { reference: 258, total: 3, sequence: 3 },
    });
  });

  it('a header for a message of one part says nothing', () => {
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

  it('reads SAR when all three are there and make sense', () => {
    const sar = (reference: number, total: number, sequence: number) => [
      tlv('sar_msg_ref_num', reference),
      tlv('sar_total_segments', total),
      tlv('sar_segment_seqnum', sequence),
    ];
    expect(readContent(sm('x', { tlvs: sar(500, 2, 2) }), 'gsm').concat).toEqual({
      reference: 500,
      total: 2,
      sequence: 2,
    });
    expect(readContent(sm('x', { tlvs: sar(500, 2, 2).slice(1) }), 'gsm').concat).toBeNull();
    expect(readContent(sm('x', { tlvs: sar(500, 2, 3) }), 'gsm').concat).toBeNull();
    expect(readContent(sm('x', { tlvs: sar(500, 2, 0) }), 'gsm').concat).toBeNull();
    expect(readContent(sm('x', { tlvs: sar(500, 1, 1) }), 'gsm').concat).toBeNull();
  });
});
