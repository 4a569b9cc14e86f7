/**
 * The records of all accounts, indexed for the questions the hot path asks. Built anew whenever the records change and
 * then never altered, so that one request sees one state of the world.
 */
import type {
  Account,
  ApiKey,
  Campaign,
  CarrierRecord,
  Endpoint,
  MessageKind,
  Records,
  SendingNumber,
} from './records.ts';
import { carrierAbilities } from './records.ts';
import type { Brand } from './registration.ts';
import { pickRoute, type RouteQuery, rankedRoutes, routeFits } from './routing.ts';

export interface Directory {
  readonly version: number;
  readonly records: Records;
  account(accountId: string): Account | undefined;
  number(digits: string): SendingNumber | undefined;
  campaign(campaignId: string): Campaign | undefined;
  brand(brandId: string): Brand | undefined;
  keyByBearerHash(hash: string): ApiKey | undefined;
  keyByAuthHash(hash: string): ApiKey | undefined;
  carrier(carrierId: string): CarrierRecord | undefined;
  /** Undefined for a deleted one. */
  endpoint(endpointId: string): Endpoint | undefined;
  /** Enabled or not; without the deleted ones. */
  endpointsOf(accountId: string): readonly Endpoint[];
  holdAccountIds: readonly string[];
  /** Enabled carriers that take this kind, in failover order; [] when no rule fits. `fraction` in [0, 1) picks among equal rules by weight. */
  carriersFor(query: RouteQuery, fraction: number): readonly string[];
  /** Whether any rule that fits names this carrier, and it is enabled and takes this kind. */
  namesCarrier(query: RouteQuery, carrierId: string): boolean;
}

export function buildDirectory(records: Records): Directory {
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
  const takes = (carrierId: string, kind: MessageKind): boolean => {
    const carrier = carriers.get(carrierId);
    return carrier?.enabled === true && carrierAbilities[carrier.kind].includes(kind);
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
    carriersFor: (query, fraction) => {
      const route = pickRoute(ranked, query, fraction);
      return route === null ? [] : route.carrierIds.filter((id) => takes(id, query.kind));
    },
    namesCarrier: (query, carrierId) =>
      takes(carrierId, query.kind) &&
      ranked.some((route) => route.carrierIds.includes(carrierId) && routeFits(route, query)),
  };
}
