import { describe, expect, it } from 'vitest';
import { type Brand, type CampaignForm, emptyRegistration } from '../../model/registration.ts';
import { brandChecks, brandFaults, einVerdict } from './brand-rules.ts';
import { campaignChecks } from './campaign-rules.ts';
import type { Check } from './check.ts';

const brand: Brand = {
  brandId: 'brd_1',
  accountId: 'acc1',
  environment: 'live',
  entityType: 'PRIVATE_PROFIT',
  legalName: 'Pear Tree Violins LLC',
  displayName: 'Pear Tree',
  ein: '12-3456789',
  einCountry: 'US',
  street: '1 Main St',
  city: 'Austin',
  region: 'TX',
  postalCode: '78701',
  country: 'US',
  phone: '15125550100',
  email: 'ann@peartree.example',
  website: 'https://peartree.example',
  vertical: 'RETAIL',
  stockSymbol: '',
  stockExchange: '',
  tcrId: '',
  identityStatus: 'unverified',
  vettingScore: null,
  createdAt: 0,
};

const { tcrId: _, ...registration } = emptyRegistration();
const form: CampaignForm = {
  ...registration,
  brandId: 'brd_1',
  name: 'Orders',
  useCase: 'ACCOUNT_NOTIFICATION',
  description: 'Tells customers of the shop how their orders are coming along, from payment to delivery.',
  messageFlow: 'Customers tick an optional box beside the telephone field of the order form on our website.',
  samples: ['Pear Tree: your order 12 is on its way. Reply STOP to end.'],
  optInText: 'Pear Tree: you are subscribed. Msg freq varies. Msg & data rates may apply. HELP for help, STOP to end.',
  optOutText: 'Pear Tree: you are unsubscribed and will get no more messages.',
  helpText: 'Pear Tree: for help write to help@peartree.example. Reply STOP to end.',
  privacyUrl: 'https://peartree.example/privacy',
  termsUrl: 'https://peartree.example/terms',
};

const missing = (checks: Check[]) => checks.filter(({ ok }) => !ok).map(({ rule, field }) => `${rule} @ ${field}`);
const faults = (change: Partial<CampaignForm>, of: Brand | null = brand) =>
  missing(campaignChecks({ ...form, ...change }, of ?? undefined));

