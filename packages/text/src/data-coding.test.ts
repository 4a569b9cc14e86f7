// Every group of the data_coding octet, by table.

import { describe, expect, it } from 'vitest';
import { type DataCoding, decodeDataCoding } from './data-coding.ts';

const TABLE: readonly (readonly [number, DataCoding])[] = [
  [0x00, { alphabet: 'gsm' }],
  [0x01, { alphabet: 'ascii' }],
  [0x02, { alphabet: '8bit' }],
  [0x03, { alphabet: 'latin1' }],
  [0x04, { alphabet: '8bit' }],
  [0x05, { alphabet: 'jis-x-0208' }],
  [0x06, { alphabet: 'iso-8859-5' }],
  [0x07, { alphabet: 'iso-8859-8' }],
  [0x08, { alphabet: 'ucs2' }],
  [0x09, { alphabet: 'pictogram' }],
  [0x0a, { alphabet: 'iso-2022-jp' }],
  [0x0b, { alphabet: 'gsm' }],
  [0x0c, { alphabet: 'gsm' }],
  [0x0d, { alphabet: 'jis-x-0212' }],
  [0x0e, { alphabet: 'ks-c-5601' }],
  [0x0f, { alphabet: 'gsm' }],
  [0x10, { alphabet: 'gsm', messageClass: 0 }],
  [0x13, { alphabet: 'gsm', messageClass: 3 }],
  [0x15, { alphabet: '8bit', messageClass: 1 }],
  [0x18, { alphabet: 'ucs2', messageClass: 0 }],
  [0x1b, { alphabet: 'ucs2', messageClass: 3 }],
  [0x1d, { alphabet: 'gsm', messageClass: 1 }],
  [0x20, { alphabet: 'gsm', compressed: true }],
  [0x28, { alphabet: 'ucs2', compressed: true }],
  [0x3a, { alphabet: 'ucs2', compressed: true, messageClass: 2 }],
  [0x40, { alphabet: 'gsm' }],
  [0x48, { alphabet: 'ucs2' }],
  [0x54, { alphabet: '8bit', messageClass: 0 }],
  [0x80, { alphabet: 'gsm' }],
  [0x9a, { alphabet: 'gsm' }],
  [0xa8, { alphabet: 'gsm' }],
  [0xbf, { alphabet: 'gsm' }],
  [0xc0, { alphabet: 'gsm', messageWaiting: 'discard' }],
  [0xcf, { alphabet: 'gsm', messageWaiting: 'discard' }],
  [0xd8, { alphabet: 'gsm', messageWaiting: 'store' }],
  [0xe0, { alphabet: 'ucs2', messageWaiting: 'store' }],
  [0xef, { alphabet: 'ucs2', messageWaiting: 'store' }],
  [0xf0, { alphabet: 'gsm', messageClass: 0 }],
  [0xf1, { alphabet: 'gsm', messageClass: 1 }],
  [0xf4, { alphabet: '8bit', messageClass: 0 }],
  [0xf5, { alphabet: '8bit', messageClass: 1 }],
  [0xf6, { alphabet: '8bit', messageClass: 2 }],
  [0xf7, { alphabet: '8bit', messageClass: 3 }],
  [0xfd, { alphabet: '8bit', messageClass: 1 }],
];

describe('decodeDataCoding', () => {
  it.each(TABLE)('octet %i', (octet, expected) => {
    expect(decodeDataCoding(octet)).toStrictEqual(expected);
  });

  it('uses the carrier’s default for 0x00 and for the reserved values, not for explicit GSM', () => {
    const read = (octet: number) => decodeDataCoding(octet, 'latin1').alphabet;
    expect([0x00, 0x0b, 0x0f, 0x1c, 0x80, 0xb5].map(read)).toEqual(Array(6).fill('latin1'));
    expect([0x10, 0xc0, 0xd0, 0xf0].map(read)).toEqual(Array(4).fill('gsm'));
    expect(read(0x08)).toBe('ucs2');
  });

  it('has an answer for each of the 256 octets', () => {
    for (let octet = 0; octet <= 0xff; octet++) expect(decodeDataCoding(octet).alphabet).toBeTypeOf('string');
  });
});
