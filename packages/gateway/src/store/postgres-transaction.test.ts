/**
 * Transactions of a PostgreSQL session: how many messages they take, and what happens when an answer is not the
 * foreseen one.
 */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSchema } from './postgres-fixture.ts';
import { clientConfig } from './postgres-session.ts';
import { stated, transaction, Unforeseen } from './postgres-transaction.ts';
import { type Operation, run, seldom, statement } from './query.ts';

const insert = statement()(
  'insert_things',
  { id: 'int', name: 'text' },
  'insert into things select r.id, r.name from {rows} r',
);
const rename = statement()(
  'rename_things',
  { id: 'int', name: 'text' },
  'update things set name = r.name from {rows} r where things.id = r.id',
  true,
);
const select = statement<{ id: number; name: string }>()(
  'select_things',
  { id: 'int' },
  'select t.id, t.name from {rows} r, things t where t.id = r.id order by t.id',
);
const selectRare = seldom({ ...select, name: 'select_rare_things' });
const begin = [stated('begin', 'begin')];

const schema = useSchema();
let client: Client;
/** Messages to the server since the last check. */
let sent = 0;
beforeEach(async () => {
  client = new Client(clientConfig(schema.databaseUrl, 'test', new Set()));
  await client.connect();
  await client.query('create table things (id bigint primary key, name text)');
  const { query } = client;
  client.query = ((...params: unknown[]) => {
    sent += 1;
    return (query as (...params: unknown[]) => unknown).apply(client, params);
  }) as never;
  sent = 0;
});
afterEach(() => client.end());

const stored = () =>
  transaction(
    client,
    run(
      select,
      [1, 2, 3].map((id) => ({ id })),
    ),
  );

function* writeTwice(): Operation<void> {
  yield* run(insert, [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ]);
  yield* run(rename, [{ id: 2, name: 'second' }]);
}

describe('a transaction that may be idle', () => {
  const marked = [stated('begin', 'begin'), stated('mark', "insert into things values (9, 'mark')")];
  const isMarked = async () => (await transaction(client, run(select, [{ id: 9 }]))).length > 0;

  it('leaves nothing where its operation has changed nothing', async () => {
    function* nothingToDo(): Operation<number> {
      yield* run(rename, []);
      return (yield* run(select, [{ id: 1 }])).length;
    }
    expect(await transaction(client, nothingToDo(), { begin: marked, mayBeIdle: true })).toBe(0);
    expect(await isMarked()).toBe(false);
  });

  it('commits where it has changed something, and where it may not be idle', async () => {
    await transaction(client, run(insert, [{ id: 1, name: 'one' }]), { begin: marked, mayBeIdle: true });
    expect(await isMarked()).toBe(true);
    await client.query('delete from things');
    await transaction(client, run(select, [{ id: 1 }]), { begin: marked });
    expect(await isMarked()).toBe(true);
  });
});

describe('a transaction', () => {
  it('sends all its writes in one message, before its commit', async () => {
    await transaction(client, writeTwice(), { begin });
    expect(sent).toBe(2);
    expect(await stored()).toEqual([
      { id: 1, name: 'one' },
      { id: 2, name: 'second' },
    ]);
  });

  it('waits for the rows that it reads', async () => {
    function* operation(): Operation<unknown> {
      yield* run(insert, [{ id: 1, name: 'one' }]);
      const found = yield* run(select, [{ id: 1 }]);
      yield* run(rename, [{ id: 1, name: `${found[0]!.name}, renamed` }]);
      return found;
    }
    expect(await transaction(client, operation())).toEqual([{ id: 1, name: 'one' }]);
    expect(sent).toBe(3);
    expect(await stored()).toEqual([{ id: 1, name: 'one, renamed' }]);
  });

  it('is undone when a write changes another number of rows than it was given', async () => {
    function* operation(): Operation<void> {
      yield* writeTwice();
      yield* run(rename, [{ id: 9, name: 'nobody' }]);
    }
    await expect(transaction(client, operation())).rejects.toThrow('rename_things changed 0 rows instead of 1');
    expect(await stored()).toEqual([]);
  });

  it('leaves a session that works after any statement of it has failed', async () => {
    const twice = [
      { id: 3, name: 'a' },
      { id: 3, name: 'b' },
    ];
    function* operation(): Operation<void> {
      yield* run(insert, twice);
      yield* run(rename, [{ id: 3, name: 'never' }]);
    }
    for (let i = 0; i < 2; i += 1) await expect(transaction(client, operation())).rejects.toThrow(/duplicate key/);
    await transaction(client, writeTwice());
    expect(await stored()).toHaveLength(2);
  });

  it('learns what its beginning found before a later failure', async () => {
    const begun = () => {
      throw new Unforeseen();
    };
    function* operation(): Operation<void> {
      yield* run(insert, [
        { id: 1, name: 'a' },
        { id: 1, name: 'b' },
      ]);
    }
    await expect(transaction(client, operation(), { begin, begun, foresees: true })).rejects.toThrow(Unforeseen);
  });
});

describe('a read that seldom finds a row', () => {
  function* operation(): Operation<number> {
    const found = yield* run(selectRare, [{ id: 1 }]);
    yield* run(insert, [{ id: 2 + found.length, name: 'after' }]);
    return found.length;
  }

  it('costs no message where it finds none', async () => {
    expect(await transaction(client, operation(), { begin, foresees: true })).toBe(0);
    expect(sent).toBe(2);
    expect(await stored()).toEqual([{ id: 2, name: 'after' }]);
  });

  it('ends a transaction that went on without what it finds', async () => {
    await transaction(client, run(insert, [{ id: 1, name: 'one' }]));
    await expect(transaction(client, operation(), { begin, foresees: true })).rejects.toThrow(Unforeseen);
    expect(await transaction(client, operation(), { begin })).toBe(1);
    expect(await stored()).toEqual([
      { id: 1, name: 'one' },
      { id: 3, name: 'after' },
    ]);
  });
});
