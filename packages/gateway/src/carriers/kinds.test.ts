import { expect, it } from 'vitest';
import type { CarrierRecord } from '../domain/records.ts';
import { sharedLanguages } from './kinds.ts';

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
