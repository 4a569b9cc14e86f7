/** Calls every route of the running gateway once as each kind of caller and notes the answer. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { answerFault } from '../../packages/gateway/src/http/answer-fixture.ts';
import type { Things } from '../contract/isolation-company.ts';
import { forOperators, isPortal, nameOf, urlFor, writes } from '../contract/isolation-routes.ts';
import type { Asker, Route, World } from '../contract/isolation-world.ts';
import { answerShape } from './shape.ts';

/** By route: the answer to each caller; callers with the same answer share an entry. */
export type Answers = Record<string, Record<string, unknown>>;

export interface Noted {
  answers: Answers;
  /** Query parameters that each route read. */
  queries: Map<string, Set<string>>;
  /** Answers that contradict the record of their route. */
  faults: string[];
  /** Words of the audit log that each route wrote. */
  audited: Map<string, Set<string>>;
}

const added = (to: Map<string, Set<string>>, name: string, values: Iterable<string>): void => {
  to.set(name, new Set([...(to.get(name) ?? []), ...values]));
};

export const routeName = ({ method, url }: Route): string => `${method} ${url}`;

/** Reads first, while everything exists; then changes in the order of their table, destructive ones last. */
export function inOrder(routes: readonly Route[]): Route[] {
  const names = Object.keys(writes);
  const place = (route: Route): number => {
    if (route.method === 'GET') return -1;
    const at = names.indexOf(nameOf(route));
    return writes[nameOf(route)]?.last === true ? names.length + at : at;
  };
  return [...routes].sort((one, other) => place(one) - place(other));
}

/** `reading` collects the names of the query parameters that the gateway reads; the caller clears it. */
export async function askAll(
  world: World,
  askers: readonly Asker[],
  things: Things,
  { routes, reading }: { routes: readonly Route[]; reading: Set<string> },
): Promise<Noted> {
  const noted: Noted = { answers: {}, queries: new Map(), audited: new Map(), faults: [] };
  for (const route of inOrder(routes)) {
    const name = routeName(route);
    const got = new Map<string, { callers: string[]; shape: unknown }>();
    // On routes for operators these come first, while the requested things still exist.
    const callers = isPortal(route) && forOperators(route) ? [...askers].reverse() : askers;
    for (const asker of callers) {
      reading.clear();
      const before = newestAudit(world);
      const body = route.method === 'GET' ? undefined : writes[nameOf(route)]?.bodies(things)[0];
      const answer = await asker.call(route.method, urlFor(route, things), body);
      const fault =
        route.needs.record === undefined || answer.status !== 200 ? null : answerFault(route.needs.record, answer.json);
      if (fault !== null) noted.faults.push(`${name} to ${asker.name}: ${fault}`);
      const shape = answerShape(answer, route.method === 'GET');
      added(noted.queries, name, reading);
      if (route.method !== 'GET') added(noted.audited, name, auditedSince(world, before));
      const key = JSON.stringify(shape);
      const same = got.get(key) ?? { callers: [], shape };
      got.set(key, { ...same, callers: [...same.callers, asker.name] });
    }
    const rows = [...got.values()].map(({ callers, shape }) => [callers.sort().join(', '), shape]);
    noted.answers[name] = Object.fromEntries(rows);
  }
  return noted;
}

function fromAudit<T>(world: World, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(world.dataDir, 'store.db'), { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function newestAudit(world: World): number {
  return fromAudit(world, (db) => Number(db.prepare('select coalesce(max(position), 0) as p from audit').get()?.p));
}

/** Refusals belong to no route, and their entries are written some time after the answer. */
const refusals = ['access.refused', 'sign_in.failed'];

function auditedSince(world: World, position: number): string[] {
  const rows = fromAudit(world, (db) => db.prepare('select what from audit where position > ?').all(position));
  return rows.map(({ what }) => String(what)).filter((what) => !refusals.includes(what));
}
