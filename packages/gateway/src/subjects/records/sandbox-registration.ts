/**
 * The registration of the sandbox's demo campaign: a brand, and a review with a rejection, corrections and approval.
 * All data is invented.
 */
import type { AccountId } from '../../kernel/ids.ts';
import type { Campaign } from '../../model/records.ts';
import {
  type Brand,
  type CampaignForm,
  type CampaignHistoryEntry,
  emptyRegistration,
  type Registration,
} from '../../model/registration.ts';

const brandId = 'brd_sandbox';
const company = 'Sandbox Company';
const day = (date: string): number => Date.parse(`${date}T15:00:00Z`);

export function sandboxBrand(accountId: AccountId): Brand {
  return {
    brandId,
    accountId,
    environment: 'sandbox',
    entityType: 'PRIVATE_PROFIT',
    legalName: 'Sandbox Company LLC',
    displayName: company,
    ein: '12-3456789',
    einCountry: 'US',
    street: '100 Example Street',
    city: 'Austin',
    region: 'TX',
    postalCode: '78701',
    country: 'US',
    phone: '12025550100',
    email: 'support@sandbox.example',
    website: 'https://sandbox.example',
    vertical: 'RETAIL',
    stockSymbol: '',
    stockExchange: '',
    tcrId: 'BSBX001',
    identityStatus: 'verified',
    vettingScore: 72,
    createdAt: day('2026-11-02'),
  };
}

const { tcrId: _, ...empty } = emptyRegistration();
const samples = [
  'Sandbox Company: order 1042 is packed and leaves today. Track it at https://sandbox.example/t/1042. Reply STOP to end.',
  'Sandbox Company: order 1042 was delivered at 14:05. Questions? Reply HELP.',
];

const answers: Omit<Registration, 'tcrId'> = {
  ...empty,
  brandId,
  useCase: 'ACCOUNT_NOTIFICATION',
  description:
    'Tells customers of our online shop how their orders are coming along: paid, packed, on its way, delivered. About three messages for each order; no advertising.',
  messageFlow:
    'On https://sandbox.example/checkout the customer gives a telephone number and may tick a box that is not ticked before: “Text me about my order. About 3 messages for each order. Msg & data rates may apply. Reply HELP for help, STOP to end.” The box is optional; the terms and the privacy policy are linked beside it.',
  samples,
  flags: { ...empty.flags, embeddedLink: true },
  privacyUrl: 'https://sandbox.example/privacy',
  termsUrl: 'https://sandbox.example/terms',
};

const mended: CampaignForm = {
  ...answers,
  name: 'Sandbox demo',
  optInText: `${company}: you are subscribed. Msg freq varies. Msg & data rates may apply. HELP for help, STOP to end.`,
  optOutText: `${company}: you are unsubscribed and will get no more messages. Reply START to rejoin.`,
  helpText: `${company}: for help contact support@sandbox.example. Msg freq varies. Msg & data rates may apply. Reply STOP to end.`,
};

const firstTry: CampaignForm = {
  ...mended,
  messageFlow: 'Customers agree to be texted when they give us their telephone number at the checkout of our shop.',
  samples: [samples[0]!, 'Your order 1042 was delivered at 14:05.'],
};

const wrote = (
  date: string,
  what: CampaignHistoryEntry['what'],
  status: CampaignHistoryEntry['status'],
  version: number,
  more: Partial<CampaignHistoryEntry> = {},
): CampaignHistoryEntry => ({
  at: day(date),
  who: what === 'outcome' ? 'Operator' : company,
  what,
  status,
  version,
  note: '',
  reasons: [],
  ...more,
});

/** For the campaign that can send. Its answers to keywords stay the templates, with the company's own name. */
export const demoRegistration: Required<Pick<Campaign, 'registration' | 'carriers' | 'history' | 'versions'>> = {
  registration: { ...answers, tcrId: 'CSBX001' },
  carriers: { att: 'approved', tmobile: 'approved', verizon: 'approved' },
  history: [
    wrote('2026-11-03', 'created', 'draft', 0),
    wrote('2026-11-04', 'submitted', 'submitted', 1),
    wrote('2026-11-09', 'outcome', 'changes_needed', 1, {
      note: 'E-mail of the registry, 9 November. This one is invented, as everything in the sandbox.',
      reasons: [
        { field: 'messageFlow', sentence: 'The reviewer could not see the consent text at your address.' },
        { field: 'samples.1', sentence: 'Must name your brand and how to stop.' },
      ],
    }),
    wrote('2026-11-10', 'submitted', 'submitted', 2),
    wrote('2026-11-16', 'outcome', 'approved', 2, { note: 'E-mail of the registry, 16 November.' }),
  ],
  versions: [
    { version: 1, at: day('2026-11-04'), form: firstTry },
    { version: 2, at: day('2026-11-10'), form: mended },
  ],
};
