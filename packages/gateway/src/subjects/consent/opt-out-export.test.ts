/**
 * The CSV of opt-outs in the portal: safe in spreadsheets, limited to one company and environment, and readable by the
 * import.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { t0 } from '../../../../../test/props/clock.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { readOptOutCsv } from '../../messaging/consent/opt-out-file.ts';
import type { OptOut } from '../../messaging/store/items.ts';
import { optOutExportRoutes } from './opt-out-export.ts';

let world: PortalWorld;
const owners: object[] = [];
const entry = (contact: string, more: Partial<OptOut> = {}): OptOut => ({
  accountId: 'acc_one',
  scope: 'campaign:C',
  contact,
  at: t0,
  how: 'by hand',
  reason: 'asked by phone',
  evidenceMessageId: null,
  ...more,
});

beforeAll(async () => {
  const pages = [[entry('12025550100')], [entry('4915112345678', { reason: '=1+1', evidenceMessageId: 'msg_1' })]];
  const consent = {
    list: async (owner: object, query: { after: { contact: string; scope: string } | null }) => {
      owners.push(owner);
      const at = query.after === null ? 0 : 1;
      return { entries: pages[at]!, next: at === 0 ? { contact: '12025550100', scope: 'campaign:C' } : null };
    },
  };
  world = await openPortalWorld({ modules: () => [optOutExportRoutes({ consent })] });
});
afterAll(() => world.close());

it('has numbers in groups and as digits, times in UTC and local, and no formula', async () => {
  const viewer = await world.as('Viewer');
  const answer = await viewer.call('GET', '/opt-outs/export.csv?timeZone=America/New_York');
  expect(answer.status).toBe(200);
  const at = new Date(t0).toISOString();
  const local = new Intl.DateTimeFormat('sv-SE', {
    ...({ timeZone: 'America/New_York', dateStyle: 'short', timeStyle: 'medium' } as const),
  }).format(t0);
  expect(answer.text.replace('\ufeff', '').split('\r\n')).toEqual([
    'contact,contact_digits,scope,how,at,at_local,reason,evidenceMessageId',
    `1 202 555 0100,12025550100,campaign:C,by hand,${at},${local},asked by phone,`,
    `491 511 234 567 8,4915112345678,campaign:C,by hand,${at},${local},"'=1+1",msg_1`,
    '',
  ]);
  expect(owners).toEqual([
    { accountId: 'acc_one', environment: 'sandbox' },
    { accountId: 'acc_one', environment: 'sandbox' },
  ]);
  const read = readOptOutCsv(answer.text);
  expect(read).toMatchObject({ kind: 'entries', entries: [{ contact: '12025550100' }, { contact: '4915112345678' }] });
});

it('refuses a time zone that nobody has', async () => {
  const answer = await (await world.as('Owner')).call('GET', '/opt-outs/export.csv?timeZone=Mars');
  expect([answer.status, answer.json.reason]).toEqual([400, 'INVALID_FIELD']);
});
