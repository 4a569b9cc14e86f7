/**
 * Planted bug: the job of an MMS is deleted in a commit of its own, before the one that makes its deliveries due. The
 * crash suites must find messages that are never sent. Nothing is lost without a crash. SQLite alone.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { plantStore, withMethods } from './plant.ts';

const dueLaterMs = 300;

// Never closed: closing it would drop the locks of the store's own threads.
let database: DatabaseSync | null = null;

plantStore((store) =>
  withMethods(store, {
    prepareMedia: async (items) => {
      database ??= new DatabaseSync(join(process.env.HELIO_DATA ?? '', 'store.db'), { timeout: 5_000 });
      const jobs = items.flatMap(({ requestId }) => taken(database!, requestId));
      await wait(dueLaterMs);
      for (const job of jobs) {
        const columns = Object.keys(job);
        const sql = `insert into media_jobs (${columns.join()}) values (${columns.map(() => '?').join()})`;
        database.prepare(sql).run(...Object.values(job));
      }
      return await store.prepareMedia(items);
    },
  }),
);

function taken(from: DatabaseSync, requestId: string): Record<string, string | number>[] {
  const rows = from.prepare('delete from media_jobs where request_id = ? returning *').all(requestId);
  return rows as Record<string, string | number>[];
}
