/**
 * The records that every sandbox starts with: a company, numbers in each state, two campaigns, a carrier of each kind,
 * routes, an endpoint. Secrets differ in each installation, so they are not here.
 */
import { carrierKinds } from '../../carriers/kinds.ts';
import type { Account, Campaign, CarrierRecord, Endpoint, Route, SendingNumber } from '../../model/records.ts';
import type { Brand } from '../../model/registration.ts';
import { sandboxNumbers } from '../../model/sandbox.ts';
import { inboxEndpointId } from '../../model/webhook-inbox.ts';
import { demoRegistration, sandboxBrand } from './sandbox-registration.ts';

export const sandboxAccountId = 'sandbox';
/** The kinds' simulated carriers, without their addresses and credentials. */
export const sandboxCarriers: readonly CarrierRecord[] = carrierKinds.flatMap(({ simulated = [] }) => simulated);
export const sandboxCarrierIds: readonly string[] = sandboxCarriers.map(({ carrierId }) => carrierId);
const environment = 'sandbox';

export const sandboxAccount: Account = {
  accountId: sandboxAccountId,
  name: 'Sandbox Company',
  status: 'active',
  destinations: ['US', 'CA'],
  uncertainPolicy: 'resend',
  smartEncoding: false,
  requestsPerSecond: 0,
  mmsFallback: 'none',
  supportContact: 'support@sandbox.example',
};

export const sandboxBrands: Brand[] = [sandboxBrand(sandboxAccountId)];

const texts = { optOutText: null, optInText: null, helpText: null };

export const sandboxCampaigns: Campaign[] = [
  {
    campaignId: 'SBX-DEMO',
    accountId: sandboxAccountId,
    environment,
    name: 'Sandbox demo',
    status: 'approved',
    ...texts,
    ...demoRegistration,
  },
  {
    campaignId: 'SBX-SUSPENDED',
    accountId: sandboxAccountId,
    environment,
    name: 'Sandbox suspended',
    status: 'suspended',
    ...texts,
  },
];

/** `name`: what the number lets people try. */
function sendingNumber(number: string, name: string, enabled: boolean, campaignId: string | null): SendingNumber {
  const switches = { smsEnabled: enabled, mmsEnabled: enabled, messagesPerSecond: 0 };
  return { number, name, accountId: sandboxAccountId, environment, campaignId, ...switches };
}

export const sandboxSendingNumbers: SendingNumber[] = [
  sendingNumber(sandboxNumbers.ready, 'Main number', true, 'SBX-DEMO'),
  sendingNumber(sandboxNumbers.smsOff, 'SMS and MMS off', false, 'SBX-DEMO'),
  sendingNumber(sandboxNumbers.noCampaign, 'Without a campaign', true, null),
  sendingNumber(sandboxNumbers.campaignSuspended, 'On a suspended campaign', true, 'SBX-SUSPENDED'),
  sendingNumber(sandboxNumbers.readyMm4, 'MMS over MM4', true, 'SBX-DEMO'),
];

const anyRoute = { environment, prefix: '', number: null, kind: null, weight: 1, priority: 100 } as const;

/** The only rule before there were MMS carriers. */
export const sandboxSmsRoute: Route = { ...anyRoute, routeId: 'sandbox', carrierIds: ['sim-carrier'] };

/** All messages, with one number's MMS over MM4 first. */
export const sandboxRoutes: Route[] = [
  { ...anyRoute, routeId: 'sandbox', carrierIds: [...sandboxCarrierIds] },
  {
    ...anyRoute,
    routeId: 'sandbox-mm4',
    number: sandboxNumbers.readyMm4,
    kind: 'MMS',
    carrierIds: ['sim-mm4', 'sim-mm7'],
  },
];

/** The endpoint of the webhook inbox, without its address and secret. */
export const sandboxInboxEndpoint: Endpoint = {
  endpointId: inboxEndpointId,
  accountId: sandboxAccountId,
  environment,
  name: 'Webhook inbox',
  url: '',
  types: null,
  format: 'standard',
  number: null,
  campaignId: null,
  header: null,
  secrets: [],
  createdAt: 0,
  disabled: null,
  deletedAt: null,
};
