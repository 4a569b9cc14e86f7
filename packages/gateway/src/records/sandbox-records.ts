/**
 * The records every sandbox begins with, as data: a company, its numbers in each state, two campaigns, a carrier, a route
 * and an endpoint. Secrets are not here: they differ in every installation. Decides nothing and writes nothing.
 */
import type { Account, Campaign, CarrierRecord, Endpoint, Route, SendingNumber } from '../domain/records.ts';
import { sandboxNumbers } from '../domain/sandbox.ts';
import { inboxEndpointId } from '../domain/webhook-inbox.ts';

export const sandboxAccountId = 'sandbox';
export const sandboxCarrierId = 'sim-carrier';
const environment = 'sandbox';

export const sandboxAccount: Account = {
  accountId: sandboxAccountId,
  name: 'Sandbox Company',
  status: 'active',
  destinations: ['US', 'CA'],
  uncertainPolicy: 'resend',
  smartEncoding: false,
  requestsPerSecond: 0,
  supportContact: 'support@sandbox.example',
};

const texts = { optOutText: null, optInText: null, helpText: null };

export const sandboxCampaigns: Campaign[] = [
  {
    campaignId: 'SBX-DEMO',
    accountId: sandboxAccountId,
    environment,
    name: 'Sandbox demo',
    status: 'approved',
    ...texts,
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

function sendingNumber(number: string, enabled: boolean, campaignId: string | null): SendingNumber {
  const switches = { smsEnabled: enabled, mmsEnabled: enabled, messagesPerSecond: 0 };
  return { number, accountId: sandboxAccountId, environment, campaignId, ...switches };
}

export const sandboxSendingNumbers: SendingNumber[] = [
  sendingNumber(sandboxNumbers.ready, true, 'SBX-DEMO'),
  sendingNumber(sandboxNumbers.smsOff, false, 'SBX-DEMO'),
  sendingNumber(sandboxNumbers.noCampaign, true, null),
  sendingNumber(sandboxNumbers.campaignSuspended, true, 'SBX-SUSPENDED'),
];

export const sandboxRoute: Route = {
  routeId: 'sandbox',
  environment,
  prefix: '',
  number: null,
  kind: null,
  weight: 1,
  priority: 100,
  carrierIds: [sandboxCarrierId],
};

/** The simulated carrier, but for where it listens and how to log in, which change with each start. */
export const sandboxCarrier: CarrierRecord = {
  carrierId: sandboxCarrierId,
  environment,
  name: 'Simulated carrier',
  kind: 'smpp',
  enabled: true,
  smpp: {
    host: '',
    port: 0,
    tls: false,
    tlsVerify: true,
    system_id: '',
    password: '',
    system_type: '',
    bindMode: 'transceiver',
    binds: 2,
    window: 100,
    messagesPerSecond: 0,
    source_addr_ton: 1,
    source_addr_npi: 1,
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    idBase: 'auto',
    longMessage: 'udh8',
    defaultAlphabet: 'gsm',
    registered_delivery: true,
    responseTimeoutMs: 30_000,
    enquireLinkMs: 30_000,
    interface_version: 0x34,
  },
};

/** The endpoint of the webhook inbox, but for where that listens and its secret. */
export const sandboxInboxEndpoint: Endpoint = {
  endpointId: inboxEndpointId,
  accountId: sandboxAccountId,
  environment,
  name: 'Sandbox inbox',
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
