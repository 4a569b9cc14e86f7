/**
 * All records, indexed for the hot path. Rebuilt when records change and immutable afterwards, so a request sees one
 * consistent state.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, KeyId } from '../kernel/ids.ts';
import { demoKeyId } from './demo.ts';
import { isPortalKey } from './people.ts';
import { createQuietClock } from './quiet-hours.ts';
import type {
  Account,
  ApiKey,
  Campaign,
  CarrierRecord,
  Endpoint,
  MessageKind,
  Records,
  SendingNumber,
  TakenBy,
} from './records.ts';
import { profileOf } from './records.ts';
import type { Brand } from './registration.ts';
import { type RepeatRules, setLimits } from './repeats.ts';
import { createWallClock, zoneDefault } from './route-hours.ts';
import { pickRoute, type RouteQuery, rankedRoutes, routeFits } from './routing.ts';

/** The facts about a message that the caller passes; the records have the rest. */
export interface RouteFacts extends Omit<RouteQuery, 'campaignId' | 'local'> {
  at: EpochMs;
}

export interface Directory {
  readonly version: number;
  readonly records: Records;
  account(accountId: AccountId): Account | undefined;
  number(digits: string): SendingNumber | undefined;
  campaign(campaignId: string): Campaign | undefined;
  brand(brandId: string): Brand | undefined;
  keyByBearerHash(hash: string): ApiKey | undefined;
  keyByAuthHash(hash: string): ApiKey | undefined;
  carrier(carrierId: string): CarrierRecord | undefined;
  /** Undefined for a deleted one. */
  endpoint(endpointId: string): Endpoint | undefined;
  /** Enabled or not; without the deleted ones. */
  endpointsOf(accountId: AccountId): readonly Endpoint[];
  holdAccountIds: readonly string[];
  /** Built on demand: only the sweep needs it. */
  repeatRules(): RepeatRules;
  /**
   * Enabled carriers that take this kind, in failover order; [] when no rule matches. `fraction` in [0, 1) picks among
   * equal rules by weight.
   */
  carriersFor(facts: RouteFacts, fraction: number): readonly string[];
  /** Whether a matching rule names this carrier, and it is enabled and takes this kind. */
  namesCarrier(facts: RouteFacts, carrierId: string): boolean;
  /** All facts that a rule may depend on. */
  routeQuery(facts: RouteFacts): Required<RouteQuery>;
  /** The time zone for hours in the rules of a sending number. */
  timeZoneOf(number: string): string;
  /** Until when a message of the account from this number waits for its quiet hours; null = it may be sent now. */
  quietUntil(account: Account, number: string, at: EpochMs): EpochMs | null;
}

export function createDirectory(records: Records, takenBy: TakenBy): Directory {
  const accounts = new Map(records.accounts.map((a) => [a.accountId, a]));
  const numbers = new Map(records.numbers.map((n) => [n.number, n]));
  const campaigns = new Map(records.campaigns.map((c) => [c.campaignId, c]));
  const brands = new Map(records.brands.map((b) => [b.brandId, b]));
  const byBearer = new Map(records.apiKeys.map((k) => [k.bearerHash, k]));
  const byAuth = new Map(records.apiKeys.map((k) => [k.authHash, k]));
  const carriers = new Map(records.carriers.map((c) => [c.carrierId, c]));
  const kept = records.endpoints.filter((endpoint) => endpoint.deletedAt === null);
  const endpoints = new Map(kept.map((e) => [e.endpointId, e]));
  const endpointsByAccount = Map.groupBy(kept, (e) => e.accountId);
  const ranked = rankedRoutes(records.routes);
  const wallClock = createWallClock();
  const quietClock = createQuietClock();
  const timeZoneOf = (digits: string): string =>
    accounts.get(numbers.get(digits)?.accountId ?? '')?.timeZone ?? zoneDefault;
  const routeQuery = ({ at, ...query }: RouteFacts): Required<RouteQuery> => ({
    ...query,
    campaignId: numbers.get(query.from)?.campaignId ?? null,
    local: wallClock(at, timeZoneOf(query.from)),
  });
  // When no rule has further conditions, nothing more is looked up.
  const needsMore = ranked.some(({ campaignId, hours }) => campaignId !== undefined || hours !== undefined);
  const queryOf = (facts: RouteFacts): RouteQuery => (needsMore ? routeQuery(facts) : facts);
  /** Kinds that each enabled carrier takes, cached at first use. */
  const taken = new Map<string, readonly MessageKind[]>();
  const takes = (carrierId: string, kind: MessageKind): boolean => {
    const known = taken.get(carrierId);
    if (known !== undefined) return known.includes(kind);
    const carrier = carriers.get(carrierId);
    if (carrier?.enabled !== true) return false;
    const kinds = takenBy(carrier);
    taken.set(carrierId, kinds);
    return kinds.includes(kind);
  };
  return {
    version: records.version,
    records,
    account: (id) => accounts.get(id),
    number: (digits) => numbers.get(digits),
    campaign: (id) => campaigns.get(id),
    brand: (id) => brands.get(id),
    keyByBearerHash: (hash) => byBearer.get(hash),
    keyByAuthHash: (hash) => byAuth.get(hash),
    carrier: (id) => carriers.get(id),
    endpoint: (id) => endpoints.get(id),
    endpointsOf: (accountId) => endpointsByAccount.get(accountId) ?? [],
    holdAccountIds: records.accounts.filter((a) => a.uncertainPolicy === 'hold').map((a) => a.accountId),
    repeatRules: () => ({
      accounts: setLimits(records.accounts.map((account) => [account.accountId, account])),
      carriers: setLimits(records.carriers.map((carrier) => [carrier.carrierId, profileOf(carrier)])),
    }),
    carriersFor: (facts, fraction) => {
      const route = pickRoute(ranked, queryOf(facts), fraction);
      return route === null ? [] : route.carrierIds.filter((id) => takes(id, facts.kind));
    },
    namesCarrier: (facts, carrierId) => {
      if (!takes(carrierId, facts.kind)) return false;
      const query = queryOf(facts);
      return ranked.some((route) => route.carrierIds.includes(carrierId) && routeFits(route, query));
    },
    routeQuery,
    timeZoneOf,
    quietUntil: ({ quietHours, timeZone = zoneDefault }, number, at) => {
      if (quietHours === undefined) return null;
      const campaignId = numbers.get(number)?.campaignId ?? null;
      if (campaignId !== null && quietHours.exceptCampaigns?.includes(campaignId) === true) return null;
      return quietClock.until(quietHours, timeZone, at);
    },
  };
}

/** Name of what people send from the portal. */
export const portalName = 'Portal';
/** Name of generated traffic. */
export const demoName = 'demo';
/** Name of the answers to STOP, START and HELP. */
export const answerName = 'Automatic answer';

/** Names the sender of a message: a key pair, a person in the portal, or the gateway itself. */
export function keyNameOf({ records }: Directory, keyId: KeyId): string {
  if (isPortalKey(keyId)) return portalName;
  if (keyId.startsWith('consent:')) return answerName;
  if (keyId === demoKeyId) return demoName;
  return records.apiKeys.find((key) => key.keyId === keyId)?.name ?? keyId;
}
