import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../../../test/props/clock.ts';
import { httpServer, openGuardedFetch, relaxed } from '../../../guarded-fetch/src/net-fixture.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { mediaBudgetBytes } from '../model/medium.ts';
import { openMediaFiles } from './files.ts';
import { kindOf } from './kind.ts';
import { phoneJpeg, temporaryFolder } from './media-fixture.ts';
import { openMedia } from './open.ts';

describe('the media room', () => {
  it('fetches, fits, reads and forgets', async () => {
    const photo = await phoneJpeg(1_600, 1_200, 6, 250);
    expect(photo.length).toBeGreaterThan(mediaBudgetBytes);
    const server = await httpServer((_request, response) => response.end(photo));
    const media = openMedia({
      files: await openMediaFiles({ dataDir: temporaryFolder(), random: machineRandom, now: machineClock.now }),
      clock: machineClock,
      logger: silentLogger,
      guarded: openGuardedFetch(),
      policy: () => relaxed,
      own: async () => 'not-ours',
      version: '1.2.3',
    });
    onTestFinished(() => media.close());
    const fetched = await media.fetch([`http://127.0.0.1:${server.port}/photo`], 'acct');
    if (fetched.kind !== 'fetched') throw new Error(JSON.stringify(fetched));
    const fitted = await media.fit(fetched.media, mediaBudgetBytes);
    if (fitted.kind !== 'fitted') throw new Error(JSON.stringify(fitted));
    const bytes = (await media.read(fitted.media[0]!.hash))!;
    expect(kindOf(bytes)).toEqual({ ok: true, type: 'image/jpeg' });
    expect(bytes.length).toBeLessThanOrEqual(mediaBudgetBytes);
    expect(bytes.includes('secret-artist')).toBe(false);
    const kept = new Set([fitted.media[0]!.hash]);
    expect(await media.sweep({ putBefore: Number.MAX_SAFE_INTEGER, needed: async () => kept })).toBe(1);
    expect(await media.read(fetched.media[0]!.hash)).toBeNull();
  });
});

/** Starts a fit process as the gateway does, prints its pid, and waits to be killed. */
const gateway = `
  import { startFitChild } from ${JSON.stringify(fileURLToPath(new URL('./fit-command.ts', import.meta.url)))};
  console.log(startFitChild().pid);`;

describe('kill -9 of the gateway', () => {
  it('ends the fit process, too', async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', gateway], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      parent.kill('SIGKILL');
    });
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (line) => resolve(Number(line))));
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    parent.kill('SIGKILL');
    await until(() => !existsSync(`/proc/${pid}`));
  });
});
