/**
 * Chooses the routing rule of a message: longest prefix, then most conditions, then lowest `priority`; equal rules
 * share by weight. Used when sending, by the route tester and by rerouting. Pure.
 */
import type { Environment, MessageKind, Route } from './records.ts';
import { isWithin, type LocalTime } from './route-hours.ts';

export interface RouteQuery {
  environment: Environment;
  from: string;
  to: string;
  kind: MessageKind;
  /** The campaign of the sending number. Both may be left out when no rule depends on them. */
  campaignId?: string | null;
  local?: LocalTime;
}

export const routePriorityMax = 1_000;

function conditions(route: Route): number {
  return (
    (route.number === null ? 0 : 1) +
    (route.kind === null ? 0 : 1) +
    (route.campaignId === undefined ? 0 : 1) +
    (route.hours === undefined ? 0 : 1)
  );
}

function rank(a: Route, b: Route): number {
  return b.prefix.length - a.prefix.length || conditions(b) - conditions(a) || a.priority - b.priority;
}

/** In the order in which rules are evaluated. */
export function rankedRoutes(routes: readonly Route[]): Route[] {
  return [...routes].sort((a, b) => rank(a, b) || (a.routeId < b.routeId ? -1 : 1));
}

export function routeFits(route: Route, query: RouteQuery): boolean {
  return (
    route.environment === query.environment &&
    query.to.startsWith(route.prefix) &&
    (route.number === null || route.number === query.from) &&
    (route.kind === null || route.kind === query.kind) &&
    (route.campaignId === undefined || route.campaignId === query.campaignId) &&
    isOpen(route, query)
  );
}

function isOpen({ hours }: Route, { local }: RouteQuery): boolean {
  return hours === undefined || (local !== undefined && isWithin(hours, local));
}

/** The rules that share a message: the first match and its equals; [] when none matches. */
export function sharing(ranked: readonly Route[], query: RouteQuery): Route[] {
  const first = ranked.find((route) => routeFits(route, query));
  return first === undefined ? [] : ranked.filter((route) => rank(route, first) === 0 && routeFits(route, query));
}

/** `fraction` in [0, 1) picks among equal rules by weight. */
export function pickRoute(ranked: readonly Route[], query: RouteQuery, fraction: number): Route | null {
  const equals = sharing(ranked, query);
  const total = equals.reduce((sum, route) => sum + route.weight, 0);
  let left = fraction * total;
  for (const route of equals) {
    left -= route.weight;
    if (left < 0) return route;
  }
  return equals[0] ?? null;
}

export interface RouteVerdict {
  routeId: string;
  /** Why it does not match; [] when it does. */
  misses: ('environment' | 'prefix' | 'number' | 'kind' | 'campaign' | 'hours')[];
  /** Its share of such messages, 0 to 1; also 0 for a matching rule that another one precedes. */
  share: number;
}

/** Every rule in the order of evaluation, with its verdict on such a message. */
export function explainRoutes(routes: readonly Route[], query: RouteQuery): RouteVerdict[] {
  const ranked = rankedRoutes(routes);
  const equals = sharing(ranked, query);
  const total = equals.reduce((sum, route) => sum + route.weight, 0);
  return ranked.map((route) => {
    const misses: RouteVerdict['misses'] = [];
    if (route.environment !== query.environment) misses.push('environment');
    if (!query.to.startsWith(route.prefix)) misses.push('prefix');
    if (route.number !== null && route.number !== query.from) misses.push('number');
    if (route.kind !== null && route.kind !== query.kind) misses.push('kind');
    if (route.campaignId !== undefined && route.campaignId !== query.campaignId) misses.push('campaign');
    if (!isOpen(route, query)) misses.push('hours');
    return { routeId: route.routeId, misses, share: equals.includes(route) ? route.weight / total : 0 };
  });
}

/**
 * The rules that change when one moves up or down; null when that is impossible: its neighbour has another prefix or
 * number of conditions, which count before the priority. A rule that shared its priority gets its own.
 */
export function moveRoute(routes: readonly Route[], routeId: string, way: 'up' | 'down'): Route[] | null {
  const found = tiersOf(routes, routeId);
  if (found === null) return null;
  const { moved, tiers } = found;
  const at = tiers.findIndex((tier) => tier.includes(moved));
  const step = way === 'up' ? -1 : 1;
  if (tiers[at]!.length > 1) {
    const others = tiers[at]!.filter((route) => route !== moved);
    tiers.splice(at, 1, ...(way === 'up' ? [[moved], others] : [others, [moved]]));
  } else if (tiers[at + step] !== undefined) {
    [tiers[at], tiers[at + step]] = [tiers[at + step]!, tiers[at]!];
  } else return null;
  return renumbered(tiers);
}

/**
 * The same, to the position right before or after another rule; null when the priority does not decide between the two.
 */
export function moveRouteTo(
  routes: readonly Route[],
  routeId: string,
  { side, besideId }: { side: 'before' | 'behind'; besideId: string },
): Route[] | null {
  const found = tiersOf(routes, routeId);
  if (found === null || besideId === routeId) return null;
  const { moved, tiers } = found;
  const others = tiers.map((tier) => tier.filter((route) => route !== moved)).filter((tier) => tier.length > 0);
  const at = others.findIndex((tier) => tier.some((route) => route.routeId === besideId));
  if (at === -1) return null;
  others.splice(side === 'before' ? at : at + 1, 0, [moved]);
  return renumbered(others);
}

/** The rules that are ordered only by priority, grouped by it, in order. */
function tiersOf(routes: readonly Route[], routeId: string): { moved: Route; tiers: Route[][] } | null {
  const moved = routes.find((route) => route.routeId === routeId);
  if (moved === undefined) return null;
  const rivals = rankedRoutes(routes).filter((route) => areRivals(route, moved));
  return { moved, tiers: [...Map.groupBy(rivals, ({ priority }) => priority).values()] };
}

/** The rules whose priority changes; null when there are more positions than priorities. */
function renumbered(tiers: readonly Route[][]): Route[] | null {
  const gap = Math.min(10, Math.floor(routePriorityMax / tiers.length));
  if (gap === 0) return null;
  return tiers.flatMap((tier, index) =>
    tier
      .filter((route) => route.priority !== (index + 1) * gap)
      .map((route) => ({ ...route, priority: (index + 1) * gap })),
  );
}

/** Only between these does the priority decide. */
function areRivals(a: Route, b: Route): boolean {
  return a.environment === b.environment && a.prefix === b.prefix && conditions(a) === conditions(b);
}

/** Whether a rule can move up or down among those that are ordered by priority. */
export function routeMoves(routes: readonly Route[], routeId: string): { up: boolean; down: boolean } {
  return { up: moveRoute(routes, routeId, 'up') !== null, down: moveRoute(routes, routeId, 'down') !== null };
}