describe('what a campaign must have', () => {
  it('is all there in a good one', () => {
    expect(faults({})).toEqual([]);
  });

  it.each<[string, Partial<CampaignForm>, string[]]>([
    ['no name', { name: ' ' }, ['name.length @ name']],
    ['no use case', { useCase: '' }, ['useCase.chosen @ useCase']],
    ['a sole proprietor’s use case', { useCase: 'SOLE_PROPRIETOR' }, ['useCase.chosen @ useCase']],
    ['a description of 39', { description: 'd'.repeat(39) }, ['description.length @ description']],
    ['a flow too long', { messageFlow: 'f'.repeat(2_049) }, ['messageFlow.length @ messageFlow']],
    ['too few samples', { useCase: 'MARKETING' }, ['samples.count @ samples']],
    ['no samples', { samples: [] }, ['samples.count @ samples']],
    ['an empty sample', { samples: [' '] }, ['samples.count @ samples']],
    ['a second sample that is empty', { samples: [form.samples[0]!, ''] }, ['samples.length @ samples.1']],
    ['six samples', { samples: Array(6).fill(form.samples[0]) }, ['samples.count @ samples']],
    [
      'a second sample without the brand',
      { samples: [form.samples[0]!, 'Your order 12 is on its way to you.'] },
      ['samples.brand @ samples.1'],
    ],
    ['no word of STOP', { samples: ['Pear Tree: your order 12 is here.'] }, ['samples.stop @ samples']],
    ['no brand in HELP', { helpText: 'Write to help@peartree.example. STOP to end.' }, ['helpText.brand @ helpText']],
    ['no contact in HELP', { helpText: 'Pear Tree: ask us anything. STOP to end.' }, ['helpText.contact @ helpText']],
    [
      'a bare START',
      { optInText: 'Pear Tree: you are in, welcome.' },
      [
        ...['optInText.help @ optInText', 'optInText.stop @ optInText'],
        ...['optInText.frequency @ optInText', 'optInText.rates @ optInText'],
      ],
    ],
    ['an STOP that says nothing', { optOutText: 'Pear Tree: good bye, dear.' }, ['optOutText.stopped @ optOutText']],
    ['no STOP keyword', { optOutKeywords: ['BYE'] }, ['optOutKeywords.stop @ optOutKeywords']],
    ['no HELP keyword', { helpKeywords: ['SOS'] }, ['helpKeywords.help @ helpKeywords']],
    ['an odd keyword', { optInKeywords: ['GO!'] }, ['optInKeywords.form @ optInKeywords']],
    ['no privacy page', { privacyUrl: 'peartree.example' }, ['privacyUrl.form @ privacyUrl']],
    ['a page that is none', { termsUrl: 'javascript:alert(1)' }, ['termsUrl.form @ termsUrl']],
    [
      'an untold link',
      { samples: ['Pear Tree: see https://peartree.example/12. STOP to end.'] },
      ['links.told @ flags.embeddedLink'],
    ],
    [
      'an untold telephone number',
      { samples: ['Pear Tree: call (512) 555-0100 now. STOP to end.'] },
      ['phones.told @ flags.embeddedPhone'],
    ],
    [
      'a shortener',
      { samples: ['Pear Tree: see https://bit.ly/12. STOP to end.'], flags: { ...form.flags, embeddedLink: true } },
      ['links.shortened @ samples'],
    ],
  ])('tells of %s', (_name, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  it('reports a missing brand and a missing use case once each', () => {
    expect(faults({ brandId: null }, null)).toEqual(['brand.chosen @ brandId']);
    const checks = campaignChecks({ ...form, useCase: '', samples: [] }, undefined);
    expect(missing(checks)).toEqual(['brand.chosen @ brandId', 'useCase.chosen @ useCase', 'samples.count @ samples']);
    expect(checks.find(({ rule }) => rule === 'samples.count')?.sentence).toBe(
      'Write 1 to 5 sample messages; there are 0.',
    );
  });

  it('needs a brand that is complete', () => {
    expect(faults({}, { ...brand, ein: '12' })).toEqual(['brand.complete @ brandId']);
    expect(missing(campaignChecks(form, undefined))).toContain('brand.chosen @ brandId');
  });

  it('says what a sole proprietor chooses', () => {
    const alone: Brand = { ...brand, entityType: 'SOLE_PROPRIETOR', ein: '' };
    expect(faults({ useCase: 'SOLE_PROPRIETOR' }, alone)).toEqual([]);
    expect(faults({}, alone)).toEqual(['useCase.chosen @ useCase']);
  });
});

describe('what a brand must have', () => {
  it.each([
    ['12-3456789', 'ok'],
    ['123456789', 'ok'],
    ['12-345678', 'form'],
    ['1234-56789', 'form'],
    ['٠١٢٣٤٥٦٧٨', 'form'],
    ['00-3456789', 'prefix'],
    ['89-3456789', 'prefix'],
  ])('an EIN: %s is %s', (ein, verdict) => {
    expect(einVerdict(ein)).toBe(verdict);
  });

  it.each<[Partial<Brand>, string[]]>([
    [{}, []],
    [{ legalName: '' }, ['brand.legalName @ legalName']],
    [{ ein: '', entityType: 'SOLE_PROPRIETOR' }, []],
    [{ ein: 'GB1', einCountry: 'GB' }, ['brand.ein @ ein']],
    [{ city: ' ' }, ['brand.address @ street']],
    [{ postalCode: '787' }, ['brand.postalCode @ postalCode']],
    [{ postalCode: 'SW1A 1AA', country: 'GB' }, []],
    [{ phone: '+15125550100' }, ['brand.phone @ phone']],
    [{ email: 'ann' }, ['brand.email @ email']],
    [{ website: 'http://localhost' }, ['brand.website @ website']],
    [{ vertical: 'FISH' }, ['brand.vertical @ vertical']],
    [{ entityType: 'PUBLIC_PROFIT' }, ['brand.stock @ stockSymbol']],
  ])('%j lacks %j', (change, expected) => {
    expect(missing(brandChecks({ ...brand, ...change }))).toEqual(expected);
  });
});

describe('what a brand is not saved with', () => {
  const wrongIn = (change: Partial<Brand>) => Object.keys(brandFaults({ ...brand, ...change }));

  it.each<[string, Partial<Brand>, string[]]>([
    ['nothing, in a good one', {}, []],
    ['nothing, in an empty one', { ein: '', postalCode: '', email: ' ', website: '' }, []],
    [
      'what can be none of them',
      { ein: '12', postalCode: '787', email: 'ann', website: 'pear tree' },
      [...['ein', 'postalCode', 'email', 'website']],
    ],
    ['nothing, with a ZIP code of nine digits', { postalCode: '78701-1234' }, []],
    ['nothing, where first digits are not in use', { ein: '00-1234567' }, []],
    ['nothing, where no EIN is needed', { entityType: 'SOLE_PROPRIETOR', ein: '12' }, []],
    ['nothing, abroad', { einCountry: 'DE', ein: 'HRB 4471', country: 'DE', postalCode: 'D-1' }, []],
  ])('is %s', (_name, change, expected) => {
    expect(wrongIn(change)).toEqual(expected);
  });

  it('is looked for in what changes only', () => {
    expect(brandFaults({ ...brand, ein: '12' }, { city: 'Dallas' })).toEqual({});
  });
});
