/** What the tests of this folder share: records with rates, and messages as the log has them. */
import { buildDirectory } from '../../carriers/directory.ts';
import type { Directory } from '../../model/directory.ts';
import type { Rate, Records } from '../../model/records.ts';
import type { TakenMessages } from '../../model/usage.ts';

export const owner = { accountId: 'acc1', environment: 'live' } as const;

export const rates: Rate[] = [
  { from: '2023-11-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' },
  { from: '2023-11-15', currency: 'USD', smsPerSegment: '0.01', mmsPerMessage: '0.03' },
];

export function directoryOf(more: { rates?: Rate[] } = {}): Directory {
  return buildDirectory({
    version: 1,
    accounts: [{ accountId: 'acc1', ...more }],
    numbers: [
      { number: '12025550199', accountId: 'acc1', environment: 'live', campaignId: 'C1' },
      { number: '12025550198', accountId: 'acc1', environment: 'sandbox', campaignId: null },
    ],
    campaigns: [],
    apiKeys: [],
    carriers: [{ carrierId: 'c1', environment: 'live' }],
    routes: [],
    brands: [],
    endpoints: [],
  } as unknown as Records);
}

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
