/** D-15: a disk that fills up. Before it is full no new message is accepted, and replies still find room. */
import { rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../props/mms-small-disk.ts';
import { startSandbox } from '../props/sandbox.ts';

const reserveBytes = 40_000_000;

it('new messages stop at the reserve, replies go on, and messages too once there is space', async ({
  skip,
  onTestFinished,
}) => {
  const disks: SmallDisk[] = [];
  // Vitest runs the newest first.
  let folder = '';
  onTestFinished(() => {
    disks[0]?.remove();
    rmSync(folder, { recursive: true });
  });
  let impossible: string | null = null;
  const gateway = await startSandbox({
    env: { HELIO_DISK_RESERVE_MB: '40' },
    fill: (dataDir) => {
      folder = dirname(dataDir);
      const disk = mountSmallDisk(dataDir, 128);
      if ('impossible' in disk) impossible = disk.impossible;
      else disks.push(disk);
    },
  });
  onTestFinished(() => gateway.gateway.kill());
  const [disk] = disks;
  if (disk === undefined) return skip(impossible ?? 'no disk');
  const send = () => gateway.send({ from: gateway.from, to: ['12025550108'], text: 'Hi' });
  const until = async (status: number) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const answer = await send();
      if (answer.status === status) return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no answer ${status}`);
  };
  expect((await send()).status).toBe(200);
  disk.fill(reserveBytes - 1_000_000);
  const refused = await until(503);
  expect(refused.json).toMatchObject({ success: false, reason: 'TEMPORARILY_UNAVAILABLE' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const { bavail, bsize } = statfsSync(gateway.dataDir);
  expect(bavail * bsize).toBeGreaterThan(reserveBytes / 2);
  expect((await gateway.post('/api/v1/sandbox/handsets/12025550108/reply', { text: 'Still there?' })).status).toBe(200);
  for (let tries = 0; ; tries += 1) {
    const { json } = await gateway.get('/api/v1/messages?direction=inbound');
    if (json.data.length > 0) {
      expect(json.data).toMatchObject([{ text: 'Still there?' }]);
      break;
    }
    expect(tries).toBeLessThan(200);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  disk.free();
  await until(200);
});
