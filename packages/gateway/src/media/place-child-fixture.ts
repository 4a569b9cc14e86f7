/**
 * Puts one file after the other into a place until it is killed, and prints which are confirmed. Arguments: the kind of
 * place, and its address.
 */
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { openPostgresFiles } from '../store/postgres-files.ts';
import { openMediaFiles } from './files.ts';
import { openBucket } from './open-bucket.ts';
import type { FilePlace } from './place.ts';

const [kind = '', where = ''] = process.argv.slice(2);
const { now } = machineClock;

async function openAgain(): Promise<FilePlace> {
  if (kind === 'folder') return openMediaFiles({ dataDir: where, random: machineRandom, now });
  if (kind === 'bucket') {
    const bucket = await openBucket(JSON.parse(where), { random: machineRandom, logger: silentLogger, now });
    return bucket.folder('media');
  }
  return openPostgresFiles({ databaseUrl: where, now }).folder('media');
}

const place = await openAgain();
for (let i = 0; ; i += 1) {
  const put = await place.put(Buffer.alloc(600_000, `n${i} `));
  if (!put.ok) throw new Error(put.why);
  process.stdout.write(`${put.hash}\n`);
}
