/** The contract of file places on an S3 bucket of a real service, and what a bucket must do beyond it. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSwift, type TestSwift } from '../../../../test/swift.ts';
import { openFileStores } from '../app/file-stores.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { StoreRefused, StoreUnavailable } from '../store/faults.ts';
import { openMediaFiles } from './files.ts';
import { temporaryFolder } from './media-fixture.ts';
import { type BucketSettings, openBucket } from './open-bucket.ts';
import { placeContract } from './place.contract.ts';

const dayMs = 86_400_000;
let swift: TestSwift;
let sdk: S3Client;
let settings: BucketSettings;
let rounds = 0;

beforeAll(async () => {
  swift = await startSwift();
  const { endpoint, accessKeyId, secretAccessKey } = swift;
  sdk = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await sdk.send(new CreateBucketCommand({ Bucket: 'heliograph' }));
});
afterAll(() => swift?.remove());

/** Settings with a fresh prefix. */
function freshSettings(secret = swift.secretAccessKey): BucketSettings {
  const folder = temporaryFolder();
  const keyFiles = { access: join(folder, 'access'), secret: join(folder, 'secret') };
  writeFileSync(keyFiles.access, `${swift.accessKeyId}\n`);
  writeFileSync(keyFiles.secret, `${secret}\n`, { mode: 0o600 });
  rounds += 1;
  const prefix = `round/${rounds}/`;
  return { bucket: 'heliograph', endpoint: swift.endpoint, region: 'us-east-1', prefix, keyFiles };
}

const parts = (now: () => number = Date.now) => ({ random: machineRandom, logger: silentLogger, now });

async function keys(): Promise<string[]> {
  const listed = await sdk.send(new ListObjectsV2Command({ Bucket: 'heliograph', Prefix: settings.prefix }));
  return (listed.Contents ?? []).map(({ Key }) => Key!);
}

placeContract('a bucket', {
  keptMs: 2 * dayMs,
  childArgs: () => ['bucket', JSON.stringify(settings)],
  open: async (now) => {
    settings = freshSettings();
    return (await openBucket(settings, parts(now))).folder('media');
  },
  damage: async (hash) => {
    for (const Key of await keys())
      if (Key.endsWith(hash.slice(2)))
        await sdk.send(new PutObjectCommand({ Bucket: 'heliograph', Key, Body: 'hellO' }));
  },
});

describe('a bucket', () => {
  it('is left as it was found by a start, and gets a file once a day', async () => {
    settings = freshSettings();
    let nowMs = Date.now();
    const place = (
      await openBucket(
        settings,
        parts(() => nowMs),
      )
    ).folder('media');
    expect(await keys()).toEqual([]);
    for (let i = 0; i < 3; i += 1) await place.put(Buffer.from('hello'));
    expect(await keys()).toHaveLength(1);
    nowMs += dayMs;
    await place.put(Buffer.from('hello'));
    expect(await keys()).toHaveLength(2);
  });

  it('keeps, whatever the request, what was put yesterday, today, or by a clock that is a day ahead', async () => {
    settings = freshSettings();
    let nowMs = Math.floor(Date.now() / dayMs) * dayMs;
    const place = (
      await openBucket(
        settings,
        parts(() => nowMs),
      )
    ).folder('media');
    for (const text of ['yesterday', 'today', 'tomorrow']) {
      await place.put(Buffer.from(text));
      nowMs += dayMs;
    }
    nowMs -= 2 * dayMs;
    const listed: string[] = [];
    for await (const batch of place.list()) listed.push(...batch);
    expect(listed).toEqual([]);
    expect(await keys()).toHaveLength(3);
  });

  it('that is missing, or opens to no such key, ends the start with a sentence that names it', async () => {
    const missing = openBucket({ ...freshSettings(), bucket: 'elsewhere' }, parts());
    await expect(missing).rejects.toThrow(/bucket elsewhere .* NoSuchBucket/);
    await expect(missing).rejects.toBeInstanceOf(StoreRefused);
    await expect(openBucket(freshSettings('wrong'), parts())).rejects.toThrow(/heliograph .* SignatureDoesNotMatch/);
    const exposed = freshSettings();
    chmodSync(exposed.keyFiles!.secret, 0o644);
    await expect(openBucket(exposed, parts())).rejects.toThrow('chmod 640');
    const nobody = { ...freshSettings(), endpoint: 'http://127.0.0.1:9' };
    await expect(openBucket(nobody, parts())).rejects.toThrow('ECONNREFUSED');
  });

  it('that does not answer refuses for now, says so once, and goes on when it answers again', {
    timeout: 120_000,
  }, async () => {
    settings = freshSettings();
    const logger = { ...silentLogger, warn: vi.fn(), info: vi.fn() };
    const place = (await openBucket(settings, { ...parts(), logger })).folder('media');
    const put = await place.put(Buffer.from('hello'));
    if (!put.ok) throw new Error(put.why);
    swift.freeze();
    try {
      const [other, read] = await Promise.allSettled([place.put(Buffer.from('other')), place.read(put.hash)]);
      expect(other).toMatchObject({ value: { ok: false, why: 'busy' } });
      expect(read).toMatchObject({ reason: expect.any(StoreUnavailable) });
    } finally {
      swift.thaw();
    }
    expect((await place.read(put.hash))?.toString()).toBe('hello');
    expect([logger.warn.mock.calls.length, logger.info.mock.calls.length]).toEqual([1, 1]);
  });

  it('takes over what lies in the data folder, where it can be read until then', async () => {
    settings = freshSettings();
    const dataDir = temporaryFolder();
    const old = await openMediaFiles({ dataDir, random: machineRandom, now: Date.now });
    const put = await old.put(Buffer.from('hello'));
    if (!put.ok) throw new Error(put.why);
    const moved = Promise.withResolvers<void>();
    const logger = {
      ...silentLogger,
      info: (_: object, text?: string) => void (text === 'all files are moved' && moved.resolve()),
    };
    const context = { clock: machineClock, random: machineRandom, logger };
    const stores = await openFileStores(context, { config: { dataDir, databaseUrl: null, mediaBucket: settings } });
    expect((await stores.media.read(put.hash))?.toString()).toBe('hello');
    for (const part of stores.parts) await part.start?.();
    await moved.promise;
    expect(await old.read(put.hash)).toBeNull();
    expect((await stores.media.read(put.hash))?.toString()).toBe('hello');
    for (const part of stores.parts) await part.stop?.();
  });
});
