/**
 * Drafts of the routing rules: validated, ordered, tested on recent messages, and published in one edit, unless the
 * rules changed meanwhile. Drafts are not stored.
 */
import { takenBy } from '../../carriers/kinds.ts';
import { idTime } from '../../kernel/ids.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import type { RouteVersion } from '../../messaging/store/records-items.ts';
import type { Directory } from '../../model/directory.ts';
import { type FieldFaults, fault, type Person, type Refusal } from '../../model/person.ts';
import type { Records, Route } from '../../model/records.ts';
import { moveRoute, moveRouteTo } from '../../model/routing.ts';
import { type Changed, difference, type Form, type RecordRules, type RecordsService } from './records-service.ts';
import { type RouteImpact, routeImpact } from './route-impact.ts';
import { type UntakenKinds, untakenKinds } from './route-kinds.ts';
import { type RouteView, shownRoutes } from './route-service.ts';

/** One position up or down, or to right before or after another rule. */
export type DraftMove =
  | { routeId: string; way: 'up' | 'down' }
  | { routeId: string; side: 'before' | 'behind'; besideId: string };

export interface RouteDraftService {
  /** In their order of evaluation, after the move. */
  draft(forms: readonly Form[], move: DraftMove | null): { kind: 'done'; rules: RouteView[] } | Refusal;
  /** `untaken`: message kinds that match rules of the draft but that none of their carriers takes. */
  impact(
    forms: readonly Form[],
  ): Promise<{ kind: 'done'; impact: RouteImpact & { untaken: UntakenKinds[] } } | Refusal>;
  /** `base`: the versions of all rules when the draft began. Kinds without a carrier must be confirmed. */
  publish(
    person: Person,
    request: { forms: readonly Form[]; base: readonly string[]; confirmed: boolean },
  ): Promise<{ kind: 'done'; result: { changed: number } } | Refusal | Changed>;
  history(): Promise<RouteVersion[]>;
}

const messagesMax = 1_000;
const versionsMax = 200;
const rulesMax = 1_000;

export function createRouteDraftService(parts: {
  service: RecordsService;
  rules: Pick<RecordRules, 'route'>;
  directory(): Directory;
  store: Pick<RecordsStore, 'newestSent' | 'routeVersions'>;
}): RouteDraftService {
  const { service, directory, rules, store } = parts;

  /** The records, or the faults of the first invalid form. */
  function judged(forms: readonly Form[], records: Records): { routes: Route[] } | Refusal {
    if (forms.length > rulesMax) return fault('form', `There are more than ${rulesMax} rules.`);
    const routes = new Map<string, Route>();
    for (const form of forms) {
      // A draft is complete: nothing of a stored rule is merged into it.
      const one = rules.route(form, { ...records, routes: [] });
      if (!one.ok) return { kind: 'fields', fields: named(form, one.fields) };
      if (routes.has(one.record.routeId)) return fault('id', 'There is a rule with this id already.');
      routes.set(one.record.routeId, one.record);
    }
    return { routes: [...routes.values()] };
  }

  return {
    draft(forms, move) {
      const read = judged(forms, directory().records);
      if ('kind' in read) return read;
      if (move === null) return { kind: 'done', rules: shownRoutes(read.routes) };
      const moved =
        'way' in move
          ? moveRoute(read.routes, move.routeId, move.way)
          : moveRouteTo(read.routes, move.routeId, { side: move.side, besideId: move.besideId });
      if (moved === null) return noMove;
      const byId = new Map(moved.map((route) => [route.routeId, route]));
      return { kind: 'done', rules: shownRoutes(read.routes.map((route) => byId.get(route.routeId) ?? route)) };
    },
    async impact(forms) {
      const { records, number, routeQuery } = directory();
      const read = judged(forms, records);
      if ('kind' in read) return read;
      const sent = await store.newestSent(messagesMax);
      const messages = sent.map((one) => {
        const environment = number(one.from)?.environment ?? ('live' as const);
        return { messageId: one.messageId, ...routeQuery({ ...one, environment, at: idTime(one.messageId) ?? 0 }) };
      });
      const { routes: before, carriers } = records;
      const impact = routeImpact(messages, { before, after: read.routes, carriers, takenBy });
      return { kind: 'done', impact: { ...impact, untaken: untakenKinds(read.routes, { ...records, takenBy }) } };
    },
    publish: (person, { forms, base, confirmed }) =>
      service.edit(person, (records) => {
        const now = shownRoutes(records.routes);
        const isBase = versionsOf(records.routes) === [...base].sort().join();
        if (!isBase) return { kind: 'changed', current: now };
        const read = judged(forms, records);
        if ('kind' in read) return read;
        const [first] = untakenKinds(read.routes, { ...records, takenBy });
        if (first !== undefined && !confirmed) return fault('confirmed', unconfirmed(first));
        const changes = difference(byId(records.routes), byId(read.routes));
        const changed = Object.keys(changes?.after ?? {});
        return {
          kind: 'edit',
          put: { routes: read.routes.filter(({ routeId }) => changed.includes(routeId)) },
          dropRoutes: changed.filter((id) => !read.routes.some(({ routeId }) => routeId === id)),
          note: changes === null ? null : { what: 'routes.published', target: 'routes', ...changes },
          result: { changed: changed.length },
        };
      }),
    history: () => store.routeVersions(versionsMax),
  };
}

function byId(routes: readonly Route[]): Record<string, Route> {
  return Object.fromEntries(routes.map((route) => [route.routeId, route]));
}

function versionsOf(routes: readonly Route[]): string {
  return routes.map(recordVersion).sort().join();
}

/** Names the rule in the sentence that concerns all of it. */
function named(form: Form, fields: FieldFaults): FieldFaults {
  const { form: whole, ...others } = fields;
  return whole === undefined ? others : { ...others, form: `Rule ${String(form.id)}: ${whole}` };
}

function unconfirmed({ routeId, kinds }: UntakenKinds): string {
  const what = kinds.join(' and ');
  return `Rule ${routeId} is for ${what} too, and none of its carriers takes ${what}: they would be refused with NO_ROUTE. Confirm that, or name the kind or another carrier.`;
}

const noMove: Refusal = {
  kind: 'conflict',
  detail:
    'It cannot be moved there: longer prefixes and more conditions always come first, and only rules that are alike in both have an order among them.',
};
