/** Whether the role has a schema to keep its tables in. Without one, PostgreSQL fails only at the first table. */
import type { ClientBase } from 'pg';
import { StoreRefused } from './faults.ts';

interface Place {
  /** Both quoted where SQL needs that. */
  role: string;
  /** The first of the search path that exists and that the role may use; null for none. */
  schema: string | null;
  path: string;
  /** 1 if the role may create tables in it. */
  may_create: number;
}

const ownPlace = `select quote_ident(current_user) as role, quote_ident(current_schema()) as schema,
  current_setting('search_path') as path,
  coalesce(has_schema_privilege(current_schema(), 'create'), false)::int as may_create`;

/** Throws StoreRefused with the statement that an administrator runs. */
export async function requireOwnSchema(client: ClientBase): Promise<void> {
  const { rows } = await client.query<Place>(ownPlace);
  const { role, schema, path, may_create } = rows[0]!;
  if (schema !== null && Number(may_create) === 1) return;
  const wanted = firstOf(path, role);
  const found = await client.query<{ found: string | null }>('select to_regnamespace($1)::text as found', [wanted]);
  const statement =
    found.rows[0]!.found === null
      ? `create schema ${wanted} authorization ${role};`
      : `alter schema ${wanted} owner to ${role};`;
  const what =
    schema === null
      ? `has no schema that it may use (search_path: ${path})`
      : `may not create tables in the schema ${schema}`;
  throw new StoreRefused(
    `The role ${role} ${what}. As an administrator of the server, in the database of HELIO_DATABASE_URL: ${statement}`,
  );
}

/** The schema to make: the first one that the search path names; by default the one with the name of the role. */
function firstOf(path: string, role: string): string {
  const first = path.split(',')[0]!.trim();
  return first === '' || first === '"$user"' || first === 'public' ? role : first;
}
