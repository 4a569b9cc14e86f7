/**
 * D-12: kill -9 while the gateway recovers from the kill before. However often that happens, the messages end as one
 * undisturbed start would leave them.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, type TestOptions } from 'vitest';
import { type GatewayOptions, spawnGateway, startGateway } from '../props/gateway.ts';
import { type LoggedMessage, readMessageLog } from '../props/message-log.ts';
import { openScene } from '../props/scene.ts';
import { finish, report } from './rounds.ts';

const window = 10;
const triesMax = 40;

export function recoverySuite(kills: number, how: TestOptions = {}): void {
  describe('kill -9 during recovery', how, () => {
    it(`D-12 ${kills} kills leave every state, flag and event as one start leaves them`, async () => {
      const scene = await openScene({ window, behaviour: { responseDelayMs: 50 } });
      const client = scene.startClient({ requestsPerSecond: 1_500 });
      try {
        const first = await startGateway(scene.gatewayOptions);
        await wait(400);
        await first.kill();
        await client.stop(0);
        // Without a carrier, only the recovery and its policy change messages.
        scene.smsc.behaviour.refuseBinds = true;
        const copy = join(scene.folder, 'copy');
        cpSync(join(scene.folder, 'data'), copy, { recursive: true });

        const begun = performance.now();
        const afterOne = await snapshot({ ...scene.gatewayOptions, dataDir: copy });
        // About how long a start takes to recover.
        const startMs = (performance.now() - begun) / 2;
        for (let kill = 0; kill < kills; kill++) {
          const gateway = await spawnGateway(scene.gatewayOptions);
          await wait(Math.random() * startMs);
          await gateway.kill();
        }
        const afterMany = await snapshot(scene.gatewayOptions);
        expect(afterOne.filter((line) => line.includes('uncertain')).length).toBeGreaterThan(0);
        expect(afterMany).toEqual(afterOne);

        const { verdict } = await finish(scene, client);
        report('D-12', verdict);
        expect(verdict.lost).toEqual([]);
        expect(verdict.unrecorded).toEqual([]);
        expect(verdict.unflaggedDuplicates).toEqual([]);
      } finally {
        await client.stop(0);
        await scene.close();
      }
    });
  });
}

/** Starts the gateway, waits until no message is undecided, reads everything but the times, and kills it. */
async function snapshot(options: GatewayOptions): Promise<string[]> {
  const gateway = await startGateway(options);
  // Without a carrier every message ends up in the queue.
  const decided = (messages: LoggedMessage[]) => messages.every(({ state }) => state === 'queued' || state === 'sent');
  let messages: LoggedMessage[] = [];
  for (let tries = 0; tries < triesMax && (messages.length === 0 || !decided(messages)); tries++) {
    await wait(250);
    messages = await readMessageLog(gateway.port).all();
  }
  await gateway.kill();
  return messages.map(({ messageId, state, code, dupRisk, events }) =>
    JSON.stringify([messageId, state, code, dupRisk, events.map((event) => [event.sequence, event.state])]),
  );
}
