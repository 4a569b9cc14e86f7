import '../../language/english';

import { describe, expect, it } from 'vitest';
import {
  type Brand,
  type Campaign,
  type CampaignForm,
  type CampaignRow,
  differences,
  flagNames,
  type HistoryEntry,
  keywordsOf,
  lastTurn,
  openRules,
  stepNow,
  stepOf,
} from './campaigns';
import { brandsCsv, brandsLike, campaignsCsv, campaignsLike } from './list';

const form: CampaignForm = {
  name: 'Orders',
  brandId: null,
  useCase: '2FA',
  description: '',
  messageFlow: '',
  samples: ['a', 'b'],
  optInKeywords: ['START'],
  optOutKeywords: ['STOP'],
  helpKeywords: ['HELP'],
  privacyUrl: '',
  termsUrl: '',
  flags: Object.fromEntries(flagNames.map((name) => [name, false])) as CampaignForm['flags'],
  optInText: '',
  optOutText: '',
  helpText: '',
};

describe('a field', () => {
  it.each([
    ['useCase', 0],
    ['messageFlow', 1],
    ['helpKeywords', 2],
    ['samples.1', 3],
    ['flags.embeddedLink', 4],
    ['', 0],
    ['unheard', 0],
  ])('%s is on page %i', (field, step) => {
    expect(stepOf(field)).toBe(step);
  });
});

describe('how far a campaign is', () => {
  const at = (status: string, ok = true, numbers = 1) =>
    stepNow({ status, checks: [{ ok: true }, { ok }], numberList: Array.from({ length: numbers }) });

  it('is never sent in before somebody sends it in, and never done when it is stopped', () => {
    expect([at('draft', false), at('draft'), at('changes_needed')]).toEqual([0, 1, 1]);
    expect([at('submitted'), at('in_review')]).toEqual([2, 3]);
    expect([at('approved', true, 0), at('approved')]).toEqual([4, 5]);
    expect([at('suspended'), at('expired')]).toEqual([3, 3]);
  });

  it('was brought about by the entry that first had its status', () => {
    const entry = (status: string, note: string) => ({ status, note }) as HistoryEntry;
    const history = [entry('approved', 'yes'), entry('suspended', 'SHAFT'), entry('suspended', 'a file more')];
    expect(lastTurn({ status: 'suspended', history })?.note).toBe('SHAFT');
    const again = [...history, entry('approved', 'lifted'), entry('suspended', 'again')];
    expect(lastTurn({ status: 'suspended', history: again })?.note).toBe('again');
    expect(lastTurn({ status: 'expired', history })).toBeUndefined();
  });
});

describe('two versions', () => {
  it('differ in fields, in the order of the form', () => {
    const other = { ...form, samples: ['a', 'c'], useCase: 'MARKETING', flags: { ...form.flags, ageGated: true } };
    expect(differences(form, form)).toEqual([]);
    expect(differences(form, other)).toEqual([
      { field: 'useCase', left: '2FA', right: 'MARKETING' },
      { field: 'samples', left: 'a\nb', right: 'a\nc' },
      { field: 'flags', left: '', right: 'ageGated' },
    ]);
  });
});

describe('keywords', () => {
  it('are separated by commas', () => {
    expect(keywordsOf(' STOP, stop all ,,')).toEqual(['STOP', 'stop all']);
  });
});

describe('the list of campaigns', () => {
  const row = (campaignId: string, more: Partial<CampaignRow> = {}): CampaignRow => ({
    campaignId,
    environment: 'sandbox',
    name: campaignId,
    status: 'draft',
    numbers: 0,
    useCase: 'MARKETING',
    brandId: null,
    brandName: null,
    company: 'One',
    updatedAt: null,
    ...more,
  });
  const rows = [row('C1', { name: 'Orders', brandName: 'Pear Tree' }), row('C2', { status: 'approved' })];

  it('is searched by name, id, brand and status', () => {
    const found = (search: string, status = '') => campaignsLike(rows, { search, status }).map((one) => one.campaignId);
    expect([found(''), found('orders'), found('pear'), found('c2'), found('', 'approved'), found('x')]).toEqual([
      ...[['C1', 'C2'], ['C1'], ['C1'], ['C2'], ['C2'], []],
    ]);
  });

  it('is a table without formulas', () => {
    expect(campaignsCsv([row('C1', { name: '=1+1' })])).toContain(`C1,'=1+1,draft,MARKETING,,0,,`);
  });
});

describe('brands', () => {
  const brand = (brandId: string, displayName: string) =>
    ({
      brandId,
      displayName,
      legalName: `${displayName} Incorporated`,
      tcrId: '',
      entityType: 'PRIVATE_PROFIT',
      identityStatus: 'VERIFIED',
      vettingScore: null,
      checks: [{ rule: 'ein', field: 'ein', ok: false }],
    }) as unknown as Brand;

  it('are found by any of their names, and are a table', () => {
    const rows = [brand('B1', 'Pear'), brand('B2', 'Plum')];
    const found = (search: string) => brandsLike(rows, search).map(({ brandId }) => brandId);
    expect([found(''), found('PEAR inc'), found('b2'), found('x')]).toEqual([['B1', 'B2'], ['B1'], ['B2'], []]);
    expect(brandsCsv(rows.slice(1))).toContain('B2,Plum,Plum Incorporated,PRIVATE_PROFIT,VERIFIED,,1');
  });
});

describe('rules that are not kept', () => {
  const checks = [
    { rule: 'useCase', field: 'useCase', ok: false },
    { rule: 'sample', field: 'samples.0', ok: false },
    { rule: 'name', field: 'name', ok: true },
  ] as Campaign['checks'];

  it('are counted for pages that were open, and for all of them once the list of rules was', () => {
    const count = (status: Campaign['status'], ...pages: string[]) => openRules({ checks, status }, new Set(pages));
    expect([count('draft', '1'), count('draft', '0'), count('draft', '0', '3'), count('draft', 'checks')]).toEqual([
      ...[0, 1, 2, 2],
    ]);
    expect(count('changes_needed', '1')).toBe(2);
  });
});
