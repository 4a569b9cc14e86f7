import { describe, expect, it } from 'vitest';
import { type CampaignForm, differences, flagNames, keywordsOf, stepOf } from './campaigns';

const form: CampaignForm = {
  ...{ name: 'Orders', brandId: null, useCase: '2FA', description: '', messageFlow: '', samples: ['a', 'b'] },
  ...{ optInKeywords: ['START'], optOutKeywords: ['STOP'], helpKeywords: ['HELP'], privacyUrl: '', termsUrl: '' },
  flags: Object.fromEntries(flagNames.map((name) => [name, false])) as CampaignForm['flags'],
  ...{ optInText: '', optOutText: '', helpText: '' },
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
