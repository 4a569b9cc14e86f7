/** Which versions of the program may use a store, and what a start does when it finds another version's schema. */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { machineClock } from '../kernel/machine.ts';
import { acceptItem, start } from './contract/fixture.ts';
import { StoreRefused } from './faults.ts';
import { migrateShared, migrations, pendingMigrations, schemaState } from './migrate.ts';
import type { Migration } from './migration.ts';
import { useSchema } from './postgres-fixture.ts';
import { transaction } from './postgres-transaction.ts';

const newest = migrations.at(-1)!.version;
const next = (number: number, more: Partial<Migration> = {}): Migration => ({
  version: newest + number,
  statements: [`create table next_${number} (id bigint not null primary key) {keyed}`],
  ...more,
});

describe('migrations still to run', () => {
  const known = [next(-1), next(0)];

  it('are those above the version of the store', () => {
    expect(pendingMigrations(newest - 1, known)).toEqual([known[1]]);
    expect(pendingMigrations(newest, known)).toEqual([]);
  });

  it('are none on a newer schema that this program may use', () => {
    expect(pendingMigrations(newest + 2, known, newest)).toEqual([]);
  });

  it('are refused on a newer schema, and on one that only newer programs may use', () => {
    expect(() => pendingMigrations(newest + 1, known)).toThrow(StoreRefused);
    expect(() => pendingMigrations(newest + 2, known, newest + 1)).toThrow(/start the newer program/);
  });
});

describe('a store that a later version has changed', () => {
  const schema = useSchema();
  let client: Client;
  const opened: Store[] = [];
  beforeEach(async () => {
    await (await open()).close();
    client = new Client({ connectionString: schema.databaseUrl });
    await client.connect();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await client.end();
  });

  async function open(): Promise<Store> {
    const { databaseUrl } = schema;
    const store = await openStore({ databaseUrl, dataDir: '', role: 'node', cluster: true, clock: machineClock });
    opened.push(store);
    return store;
  }

  const upgradeBy = (migration: Migration) => transaction(client, migrateShared(migration, start));

  it('beside older ones: this one is started, and works', async () => {
    await upgradeBy(next(1, { besideOlder: true }));
    await upgradeBy(next(2, { besideOlder: true }));
    expect(await transaction(client, schemaState())).toEqual({ version: newest + 2, sharedFrom: newest });
    expect(await (await open()).accept([acceptItem(start, {})])).toEqual([{ kind: 'stored' }]);
  });

  it('for itself alone: this one is refused, also where a later change is one beside older ones', async () => {
    await upgradeBy(next(1));
    await upgradeBy(next(2, { besideOlder: true }));
    expect(await transaction(client, schemaState())).toEqual({ version: newest + 2, sharedFrom: newest + 1 });
    await expect(open()).rejects.toThrow(/start the newer program/);
  });

  it('is not noted in a store that this version made', async () => {
    expect(await transaction(client, schemaState())).toEqual({ version: newest, sharedFrom: newest });
    const { rows } = await client.query(`select 1 from settings where name = 'schema_shared_from'`);
    expect(rows).toEqual([]);
  });
});
