/** Every receipt of the corpus is read as a person would: as text, and from a PDU in each of its encodings. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodePdu } from './decode.ts';
import { encodePdu } from './encode.ts';
import type { PduFields, PduOf } from './pdu.ts';
import { parseReceipt, receiptFromText } from './receipt.ts';
import { tlv } from './tlvs.ts';

const corpus = readFileSync(new URL('receipt-corpus.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t').map(cellValue))
  .map(([kind, text, id, state, err, submitDate, doneDate, messageText]) => ({
    kind,
    text: text ?? '',
    expected: { id, state, err, submitDate: dateOf(submitDate), doneDate: dateOf(doneDate), text: messageText },
  }));

function cellValue(cell: string): string | undefined {
  return cell === '-' ? undefined : JSON.parse(`"${cell}"`);
}

function dateOf(value: string | undefined): Date | undefined {
  return value === undefined ? undefined : new Date(`${value}Z`);
}

const fieldsOf = ({ id, state, err, submitDate, doneDate, text }: ReturnType<typeof receiptFromText>) => ({
  id,
  state,
  err,
  submitDate,
  doneDate,
  text,
});

const arrived = (fields: PduFields<'deliver_sm'>): PduOf<'deliver_sm'> =>
  decodePdu(encodePdu({ command: 'deliver_sm', sequence_number: 1, esm_class: 4, ...fields }) as Buffer) as never;

describe('the corpus', () => {
  it('is large, and no text is in it twice', () => {
    expect(corpus.length).toBeGreaterThan(160);
    expect(new Set(corpus.map(({ text }) => text)).size).toBe(corpus.length);
  });

  it.each(corpus)('$kind: $text', ({ kind, text, expected }) => {
    expect(fieldsOf(receiptFromText(text))).toEqual(expected);
    const octets = Buffer.from(text, 'latin1');
    const payload = [tlv('message_payload', octets)];
    const header = Buffer.from([5, 0, 3, 42, 1, 1]);
    const wrapped = [
      { short_message: octets },
      { short_message: octets, data_coding: 8 },
      { tlvs: payload },
      // A header with nothing behind it is no receipt.
      ...(text === '' ? [] : [{ short_message: Buffer.concat([header, octets]), esm_class: 0x44 }]),
    ].filter(({ short_message }) => (short_message?.length ?? 0) < 255);
    for (const fields of wrapped) {
      const receipt = parseReceipt(arrived(fields));
      // What names nothing of a receipt may be a person's text, which some message centres mark in the same way.
      if (kind === 'unlabelled') expect(receipt).toBeUndefined();
      else expect(fieldsOf(receipt!)).toEqual(expected);
    }
  });

  it('is read the same in UTF-16 of either order', () => {
    for (const { text, expected } of corpus.filter(({ expected: { id } }) => id !== undefined)) {
      const low = Buffer.from(text, 'utf16le');
      for (const octets of [low, Buffer.from(low).swap16()]) {
        const tlvs = [tlv('message_payload', octets)];
        expect(fieldsOf(parseReceipt(arrived({ tlvs, data_coding: 8 }))!)).toEqual(expected);
      }
    }
  });
});
