/** The contract on SQLite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from './open.ts';
import { storeContract } from './store.contract.ts';

storeContract('SQLite', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heliograph-store-'));
  return {
    childArgs: ['--data', dataDir],
    open: (role, clock) => openStore({ dataDir, role, clock }),
    async remove() {
      rmSync(dataDir, { recursive: true });
    },
  };
});
