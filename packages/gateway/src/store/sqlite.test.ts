/** The contract on SQLite. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import { start } from './contract/fixture.ts';
import { storeContract } from './store.contract.ts';

const freshFolder = () => mkdtempSync(join(tmpdir(), 'heliograph-store-'));

/** A store without rows, copied for each test: migrating hundreds of stores would take as long as the tests. */
let empty: string;
beforeAll(async () => {
  empty = freshFolder();
  // A tool adds no row, so the test's node is the first one ever.
  const store = await openStore({ dataDir: empty, role: 'tool', clock: movedClock(start) });
  await store.close();
});
afterAll(() => rmSync(empty, { recursive: true }));

storeContract('SQLite', async () => {
  const dataDir = freshFolder();
  copyFileSync(join(empty, 'store.db'), join(dataDir, 'store.db'));
  return {
    childArgs: ['--data', dataDir],
    open: (role, clock, watch) => openStore({ dataDir, role, clock, watch }),
    async remove() {
      rmSync(dataDir, { recursive: true });
    },
  };
});
