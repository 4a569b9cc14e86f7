/** Routing rules as an operator edits them, in the order in which they are looked at, and the answer to "where would it go". */
import type { Directory } from '../../domain/directory.ts';
import { recordVersion } from '../../domain/record-version.ts';
import {
  carrierAbilities,
  type Environment,
  type MessageKind,
  type Records,
  type Route,
} from '../../domain/records.ts';
import { explainRoutes, moveRoute, type RouteVerdict, rankedRoutes, routeMoves } from '../../domain/routing.ts';
import type { Lanes } from '../lanes.ts';
import { fault, type Person, type Refusal } from '../people/people-parts.ts';
import {
  type Changed,
  changedSince,
  difference,
  type Form,
  type RecordRules,
  type RecordsDesk,
} from './records-desk.ts';

export interface RouteView extends Route {
  version: string;
  /** Whether it can be looked at earlier or later; elsewhere prefix and conditions decide. */
  moves: { up: boolean; down: boolean };
}

export interface CarrierVerdict {
  carrierId: string;
  enabled: boolean;
  takesKind: boolean;
  up: boolean;
  paused: boolean;
}

export interface RouteTest {
  environment: Environment;
  /** Whether the sender is a number of this gateway. */
  isKnownSender: boolean;
  /** Every rule, in the order in which they are looked at. */
  rules: (RouteVerdict & { route: Route; carriers: CarrierVerdict[] })[];
  /** In words. */
  outcome: string;
}

type Done<T> = Promise<{ kind: 'done'; result: T } | Refusal | Changed>;

export interface RouteDesk {
  list(): RouteView[];
  save(person: Person, request: { routeId: string | null; version: string; form: Form }): Done<{ routeId: string }>;
  drop(person: Person, routeId: string): Done<Route>;
  move(person: Person, routeId: string, way: 'up' | 'down'): Done<Route[]>;
  test(query: { from: string; to: string; kind: MessageKind }): RouteTest;
}

export function createRouteDesk(parts: {
  desk: RecordsDesk;
  rules: RecordRules;
  directory(): Directory;
  lanes: Pick<Lanes, 'up' | 'isPaused'>;
}): RouteDesk {
  const { desk, directory, lanes, rules } = parts;

  function carrierVerdict(carrierId: string, kind: MessageKind): CarrierVerdict {
    const record = directory().carrier(carrierId);
    const takesKind = record !== undefined && carrierAbilities[record.kind].includes(kind);
    const enabled = record?.enabled === true;
    return { carrierId, enabled, takesKind, up: lanes.up(carrierId), paused: lanes.isPaused(carrierId) };
  }

  return {
    list: () => shownRoutes(directory().records.routes),
    save: (person, { routeId, version, form }) =>
      desk.edit(person, (records) => {
        const earlier = records.routes.find((one) => one.routeId === (routeId ?? form.id));
        if (routeId === null && earlier !== undefined) return fault('id', 'There is a rule with this id already.');
        if (routeId !== null && earlier === undefined) return noRoute;
        const changed = earlier === undefined ? null : changedSince(earlier, version, () => shown(earlier, records));
        if (changed !== null) return changed;
        const judged = rules.route(routeId === null ? form : { ...form, id: routeId }, records);
        if (!judged.ok) return { kind: 'fields', fields: judged.fields };
        const { record } = judged;
        const told = difference({ ...earlier }, { ...record });
        const what = earlier === undefined ? 'route.added' : 'route.changed';
        const before = earlier === undefined ? null : (told?.before ?? null);
        return {
          kind: 'edit',
          put: { routes: [record] },
          told: told === null ? null : { what, target: record.routeId, before, after: told.after },
          result: { routeId: record.routeId },
        };
      }),
    drop: (person, routeId) =>
      desk.edit(person, ({ routes }) => {
        const route = routes.find((one) => one.routeId === routeId);
        if (route === undefined) return noRoute;
        const told = { what: 'route.removed', target: routeId, before: { ...route }, after: null };
        return { kind: 'edit', put: {}, dropRoutes: [routeId], told, result: route };
      }),
    move: (person, routeId, way) =>
      desk.edit(person, ({ routes }) => {
        if (!routes.some((one) => one.routeId === routeId)) return noRoute;
        const moved = moveRoute(routes, routeId, way);
        if (moved === null) return noMove;
        const ids = moved.map((route) => route.routeId);
        const priorities = (list: readonly Route[]) =>
          Object.fromEntries(list.filter((one) => ids.includes(one.routeId)).map((one) => [one.routeId, one.priority]));
        const told = { what: 'route.moved', target: routeId, before: priorities(routes), after: priorities(moved) };
        return { kind: 'edit', put: { routes: moved }, told, result: moved };
      }),
    test({ from, to, kind }) {
      const number = directory().number(from);
      const environment = number?.environment ?? 'live';
      const { routes } = directory().records;
      const byId = new Map(routes.map((route) => [route.routeId, route]));
      const tested = explainRoutes(routes, { environment, from, to, kind }).map((verdict) => {
        const route = byId.get(verdict.routeId)!;
        return { ...verdict, route, carriers: route.carrierIds.map((carrierId) => carrierVerdict(carrierId, kind)) };
      });
      return { environment, isKnownSender: number !== undefined, rules: tested, outcome: outcomeOf(tested) };
    },
  };
}

function shownRoutes(routes: readonly Route[]): RouteView[] {
  return rankedRoutes(routes).map((route) => ({
    ...route,
    version: recordVersion(route),
    moves: routeMoves(routes, route.routeId),
  }));
}

function shown(route: Route, { routes }: Records): object {
  return shownRoutes(routes).find(({ routeId }) => routeId === route.routeId)!;
}

function outcomeOf(rules: RouteTest['rules']): string {
  const chosen = rules.filter(({ share }) => share > 0);
  if (chosen.length === 0) return 'No rule fits: such a message is refused with NO_ROUTE.';
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
      return `Rule ${routeId}${part} sends it to ${first.carrierId}${waits}.`;
    })
    .join(' ');
}

const noRoute: Refusal = { kind: 'missing', detail: 'There is no rule with this id.' };
const noMove: Refusal = {
  kind: 'conflict',
  detail:
    'It cannot be moved there: longer prefixes and more conditions always come first, and only rules that are alike in both have an order among them.',
};
