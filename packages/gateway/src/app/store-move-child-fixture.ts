/**
 * A move that tests kill. After the given number of steps, or at the first check, it prints its position and waits.
 *
 * node store-move-child-fixture.ts FOLDER DATABASE STEPS
 */
import { writeSync } from 'node:fs';
import { moveStore } from './store-move.ts';

const [dataDir, databaseUrl, steps] = process.argv.slice(2);
let left = Number(steps);
const id = `child-${process.pid}`;

await moveStore({
  ...{ dataDir: dataDir!, databaseUrl: databaseUrl!, now: 1_800_000_000_000, id, batchRows: 1 },
  progress({ kind, table }) {
    left -= 1;
    if (left > 0 && kind === 'copied') return;
    writeSync(1, kind === 'checked' ? kind : table);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
