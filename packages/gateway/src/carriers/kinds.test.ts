import { expect, it } from 'vitest';
import type { CarrierRecord } from '../model/records.ts';
import { kindNamed, sharedLanguages } from './kinds.ts';

const smpp = (nationalLanguages?: string[], defaultAlphabet = 'gsm') =>
  ({
    kind: 'smpp',
    smpp: { defaultAlphabet, ...(nationalLanguages && { nationalLanguages }) },
  }) as unknown as CarrierRecord;

it('the languages that several carriers share', () => {
  expect(sharedLanguages([smpp(['turkish', 'hindi'])])).toEqual(['turkish', 'hindi']);
  expect(sharedLanguages([smpp(['turkish', 'hindi']), smpp(['urdu', 'hindi'])])).toEqual(['hindi']);
  const mm7 = { kind: 'mm7', mm7: {} } as unknown as CarrierRecord;
  for (const other of [smpp(), smpp(['turkish'], 'latin1'), mm7, undefined]) {
    expect(sharedLanguages([smpp(['turkish']), other])).toEqual([]);
  }
  expect(sharedLanguages([])).toEqual([]);
});

it.each([
  ['smpp', { tls: true, registered_delivery: false }, true, false],
  ['smpp', { tls: false, registered_delivery: true }, false, true],
  ['mm7', { url: 'https://mmsc.example', deliveryReport: false }, true, false],
  ['mm7', { url: 'http://mmsc.example', deliveryReport: true }, false, true],
  ['mm4', { tls: 'starttls', deliveryReport: false }, true, false],
  ['mm4', { tls: 'none', deliveryReport: true }, false, true],
])('whether a carrier of the kind %s with %o uses TLS and asks for receipts', (kind, settings, tls, receipts) => {
  const { usesTls, asksForReceipts } = kindNamed(kind)!;
  expect([usesTls(settings as never), asksForReceipts(settings as never)]).toEqual([tls, receipts]);
});
