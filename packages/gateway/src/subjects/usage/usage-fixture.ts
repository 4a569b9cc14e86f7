/** Shared by the tests of this folder: records with rates, and messages as in the log. */
import type { Directory } from '../../model/directory.ts';
import type { Rate } from '../../model/records.ts';
import type { TakenMessages } from '../../model/usage.ts';
import { acme, carrier, number, own, directoryOf as worldDirectoryOf } from '../../model/world-fixture.ts';

export const owner = { accountId: 'acc1', environment: 'live' } as const;

export const rates: Rate[] = [
  { from: '2023-11-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' },
  { from: '2023-11-15', currency: 'USD', smsPerSegment: '0.01', mmsPerMessage: '0.03' },
];

export const directoryOf = (more: { rates?: Rate[] } = {}): Directory =>
  worldDirectoryOf({
    accounts: [{ ...acme, ...more }],
    numbers: [number(own), number('12025550198', { environment: 'sandbox', campaignId: null })],
    carriers: [carrier('c1')],
    routes: [],
  });

export const taken = (fields: Partial<TakenMessages> = {}): TakenMessages => ({
  accountId: 'acc1',
  day: '2023-11-14',
  number: '12025550199',
  key: 'key1',
  kind: 'SMS',
  toPrefix: '1415',
  carrier: 'c1',
  messages: 1,
  units: 2,
  ...fields,
});
