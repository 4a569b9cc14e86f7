/** Lists routing rules in their order, and computes where a message would be routed. */
import { takenBy } from '../../carriers/kinds.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { Lanes } from '../../messaging/send-queue/lanes.ts';
import type { Directory } from '../../model/directory.ts';
import type { Environment, MessageKind, Route } from '../../model/records.ts';
import type { LocalTime } from '../../model/route-hours.ts';
import { explainRoutes, type RouteVerdict, rankedRoutes, routeMoves } from '../../model/routing.ts';

export interface RouteView extends Route {
  version: string;
  /** Whether it can move up or down; otherwise prefix and conditions decide. */
  moves: { up: boolean; down: boolean };
}

export interface CarrierVerdict {
  carrierId: string;
  name: string;
  enabled: boolean;
  takesKind: boolean;
  up: boolean;
  paused: boolean;
}

export interface RouteTest {
  environment: Environment;
  /** Whether the sender is a number of this gateway. */
  isKnownSender: boolean;
  /** Further facts that rules may depend on. */
  campaignId: string | null;
  local: LocalTime;
  timeZone: string;
  /** Every rule in the order of evaluation. */
  rules: (RouteVerdict & { route: Route; carriers: CarrierVerdict[] })[];
  /** As a sentence. */
  outcome: string;
}

export interface RouteService {
  list(): RouteView[];
  test(query: RouteTestQuery): RouteTest;
}

export interface RouteTestQuery {
  from: string;
  to: string;
  kind: MessageKind;
  /** The time; a local time is in the time zone of the sender's account. */
  at: EpochMs | LocalTime;
}

export function createRouteService(parts: {
  directory(): Directory;
  lanes: Pick<Lanes, 'up' | 'isPaused'>;
}): RouteService {
  const { directory, lanes } = parts;

  return {
    list: () => shownRoutes(directory().records.routes),
    test: (query) => testRoutes(directory(), lanes, query),
  };
}

/** The route of such a message by these rules (default: the present ones), and the verdict of every rule. */
export function testRoutes(
  directory: Directory,
  lanes: Pick<Lanes, 'up' | 'isPaused'>,
  { from, to, kind, at }: RouteTestQuery,
  routes: readonly Route[] = directory.records.routes,
): RouteTest {
  const number = directory.number(from);
  const environment = number?.environment ?? 'live';
  const byId = new Map(routes.map((route) => [route.routeId, route]));
  const verdictOn = (carrierId: string): CarrierVerdict => {
    const record = directory.carrier(carrierId);
    const takesKind = record !== undefined && takenBy(record).includes(kind);
    const enabled = record?.enabled === true;
    const name = record?.name ?? carrierId;
    return { carrierId, name, enabled, takesKind, up: lanes.up(carrierId), paused: lanes.isPaused(carrierId) };
  };
  const query = directory.routeQuery({ environment, from, to, kind, at: typeof at === 'number' ? at : 0 });
  const local = typeof at === 'number' ? query.local : at;
  const { campaignId } = query;
  const rules = explainRoutes(routes, { ...query, local }).map((verdict) => {
    const route = byId.get(verdict.routeId)!;
    return { ...verdict, route, carriers: route.carrierIds.map(verdictOn) };
  });
  const facts = { environment, isKnownSender: number !== undefined, campaignId, local };
  return { ...facts, timeZone: directory.timeZoneOf(from), rules, outcome: outcomeOf(rules) };
}

/** In the order of evaluation. */
export function shownRoutes(routes: readonly Route[]): RouteView[] {
  return rankedRoutes(routes).map((route) => ({
    ...route,
    version: recordVersion(route),
    moves: routeMoves(routes, route.routeId),
  }));
}

function outcomeOf(rules: RouteTest['rules']): string {
  const chosen = rules.filter(({ share }) => share > 0);
  if (chosen.length === 0) return 'No rule fits: the message is refused with NO_ROUTE.';
  return chosen
    .map(({ routeId, share, carriers }) => {
      const usable = carriers.filter(({ enabled, takesKind }) => enabled && takesKind);
      const first = usable.find(({ up }) => up) ?? usable[0];
      const part = chosen.length === 1 ? '' : ` (${Math.round(share * 100)} % of such messages)`;
      if (first === undefined)
        return `Rule ${routeId}${part} has no carrier that is on and takes it: refused with NO_ROUTE.`;
      const waits = first.paused
        ? ', where it waits: the carrier is paused'
        : first.up
          ? ''
          : ', where it waits: no carrier of the rule is up';
      return `Rule ${routeId}${part} sends it to ${first.name}${waits}.`;
    })
    .join(' ');
}
