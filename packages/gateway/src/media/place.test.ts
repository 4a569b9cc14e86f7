/** The contract of file places on the folder and on PostgreSQL, and what PostgreSQL must do beyond it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { openStore } from '../app/open-store.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { noRecords } from '../model/records.ts';
import { StoreUnavailable } from '../store/faults.ts';
import { openPostgresFiles, type PostgresFiles } from '../store/postgres-files.ts';
import { openMediaFiles } from './files.ts';
import { temporaryFolder } from './media-fixture.ts';
import { placeContract } from './place.contract.ts';

let dataDir = '';
placeContract('a folder', {
  keptMs: 60_000,
  childArgs: () => ['folder', dataDir],
  open: (now) => {
    dataDir = temporaryFolder();
    return openMediaFiles({ dataDir, random: machineRandom, now });
  },
  damage: async (hash) => writeFileSync(join(dataDir, 'media', hash.slice(0, 2), hash.slice(2)), 'hellO'),
});

let server: TestPostgres;
let databaseUrl: string;
let files: PostgresFiles | null = null;
beforeAll(async () => {
  server = await startPostgres();
  databaseUrl = await server.createDatabase();
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', clock: machineClock });
  await store.close();
});
afterAll(async () => {
  await files?.close();
  await server?.remove();
});

async function openEmpty(now: () => number) {
  await files?.close();
  await server.query(databaseUrl, 'truncate media_files, media_chunks');
  files = openPostgresFiles({ databaseUrl, now });
  return files.folder('media');
}

placeContract('PostgreSQL', {
  keptMs: 60_000,
  childArgs: () => ['postgres', databaseUrl],
  open: openEmpty,
  damage: async (hash) => {
    await server.query(databaseUrl, `update media_chunks set bytes = 'hellO' where hash = '${hash}'`);
  },
});

describe('files in PostgreSQL', () => {
  it('are in chunks; nothing is left of one whose transaction did not come to its end', async () => {
    const place = await openEmpty(Date.now);
    await server.query(
      databaseUrl,
      `create function fail() returns trigger language plpgsql as 'begin raise exception ''third''; end';
       create trigger third before insert on media_chunks for each row when (new.position = 2) execute function fail()`,
    );
    await expect(place.put(Buffer.alloc(600_000))).rejects.toThrow('third');
    expect(await server.query(databaseUrl, 'select 1 from media_files union all select 1 from media_chunks')).toEqual(
      [],
    );
    await server.query(databaseUrl, 'drop trigger third on media_chunks');
    await place.put(Buffer.alloc(600_000));
    const [found] = await server.query(
      databaseUrl,
      'select count(*)::int as n, max(length(bytes)) as most from media_chunks',
    );
    expect(found).toEqual({ n: 3, most: 262_144 });
  });

  it('of one folder are no concern of the other', async () => {
    const media = await openEmpty(Date.now);
    const evidence = files!.folder('evidence');
    const put = await media.put(Buffer.from('hello'));
    if (!put.ok) throw new Error(put.why);
    expect(await evidence.read(put.hash)).toBeNull();
    await evidence.put(Buffer.from('hello'));
    await evidence.remove([put.hash], Date.now() + 60_000);
    expect((await media.read(put.hash))?.toString()).toBe('hello');
  });

  it('never keep a session of the store waiting: a put that hangs holds nothing that a message needs', async () => {
    const place = await openEmpty(Date.now);
    const store = await openStore({ databaseUrl, dataDir: '', role: 'node', clock: machineClock });
    const blocker = new Client({ connectionString: databaseUrl });
    await blocker.connect();
    await blocker.query('begin; lock table media_chunks in access exclusive mode');
    const put = place.put(Buffer.alloc(600_000));
    expect(await store.healthy()).toBe(true);
    await store.putRecords(noRecords());
    // The put waits for the lock as long as a session of the store would, then reports `busy`.
    expect(await put).toEqual({ ok: false, why: 'busy' });
    await blocker.end();
    await store.close();
  });

  it('are refused for now while the server is away, and back when it is', async () => {
    const place = await openEmpty(Date.now);
    const put = await place.put(Buffer.from('hello'));
    if (!put.ok) throw new Error(put.why);
    await server.stop('kill');
    expect(await place.put(Buffer.from('other'))).toEqual({ ok: false, why: 'busy' });
    await expect(place.read(put.hash)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(place.remove([put.hash], Date.now() + 60_000)).rejects.toBeInstanceOf(StoreUnavailable);
    await server.start();
    expect((await place.read(put.hash))?.toString()).toBe('hello');
  });
});
