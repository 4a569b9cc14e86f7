import { expect, it } from 'vitest';
import type { CarrierRecord } from '../model/records.ts';
import { cutsOf, kindNamed } from './kinds.ts';

it('how carriers cut a text', () => {
  const settings = { longMessage: 'udh16', defaultAlphabet: 'latin1' };
  const smpp = { kind: 'smpp', smpp: settings } as unknown as CarrierRecord;
  const mm7 = { kind: 'mm7', mm7: {} } as unknown as CarrierRecord;
  expect(cutsOf([smpp, mm7, undefined])).toEqual([{ reference: '16-bit', alphabet: 'latin1', languages: [] }, {}, {}]);
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
