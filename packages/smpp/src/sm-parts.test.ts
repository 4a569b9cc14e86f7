import { describe, expect, it } from 'vitest';
import { readContent } from './sm-content.ts';
import { type PartStyle, type SmPart, textToParts } from './sm-parts.ts';
import { readTlv } from './tlvs.ts';

const udh8: PartStyle = { longMessage: 'udh8', defaultAlphabet: 'gsm' };
const modes = ['udh8', 'udh16', 'sar', 'payload'] as const;
const longGsm = 'Grüße {€} from the sandbox. '.repeat(20);
const longUcs2 = 'Привет 👋🏽 from the sandbox. '.repeat(12);

function partsOf(text: string, style: PartStyle, reference = 0x1234): SmPart[] {
  return textToParts(text, reference, style)!.parts;
}

function read(part: SmPart, style: PartStyle) {
  return readContent({ ...part, tlvs: part.tlvs ?? [] }, style.defaultAlphabet);
}

describe('a text as short messages', () => {
  it('is one plain part when it is short', () => {
    const [part, ...more] = partsOf('Hi @ home', udh8);
    expect(more).toEqual([]);
    expect(part).toMatchObject({ part: 1, esm_class: 0, data_coding: 0 });
    expect([...part!.short_message]).toEqual([0x48, 0x69, 0x20, 0x00, 0x20, 0x68, 0x6f, 0x6d, 0x65]);
    expect(part!.tlvs).toBeUndefined();
  });

  it('is UCS-2 under data_coding 8 when GSM lacks one of its characters', () => {
    const { encoding, parts } = textToParts('日', 0, udh8)!;
    expect(encoding).toBe('UCS-2');
    expect(parts[0]).toMatchObject({ data_coding: 8, esm_class: 0 });
    expect([...parts[0]!.short_message]).toEqual([0x65, 0xe5]);
  });

  for (const longMessage of modes) {
    for (const [name, text] of [
      ['GSM', longGsm],
      ['UCS-2', longUcs2],
    ]) {
      it(`reads back whole in mode ${longMessage}, ${name}`, () => {
        const style: PartStyle = { longMessage, defaultAlphabet: 'gsm' };
        const parts = partsOf(text!, style);
        const contents = parts.map((part) => read(part, style));
        expect(contents.map((content) => content.text).join('')).toBe(text);
        expect(parts.map(({ part }) => part)).toEqual(parts.map((_, i) => i + 1));
        for (const { short_message } of parts) expect(short_message.length).toBeLessThanOrEqual(160);
        if (longMessage === 'payload') return;
        expect(contents.map((content) => content.concat)).toEqual(
          parts.map((_, i) => ({
            ...(longMessage === 'udh8' ? { reference: 0x34, bits: 8 } : { reference: 0x1234, bits: 16 }),
            total: parts.length,
            sequence: i + 1,
          })),
        );
      });
    }
  }

  it('sets UDHI only in the modes with a header', () => {
    for (const longMessage of modes) {
      const [part] = partsOf(longGsm, { longMessage, defaultAlphabet: 'gsm' });
      expect(part!.esm_class).toBe(longMessage.startsWith('udh') ? 0x40 : 0);
    }
  });

  it('puts a long text of mode payload into one part with an empty short_message', () => {
    const [part, ...more] = partsOf(longGsm, { longMessage: 'payload', defaultAlphabet: 'gsm' });
    expect(more).toEqual([]);
    expect(part!.short_message).toHaveLength(0);
    expect(readTlv({ tlvs: part!.tlvs! }, 'message_payload')!.length).toBeGreaterThan(255);
    expect(part!.spans).toBe(partsOf(longGsm, { longMessage: 'udh8', defaultAlphabet: 'gsm' }).length);
  });

  it('puts a short text of mode payload into short_message', () => {
    const [part] = partsOf('short', { longMessage: 'payload', defaultAlphabet: 'gsm' });
    expect(part!.short_message).toHaveLength(5);
    expect(part!.tlvs).toBeUndefined();
  });

  it('writes Latin-1 or ASCII for carriers with that default alphabet, UCS-2 for other characters', () => {
    const latin1: PartStyle = { longMessage: 'udh8', defaultAlphabet: 'latin1' };
    const ascii: PartStyle = { longMessage: 'udh8', defaultAlphabet: 'ascii' };
    expect([...partsOf('é@', latin1)[0]!.short_message]).toEqual([0xe9, 0x40]);
    expect(partsOf('é@', latin1)[0]!.data_coding).toBe(0);
    expect(partsOf('é@', ascii)[0]!.data_coding).toBe(8);
    expect(partsOf('€', latin1)[0]!.data_coding).toBe(8);
    expect([...partsOf('@{}', ascii)[0]!.short_message]).toEqual([0x40, 0x7b, 0x7d]);
    for (const style of [latin1, ascii]) {
      for (const text of [longGsm, longUcs2, 'plain text, '.repeat(40)]) {
        const parts = partsOf(text, style);
        expect(parts.map((part) => read(part, style).text).join('')).toBe(text);
      }
    }
  });

  it('refuses a text of more than 255 parts', () => {
    expect(textToParts('x'.repeat(153 * 255), 0, udh8)!.parts).toHaveLength(255);
    expect(textToParts('x'.repeat(153 * 255 + 1), 0, udh8)).toBeNull();
  });
});

