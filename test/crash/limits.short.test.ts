/**
 * A daily cap under kill -9: however often the gateway dies under load, the carrier never gets more than the cap,
 * messages sent before the cap was set count, and each death uses up at most the segments of its uncertain messages.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../packages/gateway/src/app/open-store.ts';
import { machineClock as clock } from '../../packages/gateway/src/kernel/machine.ts';
import { noRecords } from '../../packages/gateway/src/model/records.ts';
import { startGateway } from '../props/gateway.ts';
import { openScene } from '../props/scene.ts';
import { report, shortForm } from './rounds.ts';

const cap = 900;
const window = 10;
const kills = 4;

/** Sets the limits of every campaign, as the operator would through the portal. */
async function setCap(dataDir: string, segmentsPerDay: number): Promise<void> {
  const store = await openStore({ dataDir, role: 'tool', clock });
  const { campaigns } = await store.records();
  const pacing = { segmentsPerMinute: null, mmsPerMinute: null, segmentsPerDay };
  const none = noRecords();
  await store.putRecords({ ...none, campaigns: campaigns.map((one) => ({ ...one, pacing })) });
  await store.close();
}

describe('kill -9 under a daily cap', shortForm, () => {
  it(`${kills} kills send no segment over it`, async () => {
    const scene = await openScene({ window, uncertainPolicy: 'hold', behaviour: { responseDelayMs: 20 } });
    const client = scene.startClient({ requestsPerSecond: 500 });
    try {
      const sent: number[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const gateway = await startGateway(scene.gatewayOptions);
        await wait(400 + Math.random() * 200);
        await gateway.kill();
        sent.push(scene.acceptedCount());
        if (kill === 0) await setCap(join(scene.folder, 'data'), cap);
      }
      expect(sent[0]).toBeGreaterThan(0);
      const gateway = await startGateway(scene.gatewayOptions);
      let last = -1;
      for (let still = 0; still < 3; still = scene.acceptedCount() === last ? still + 1 : 0) {
        last = scene.acceptedCount();
        await wait(1_000);
      }
      await client.stop(0);
      await gateway.kill();
      const { accepted } = scene.smsc.counts();
      report('daily cap', { sent, accepted, inDoubtAtMost: (kills + 1) * 2 * window });
      expect(accepted).toBeLessThanOrEqual(cap);
      expect(accepted).toBeGreaterThanOrEqual(cap - (kills + 1) * 2 * window);
    } finally {
      await client.stop(0);
      await scene.close();
    }
  });
});
