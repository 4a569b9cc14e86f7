/**
 * Opens the S3 bucket of the settings and tests it, so that an unwritable bucket is refused before anything is
 * accepted.
 */
import { readFileSync } from 'node:fs';
import type { EpochMs, Random } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { exposedMode } from '../kernel/private-file.ts';
import { StoreRefused } from '../store/faults.ts';
import { type Bucket, causeOf, openBucketFolder } from './bucket.ts';
import type { FilePlace } from './place.ts';

export interface BucketSettings {
  readonly bucket: string;
  /** Null = AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  /** '' or ending in a slash. */
  readonly prefix: string;
  /** Files with one line each; null = the AWS SDK's usual sources of credentials. */
  readonly keyFiles: { readonly access: string; readonly secret: string } | null;
}

const connectMs = 3_000;
const tryMs = 10_000;
/** Attempts of one request, within its time. */
const triesMax = 2;

export interface OpenBucket {
  folder(name: string): FilePlace;
  close(): void;
}

/** Throws StoreRefused when the bucket cannot be reached, written and read. */
export async function openBucket(
  settings: BucketSettings,
  { random, logger, now }: { random: Random; logger: Logger; now: () => EpochMs },
): Promise<OpenBucket> {
  const { bucket, endpoint, region, prefix, keyFiles } = settings;
  const credentials = keyFiles === null ? undefined : credentialsOf(keyFiles);
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    maxAttempts: triesMax,
    requestHandler: { connectionTimeout: connectMs },
    // Some services lack the newer checksums. Uploads are verified by MD5, downloads by the file's name.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
  });
  const opened: Bucket = { bucket, prefix, client, sdk, logger, now };
  try {
    await tryOut(opened, Buffer.from(random.bytes(16)).toString('hex'));
  } catch (error) {
    client.destroy();
    const where = endpoint === null ? `AWS, ${region}` : endpoint;
    throw new StoreRefused(
      `The bucket ${bucket} (HELIO_MEDIA_S3_BUCKET, at ${where}) cannot be written and read: ${causeOf(error)}. Check that it exists, and that the credentials may put, get, list and delete objects in it.`,
    );
  }
  return { folder: (name) => openBucketFolder(opened, name), close: () => client.destroy() };
}

function credentialsOf({ access, secret }: NonNullable<BucketSettings['keyFiles']>) {
  const mode = exposedMode(secret);
  if (mode !== null) {
    throw new StoreRefused(
      `HELIO_MEDIA_S3_SECRET_KEY_FILE=${secret} is open to everybody (mode ${mode}). Run: chmod 640 ${secret}`,
    );
  }
  const line = (path: string): string => readFileSync(path, 'utf8').trim();
  return { accessKeyId: line(access), secretAccessKey: line(secret) };
}

async function tryOut({ bucket: Bucket, prefix, client, sdk }: Bucket, name: string): Promise<void> {
  const object = { Bucket, Key: `${prefix}try/${name}` };
  const abortSignal = AbortSignal.timeout(tryMs);
  await client.send(new sdk.PutObjectCommand({ ...object, Body: name }), { abortSignal });
  const { Body } = await client.send(new sdk.GetObjectCommand(object), { abortSignal });
  if ((await Body?.transformToString()) !== name) throw new Error('what was written is not what was read');
  await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: object.Key, MaxKeys: 1 }), { abortSignal });
  await client.send(new sdk.DeleteObjectCommand(object), { abortSignal });
}
