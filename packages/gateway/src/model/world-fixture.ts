/**
 * The records that tests share: three companies with their numbers, keys and carriers. A test names the values that it
 * needs and takes the rest from here; the fixtures of a room add what only that room has. Imports no test runner, so
 * that processes started by tests can use it too. Each room's fixture builds a message in its form: accepted and stored
 * in `store/contract/fixture.ts`, claimed in `messaging/send-queue/lane-fixture.ts`, submitted in
 * `carriers/carrier-fixture.ts`, reported by webhook in `subjects/webhooks/notify/outbox-fixture.ts`. Clocks and
 * randomness are in `test/props/`.
 */
import { t0 } from '../../../../test/props/clock.ts';
import { buildDirectory } from '../carriers/directory.ts';
import { machineRandom } from '../kernel/machine.ts';
import { type CredentialPair, generatePair } from './credential.ts';
import type { Directory } from './directory.ts';
import {
  type Account,
  type ApiKey,
  type Campaign,
  type CarrierRecord,
  type Endpoint,
  noRecords,
  type Records,
  type Route,
  type SendingNumber,
} from './records.ts';

/** The sending number and a recipient. */
export const own = '12025550199';
export const contact = '12025550100';

export const company = (accountId: string, more: Partial<Account> = {}): Account => ({
  accountId,
  name: accountId,
  status: 'active',
  destinations: ['US'],
  uncertainPolicy: 'resend',
  smartEncoding: false,
  requestsPerSecond: 0,
  mmsFallback: 'none',
  supportContact: '',
  ...more,
});

/** Sends live messages in the tests of the core. */
export const acme = company('acc1', {
  name: 'Acme',
  destinations: ['US', 'CA'],
  supportContact: 'help@acme.example',
});
/** Uses API and portal in the sandbox; the other company must not see anything of it. */
export const account = company('acc_one', { name: 'One' });
export const accounts = [account, company('acc_two', { name: 'Two' })];
export const inSandbox = { accountId: account.accountId, environment: 'sandbox' } as const;
export const inLive = { accountId: account.accountId, environment: 'live' } as const;
export const ofOther = { accountId: 'acc_two', environment: 'sandbox' } as const;

/** A number on Acme's approved campaign. */
export const number = (digits: string, more: Partial<SendingNumber> = {}): SendingNumber => ({
  number: digits,
  accountId: acme.accountId,
  environment: 'live',
  smsEnabled: true,
  mmsEnabled: true,
  campaignId: 'C1',
  messagesPerSecond: 0,
  ...more,
});

/** A campaign of Acme. */
export const campaign = (campaignId: string, more: Partial<Campaign> = {}): Campaign => ({
  campaignId,
  accountId: acme.accountId,
  environment: 'live',
  name: campaignId,
  status: 'approved',
  optOutText: null,
  optInText: null,
  helpText: null,
  ...more,
});

export const newPair = (environment: 'sandbox' | 'live' = 'sandbox'): CredentialPair =>
  generatePair(machineRandom, environment);

/** A key pair of `account` with all scopes and no limits. */
export const keyOf = (pair: CredentialPair, more: Partial<ApiKey> = {}): ApiKey => ({
  ...inSandbox,
  keyId: pair.keyId,
  name: 'test',
  bearerHash: pair.bearerHash,
  authHash: pair.authHash,
  scopes: ['send', 'read', 'admin'],
  allowedIps: [],
  exactShape: false,
  requestsPerSecond: 0,
  burst: 0,
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  ...more,
});

/** Without settings of its kind; `carriers/<kind>/` has fixtures with real ones. */
export const carrier = (carrierId: string, kind = 'smpp', more: object = {}): CarrierRecord => ({
  ...{ carrierId, environment: 'live', name: carrierId, kind, enabled: true, [kind]: {} },
  ...more,
});

/** Matches every message. */
export const route = (routeId: string, carrierIds: string[], more: Partial<Route> = {}): Route => ({
  routeId,
  environment: 'live',
  prefix: '',
  number: null,
  kind: null,
  weight: 1,
  priority: 0,
  carrierIds,
  ...more,
});

/** An endpoint of Acme for every event. */
export const endpoint = (endpointId: string, more: Partial<Endpoint> = {}): Endpoint => ({
  endpointId,
  accountId: acme.accountId,
  environment: 'live',
  name: endpointId,
  url: `https://${endpointId}.example/hook`,
  types: null,
  format: 'standard',
  number: null,
  campaignId: null,
  header: null,
  secrets: [{ secret: 'sealed whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', expiresAt: null }],
  createdAt: t0,
  disabled: null,
  deletedAt: null,
  ...more,
});

/** Only the given records. */
export const recordsWith = (more: Partial<Records>): Records => ({ version: 1, ...noRecords(), ...more });

/** Acme's number on its campaign, and carriers `a` and `b` in failover order. */
export const records = (more: Partial<Records> = {}): Records =>
  recordsWith({
    numbers: [number(own)],
    campaigns: [campaign('C1')],
    carriers: [carrier('a'), carrier('b')],
    routes: [route('r', ['a', 'b'])],
    ...more,
  });

export const directoryOf = (more: Partial<Records> = {}): Directory => buildDirectory(records(more));
