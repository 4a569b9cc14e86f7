/**
 * Turns entries into records: names become ids, tokens become hashes. Values that a file cannot contain (generated
 * pairs, times) keep their stored state.
 */
import type { Clock, Random } from '../../kernel/clock.ts';
import type { KeyId } from '../../kernel/ids.ts';
import { Secret } from '../../kernel/secret.ts';
import { type AlertRule, alertTraits } from '../../model/alert.ts';
import { generatePair, hashCredential, pairHints, parseCredential } from '../../model/credential.ts';
import type { Account, ApiKey, Route } from '../../model/records.ts';
import { isSenderName } from '../../model/sender-name.ts';
import type { AccountEntry, AlertEntry, KeyEntry, RecordsFile, RouteEntry } from './entries.ts';
import type { RecordLists } from './kinds.ts';
import { besideEntry } from './merge.ts';
import { type CarrierParts, type ReportProblem, resolveCarrier } from './resolve-carrier.ts';

export interface ResolveParts extends CarrierParts {
  clock: Clock;
  random: Random;
}

/** A pair created in this run: its tokens are known only now. */
export interface GeneratedPair {
  keyId: KeyId;
  bearerToken: Secret;
  authToken: Secret;
}

export interface Resolved {
  records: RecordLists;
  generated: GeneratedPair[];
  problems: string[];
}

export function resolveEntries(file: RecordsFile, parts: ResolveParts): Resolved {
  const problems: string[] = [];
  const generated: GeneratedPair[] = [];
  const report = (problem: string) => void problems.push(problem);
  const accounts = new Map(parts.onRecord.accounts.map((one) => [one.accountId, one]));
  const numbers = new Map(parts.onRecord.numbers.map((one) => [one.number, one]));
  const campaigns = new Map(parts.onRecord.campaigns.map((one) => [one.campaignId, one]));
  const records: RecordLists = {
    accounts: file.accounts.map((entry) => resolveAccount(entry, accounts.get(entry.id))),
    // Created in the portal, never by a file.
    brands: [],
    numbers: file.numbers.map(({ account, campaign, mmsEnabled, ...rest }) => ({
      ...besideEntry('numbers', numbers.get(rest.number)),
      ...rest,
      accountId: account,
      campaignId: campaign,
      mmsEnabled: mmsEnabled ?? (rest.smsEnabled && !isSenderName(rest.number)),
    })),
    campaigns: file.campaigns.map(({ id, account, name, ...rest }) => ({
      ...besideEntry('campaigns', campaigns.get(id)),
      ...rest,
      campaignId: id,
      accountId: account,
      name: name ?? id,
    })),
    apiKeys: file.keys.flatMap(
      (entry) => resolveKey(entry, parts, generated, (problem) => report(`key ${entry.id}: ${problem}`)) ?? [],
    ),
    carriers: file.carriers.flatMap(
      (entry) => resolveCarrier(entry, parts, (problem) => report(`carrier ${entry.id}: ${problem}`)) ?? [],
    ),
    routes: file.routes.map(resolveRoute),
    // Created through the API or the portal, never by a file, because their secrets are generated there.
    endpoints: [],
    alerts: file.alerts.map(resolveAlert),
  };
  return { records, generated, problems };
}

export function resolveAccount(entry: AccountEntry, earlier: Account | undefined): Account {
  const { id, quietHours, waitingSecondsMax, ...rest } = entry;
  return {
    ...besideEntry('accounts', earlier),
    accountId: id,
    ...rest,
    ...(quietHours != null && { quietHours }),
    ...(waitingSecondsMax != null && { waitingSecondsMax }),
  };
}

/** The record has only the conditions that the rule sets. */
export function resolveRoute({ id, carriers, campaign, hours, ...rest }: RouteEntry): Route {
  return {
    ...rest,
    ...(campaign !== null && { campaignId: campaign }),
    ...(hours !== null && { hours }),
    routeId: id,
    carrierIds: carriers,
  };
}

