/**
 * Seeds the sandbox at each start, and keeps its key pair in plain text in the data folder. Existing records keep the
 * operator's changes, except the addresses of simulator and inbox. Live records are never touched.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock, EpochMs, Random } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import { type CredentialPair, generatePair, hashCredential, pairHints } from '../../model/credential.ts';
import { defaultLimits } from '../../model/limits.ts';
import { type ApiKey, type Campaign, noRecords, type Records, type Route } from '../../model/records.ts';
import { sandboxNumbers, sandboxTestNumbers } from '../../model/sandbox.ts';
import { diffRecords } from './diff.ts';
import { type FirstSteps, readFirstSteps, writeFirstSteps } from './first-steps.ts';
import { inboxEndpoint } from './inbox-endpoint.ts';
import { type RecordLists, withRecords } from './kinds.ts';
import {
  sandboxAccount,
  sandboxAccountId,
  sandboxBrands,
  sandboxCampaigns,
  sandboxCarriers,
  sandboxRoutes,
  sandboxSendingNumbers,
  sandboxSmsRoute,
} from './sandbox-records.ts';
import { type SimulatedCarrier, simulatedCarriers } from './simulated-carriers.ts';

export type { FirstSteps } from './first-steps.ts';
export type { SimulatedCarrier } from './simulated-carriers.ts';

export interface SeedParts {
  dataDir: string;
  sealer: Sealer;
  random: Random;
  clock: Clock;
  /** Where the simulated carriers listen. */
  carriers: readonly SimulatedCarrier[];
  /** The address of the webhook inbox; without one no endpoint is seeded. */
  inboxUrl?: string;
  baseUrl: string;
}

/** Seeds only company, campaigns and numbers, so that a records file may name them before anything listens. */
export async function seedRecords(store: Pick<RecordsStore, 'records' | 'putRecords'>): Promise<void> {
  await put(store, company, noRecords());
}

/** Seeds everything and writes `first-steps.json`. Safe to call at each start; a lost file leads to a new pair. */
export async function seedSandbox(
  store: Pick<RecordsStore, 'records' | 'putRecords'>,
  { dataDir, sealer, random, clock, carriers: running, inboxUrl: url, baseUrl }: SeedParts,
): Promise<FirstSteps> {
  const records = await store.records();
  const earlier = readFirstSteps(dataDir);
  const { pair, apiKeys } = seededPair(records.apiKeys, earlier, random, clock.now());
  const carriers = simulatedCarriers(records.carriers, running, sealer);
  const endpoints = url === undefined ? [] : [inboxEndpoint(records, { url, sealer, random, now: clock.now() })];
  // Write the records first: then a pair in the file always works, and a crash in between only loses a pair that nobody
  // has seen.
  const changing = {
    ...noRecords(),
    apiKeys,
    carriers,
    endpoints,
    routes: outgrownRoute(records.routes),
    campaigns: outgrownDemo(records.campaigns),
  };
  await put(store, { ...company, routes: sandboxRoutes }, changing);
  const firstSteps = {
    baseUrl,
    ...pair,
    from: sandboxNumbers.ready,
    handsets: sandboxTestNumbers.map((row) => row.number).filter((number) => number <= lastOrdinaryHandset),
    ...addressesOf(running),
  } as FirstSteps;
  writeFirstSteps(dataDir, firstSteps);
  return firstSteps;
}

/** By the kind of each carrier. */
function addressesOf(running: readonly SimulatedCarrier[]): Record<string, SimulatedCarrier['address']> {
  const found = sandboxCarriers.flatMap(({ carrierId, kind }) =>
    running.filter((one) => one.carrierId === carrierId).map(({ address }) => [kind, address] as const),
  );
  return Object.fromEntries(found);
}

/**
 * The effective records when the sandbox is off: without sandbox keys, numbers, campaigns, carriers, routes and
 * endpoints.
 */
