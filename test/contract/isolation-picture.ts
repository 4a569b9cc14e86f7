/**
 * For portal-isolation.test.ts: everything of one company, in the store and on its own Owner's pages, and the words
 * that give it away in an answer.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { numbersOf, type Things } from './isolation-company.ts';
import { isPortal, nameOf, urlFor } from './isolation-routes.ts';
import { type Asker, portalBase, type World } from './isolation-world.ts';

const idForm = /\b[a-z]{2,4}_[0-9A-HJKMNP-TV-Z]{26}\b|\bkey_[0-9a-z]{10}\b/g;

/** As text: the company's rows in tables with an account column, and all rows of the other tables. */
function rowsIn(dataDir: string, accountId: string): string[] {
  const db = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  try {
    const tables = db
      .prepare(
        `select name, exists (select 1 from pragma_table_info(t.name) where name = 'account_id') as hasCompany
         from sqlite_master t where type = 'table'`,
      )
      .all() as { name: string; hasCompany: number }[];
    return tables.flatMap(({ name, hasCompany }) => {
      const rows = db.prepare(`select * from "${name}" ${hasCompany === 1 ? 'where account_id = ?' : ''}`);
      const found = hasCompany === 1 ? rows.all(accountId) : rows.all();
      return found.map((row) => `${name} ${JSON.stringify(row, readable)}`);
    });
  } finally {
    db.close();
  }
}

function readable(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}

export interface Company {
  name: string;
  things: Things;
  /** Its name, its numbers, and the ids of everything it owns. */
  markers: ReadonlySet<string>;
}

export async function companyOf(world: World, things: Things): Promise<Company> {
  const { company } = things;
  const idsIn = (text: string): string[] => text.match(idForm) ?? [];
  const rows = rowsIn(world.dataDir, company).filter((row) => row.includes(company));
  const inMemory = [things.handsetTextId, things.handsetMediaId, things.wireId];
  // Operators work in every company, and everyone sees the examples.
  const open = new Set<string>();
  for (const path of ['/me', '/webhooks/catalogue'])
    for (const id of idsIn((await world.operator.call('GET', `${portalBase}${path}`)).text)) open.add(id);
  const ids = [...rows.flatMap(idsIn), ...inMemory].filter((id) => !open.has(id));
  return { name: company, things, markers: new Set([company, ...numbersOf(company), ...ids]) };
}

/** Rows that name the company or something of it. */
export function rowsOf(world: World, { markers, name }: Company): string[] {
  const isIts = (row: string): boolean => row.includes(name) || (row.match(idForm) ?? []).some((id) => markers.has(id));
  return rowsIn(world.dataDir, name).filter(isIts).sort();
}

/** Waits until the company's rows stop changing. */
export async function settled(world: World, company: Company): Promise<string[]> {
  const end = performance.now() + 60_000;
  let last = rowsOf(world, company);
  for (let same = 0; same < 8; ) {
    if (performance.now() > end) throw new Error(`something of ${company.name} goes on and on`);
    await wait(150);
    const now = rowsOf(world, company);
    same = now.join('\n') === last.join('\n') ? same + 1 : 0;
    last = now;
  }
  return last;
}

/** Calls each read route of the portal with the company's own things, as one of its people. */
export async function readsOf(world: World, { things }: Company, person: Asker): Promise<Map<string, string>> {
  const reads = new Map<string, string>();
  for (const route of world.routes.filter((one) => isPortal(one) && one.method === 'GET')) {
    const { status, text } = await person.call('GET', urlFor(route, things));
    reads.set(nameOf(route), `${status} ${text}`);
  }
  return reads;
}

/** Markers of a company in an answer, except those in the request itself. */
export function leaksIn(text: string, { markers }: Company, requested: readonly string[]): string[] {
  const rest = requested.filter((one) => one.length > 3).reduce((left, one) => left.replaceAll(one, ''), text);
  const ids = new Set(rest.match(idForm) ?? []);
  return [...markers].filter((marker) => ids.has(marker) || (!/_/.test(marker) && rest.includes(marker)));
}