/** A rule is stored completely. */
export function resolveAlert({ id, enabled = true, limit, forSeconds }: AlertEntry): AlertRule {
  const byDefault = alertTraits[id];
  return {
    alertId: id,
    enabled,
    limit: limit ?? byDefault.limit,
    forSeconds: forSeconds ?? byDefault.forSeconds,
  };
}

function resolveKey(
  entry: KeyEntry,
  parts: ResolveParts,
  generated: GeneratedPair[],
  report: ReportProblem,
): ApiKey | null {
  const { id, account, name, bearerToken, authToken, generate, expiresAt, revoked, ...rest } = entry;
  const earlier = parts.onRecord.apiKeys.find((key) => key.keyId === id);
  if (earlier !== undefined && earlier.environment !== entry.environment) {
    report(`its environment is ${earlier.environment} for good; give a ${entry.environment} key another id`);
    return null;
  }
  if (earlier?.revokedAt != null && !revoked) {
    report('it was revoked and stays so; keep "revoked": true, and give a new pair another id');
    return null;
  }
  const isNamed = generate || bearerToken !== undefined || authToken !== undefined;
  const kept = earlier !== undefined && !isNamed;
  const hashes = kept
    ? hashesOf(earlier)
    : generate
      ? generatedHashes(entry, earlier, parts, generated, report)
      : givenHashes(entry, report);
  if (hashes === null) return null;
  const now = parts.clock.now();
  return {
    ...rest,
    ...hashes,
    keyId: id,
    accountId: account,
    name: name ?? id,
    createdAt: earlier?.createdAt ?? now,
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    revokedAt: revoked ? (earlier?.revokedAt ?? now) : null,
    ...(earlier?.createdBy !== undefined && { createdBy: earlier.createdBy }),
    ...(earlier?.replacedBy !== undefined && { replacedBy: earlier.replacedBy }),
    ...(earlier?.countsWith !== undefined && { countsWith: earlier.countsWith }),
  };
}

type Hashes = Pick<ApiKey, 'bearerHash' | 'authHash' | 'bearerHint' | 'authHint'>;

function generatedHashes(
  { id, environment, bearerToken, authToken }: KeyEntry,
  earlier: ApiKey | undefined,
  { random }: ResolveParts,
  generated: GeneratedPair[],
  report: ReportProblem,
): Hashes | null {
  if (bearerToken !== undefined || authToken !== undefined) {
    report('it has "generate": true and tokens; allowed: one or the other');
    return null;
  }
  if (earlier !== undefined) return hashesOf(earlier);
  const pair = generatePair(random, environment);
  generated.push({ keyId: id, bearerToken: new Secret(pair.bearerToken), authToken: new Secret(pair.authToken) });
  return { bearerHash: pair.bearerHash, authHash: pair.authHash, ...pairHints(pair) };
}

function hashesOf({ bearerHash, authHash, bearerHint, authHint }: ApiKey): Hashes {
  return { bearerHash, authHash, ...(bearerHint && { bearerHint }), ...(authHint && { authHint }) };
}

function givenHashes({ environment, bearerToken, authToken }: KeyEntry, report: ReportProblem): Hashes | null {
  if (bearerToken === undefined || authToken === undefined) {
    report('it has no tokens; allowed: "bearerToken" and "authToken", or "generate": true');
    return null;
  }
  if (bearerToken === authToken) {
    report('its Bearer Token and its Auth Token are the same; they must differ');
    return null;
  }
  for (const [kind, token] of [
    ['bearer', bearerToken],
    ['auth', authToken],
  ] as const) {
    const parsed = parseCredential(token);
    if (parsed.form === 'issued' && (parsed.kind !== kind || parsed.environment !== environment)) {
      report(
        `its ${kind}Token is the ${parsed.kind} token of a ${parsed.environment} pair; allowed: the ${kind} token of a ${environment} pair`,
      );
      return null;
    }
  }
  return { bearerHash: hashCredential(bearerToken), authHash: hashCredential(authToken) };
}