export function withoutSandbox(records: Records): Records {
  const live = <T extends { environment: string }>(list: T[]): T[] => list.filter((one) => one.environment === 'live');
  return {
    ...records,
    numbers: live(records.numbers),
    campaigns: live(records.campaigns),
    brands: live(records.brands),
    apiKeys: live(records.apiKeys),
    carriers: live(records.carriers),
    routes: live(records.routes),
    endpoints: live(records.endpoints),
  };
}

const lastOrdinaryHandset = '12025550109';
const seededName = 'Seeded sandbox pair';

const company: RecordLists = {
  ...noRecords(),
  accounts: [sandboxAccount],
  brands: sandboxBrands,
  campaigns: sandboxCampaigns,
  numbers: sandboxSendingNumbers,
};

/** Adds the `missing` records and writes the `changing` ones, if anything differs. */
async function put(
  store: Pick<RecordsStore, 'records' | 'putRecords'>,
  missing: RecordLists,
  changing: RecordLists,
): Promise<void> {
  const records = await store.records();
  const { changes, records: changed } = diffRecords(records, withRecords(withRecords(missing, records), changing));
  if (changed.length > 0) await store.putRecords(changes);
}

/** The pair in the file while it is valid, else a new one; every other seeded pair is revoked. */
function seededPair(keys: readonly ApiKey[], earlier: FirstSteps | null, random: Random, now: EpochMs) {
  // If a person rotated the seeded pair, the new one has its name but belongs to that person.
  const seeded = keys.filter(
    ({ accountId, name, revokedAt, createdBy }) =>
      accountId === sandboxAccountId && name === seededName && revokedAt === null && createdBy === undefined,
  );
  const kept = seeded.find((key) => earlier !== null && isPairOf(key, earlier) && (key.expiresAt ?? now + 1) > now);
  if (kept !== undefined && earlier !== null) {
    const { bearerToken, authToken } = earlier;
    return {
      pair: { bearerToken, authToken },
      apiKeys: revoked(
        seeded.filter((key) => key !== kept),
        now,
      ),
    };
  }
  const made = generatePair(random, 'sandbox');
  const { bearerToken, authToken } = made;
  return { pair: { bearerToken, authToken }, apiKeys: [...revoked(seeded, now), seededKey(made, now)] };
}

function isPairOf(key: ApiKey, { bearerToken, authToken }: FirstSteps): boolean {
  return key.bearerHash === hashCredential(bearerToken) && key.authHash === hashCredential(authToken);
}

function revoked(keys: readonly ApiKey[], now: EpochMs): ApiKey[] {
  return keys.map((key) => ({ ...key, revokedAt: now }));
}

function seededKey(made: CredentialPair, now: EpochMs): ApiKey {
  const { keyId, bearerHash, authHash } = made;
  return {
    ...pairHints(made),
    keyId,
    accountId: sandboxAccountId,
    environment: 'sandbox',
    name: seededName,
    bearerHash,
    authHash,
    scopes: ['send', 'read', 'admin'],
    allowedIps: [],
    exactShape: false,
    requestsPerSecond: defaultLimits.requestsPerSecond,
    burst: defaultLimits.burst,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
  };
}

/** Adds the MMS carriers to a rule seeded by an earlier version, unless somebody changed it. */
function outgrownRoute(onRecord: readonly Route[]): Route[] {
  return onRecord.some((route) => isDeepStrictEqual(route, sandboxSmsRoute)) ? sandboxRoutes.slice(0, 1) : [];
}

/** Adds the registration to a demo campaign seeded by an earlier version, unless somebody changed it. */
function outgrownDemo(onRecord: readonly Campaign[]): Campaign[] {
  const [demo] = sandboxCampaigns;
  const { registration: _, carriers: __, history: ___, versions: ____, ...bare } = demo!;
  return onRecord.some((campaign) => isDeepStrictEqual(campaign, bare)) ? [demo!] : [];
}
