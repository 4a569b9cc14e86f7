/**
 * The records every sandbox begins with, as data: a company, its numbers in each state, two campaigns, a carrier of
 * each kind, routes and an endpoint. Secrets are not here: they differ in every installation. Decides nothing and writes nothing.
 */

import type { Mm4CarrierRecord } from '../carriers/mm4/profile.ts';
import type { Mm7CarrierRecord } from '../carriers/mm7/profile.ts';
import type { SmppCarrierRecord } from '../carriers/smpp/profile.ts';
import type { Account, Campaign, Endpoint, Route, SendingNumber } from '../domain/records.ts';
import type { Brand } from '../domain/registration.ts';
import { sandboxNumbers } from '../domain/sandbox.ts';
import { inboxEndpointId } from '../domain/webhook-inbox.ts';
import { demoRegistration, sandboxBrand } from './sandbox-registration.ts';

export const sandboxAccountId = 'sandbox';
const smppId = 'sim-carrier';
const mm7Id = 'sim-mm7';
const mm4Id = 'sim-mm4';
/** The simulated carriers. */
export const sandboxCarrierIds: readonly string[] = [smppId, mm7Id, mm4Id];
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

/** `name`: what the number is there to try. */
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

/** The one rule before there were carriers for MMS. */
export const sandboxSmsRoute: Route = { ...anyRoute, routeId: 'sandbox', carrierIds: [smppId] };

/** Everything, and the pictures of one number over MM4 first. */
export const sandboxRoutes: Route[] = [
  { ...anyRoute, routeId: 'sandbox', carrierIds: [...sandboxCarrierIds] },
  {
    ...anyRoute,
    routeId: 'sandbox-mm4',
    number: sandboxNumbers.readyMm4,
    kind: 'MMS',
    carrierIds: [mm4Id, mm7Id],
  },
];

/** The simulated carrier, but for where it listens and how to log in, which change with each start. */
export const sandboxCarrier: SmppCarrierRecord = {
  carrierId: smppId,
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

const mmsProfile = {
  tlsVerify: true,
  caCertificate: '',
  username: '',
  password: '',
  deliveryReport: true,
  window: 20,
  messagesPerSecond: 0,
  responseTimeoutMs: 60_000,
  mediaBytesMax: 600_000,
};

/** Over MM7, but for its address and the credentials of both directions. */
export const sandboxMm7Carrier: Mm7CarrierRecord = {
  carrierId: mm7Id,
  environment,
  name: 'Simulated carrier (MM7)',
  kind: 'mm7',
  enabled: true,
  mm7: {
    ...mmsProfile,
    url: '',
    clientCertificate: '',
    clientKey: '',
    schema: 'REL-6-MM7-1-4',
    version: '6.8.0',
    vaspId: 'sandbox',
    vasId: '',
    serviceCode: '',
    inbound: { username: '', password: '', addresses: [], clientCertSha256: [] },
  },
};

/** Over MM4, but for its address. It finds our side at any free port. */
export const sandboxMm4Carrier: Mm4CarrierRecord = {
  carrierId: mm4Id,
  environment,
  name: 'Simulated carrier (MM4)',
  kind: 'mm4',
  enabled: true,
  mm4: {
    ...mmsProfile,
    host: '',
    port: 0,
    tls: 'none',
    domain: 'mms.carrier.example',
    ownDomain: 'mms.sandbox.example',
    version: '6.10.0',
    acknowledgement: true,
    ackTimeoutMs: 300_000,
    connections: 2,
    inbound: { host: '127.0.0.1', port: 0, addresses: ['127.0.0.1'], requireTls: false },
  },
};

/** The endpoint of the webhook inbox, but for where that listens and its secret. */
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