it('sends Latin-1 characters that plain GSM-7 lacks in UCS-2, as they are counted', () => {
  for (const longMessage of modes) {
    const style: PartStyle = { longMessage, defaultAlphabet: 'latin1' };
    for (const text of ['reç', 'reç '.repeat(40)]) {
      const parts = partsOf(text, style);
      expect(parts.every(({ data_coding }) => data_coding === 8)).toBe(true);
      expect(parts.map((part) => read(part, style).text).join('')).toBe(text);
    }
  }
});

describe('a text in a national language', () => {
  const turkish = 'Günaydın, şimdi öğle arası. ';

  it('is one part with the header that names its table, where the carrier accepts it', () => {
    const style: PartStyle = { ...udh8, nationalLanguages: ['turkish'] };
    const { encoding, parts } = textToParts(turkish, 0, style)!;
    expect([encoding, parts.length]).toEqual(['GSM-7', 1]);
    expect(parts[0]).toMatchObject({ esm_class: 0x40, data_coding: 0 });
    expect([...parts[0]!.short_message.subarray(0, 4)]).toEqual([3, 0x25, 1, 1]);
    expect(textToParts(turkish, 0, udh8)).toMatchObject({
      encoding: 'UCS-2',
      parts: [{ esm_class: 0, data_coding: 8 }],
    });
  });

  it.each(modes)('reads back whole in mode %s', (longMessage) => {
    const style: PartStyle = { longMessage, defaultAlphabet: 'gsm', nationalLanguages: ['turkish', 'hindi'] };
    for (const text of [turkish.repeat(20), 'नमस्ते दुनिया {१} '.repeat(20)]) {
      const parts = partsOf(text, style);
      const contents = parts.map((part) => read(part, style));
      expect(contents.map((content) => content.text).join('')).toBe(text);
      expect(contents.every(({ octets, encoding }) => octets === null && encoding === 'GSM-7')).toBe(true);
      for (const { short_message, data_coding, esm_class } of parts) {
        expect([data_coding, esm_class & 0x40]).toEqual([0, 0x40]);
        // As many septets as fit 140 octets beside the header.
        const headerOctets = short_message.length === 0 ? 0 : short_message[0]! + 1;
        expect(short_message.length - headerOctets).toBeLessThanOrEqual(Math.floor(((140 - headerOctets) * 8) / 7));
      }
      if (longMessage === 'payload') continue;
      expect(contents.map((content) => content.concat?.sequence)).toEqual(parts.map((_, i) => i + 1));
    }
  });

  it('stays in UCS-2 where data_coding 0 is not the GSM alphabet', () => {
    const style: PartStyle = { longMessage: 'udh8', defaultAlphabet: 'ascii', nationalLanguages: ['turkish'] };
    expect(textToParts(turkish, 0, style)?.encoding).toBe('UCS-2');
  });
});
