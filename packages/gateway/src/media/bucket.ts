/**
 * Whole files in an S3 bucket. The caller loads the SDK.
 *
 * S3 cannot delete an object on the condition that it is old, so a delete might hit a file that is put again at this
 * moment. Therefore each key begins with one of four slots, which rotate by the day: `media/2/2c/f24d…`. A file is put
 * into today's slot, and only the slot of two days ago, into which nothing was put for a day, is cleaned up. Reads try
 * today's slot first. An object is never overwritten with other content.
 */
import { hash as digest } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { StoreUnavailable } from '../store/faults.ts';
import { type FilePlace, placeBatchMax } from './place.ts';

const slots = 4;
/** Time for one request, retries included. */
const requestMs = 20_000;
/** We never put larger objects. */
const objectBytesMax = 64 * 1024 * 1024;
const hashForm = /^[0-9a-f]{64}$/;

export interface Bucket {
  readonly bucket: string;
  /** The start of every key: '' or ending in a slash. */
  readonly prefix: string;
  readonly client: S3Client;
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly logger: Logger;
  readonly now: () => EpochMs;
}

export function openBucketFolder(
  { bucket: Bucket, prefix, client, sdk, logger, now }: Bucket,
  folder: string,
): FilePlace {
  let isAway = false;

  const slotOf = (at: EpochMs, daysBefore = 0): number => (Math.floor(at / dayMs) + slots - daysBefore) % slots;
  const slotKey = (slot: number): string => `${prefix}${folder}/${slot}/`;
  const keyOf = (slot: number, hash: string): string => `${slotKey(slot)}${hash.slice(0, 2)}/${hash.slice(2)}`;

  /** Null when the object is absent. Any other failure is treated as temporary. */
  async function ask<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    try {
      const answer = await request(AbortSignal.timeout(requestMs));
      if (isAway) logger.info({ bucket: Bucket }, 'the bucket answers again');
      isAway = false;
      return answer;
    } catch (error) {
      const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
      const status = $metadata?.httpStatusCode;
      if (name === 'NoSuchKey' || (name === 'NotFound' && status === 404)) return null;
      if (!isAway) logger.warn({ bucket: Bucket, cause: causeOf(error) }, 'the bucket does not do what it is asked');
      isAway = true;
      const isFull = status === 507 || name === 'QuotaExceeded' || name === 'XMinioStorageFull';
      throw new StoreUnavailable(isFull ? 'full' : 'down', `the bucket: ${causeOf(error)}`);
    }
  }

  async function isThere(Key: string, bytes: Uint8Array, md5: string): Promise<boolean> {
    const head = await ask((abortSignal) => client.send(new sdk.HeadObjectCommand({ Bucket, Key }), { abortSignal }));
    return head?.ContentLength === bytes.length && head.ETag === `"${md5}"`;
  }

  async function readFrom(slot: number, hash: string): Promise<Buffer | null> {
    const Key = keyOf(slot, hash);
    return ask(async (abortSignal) => {
      const { Body, ContentLength = 0 } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
      const body = addAbortSignal(abortSignal, Body as Readable);
      if (ContentLength > objectBytesMax) {
        body.destroy();
        return null;
      }
      const bytes = Buffer.concat(await body.toArray());
      return digest('sha256', bytes, 'hex') === hash ? bytes : null;
    });
  }

  return {
    async put(bytes) {
      const hash = digest('sha256', bytes, 'hex');
      const Key = keyOf(slotOf(now()), hash);
      const md5 = Buffer.from(digest('md5', bytes, 'hex'), 'hex');
      try {
        if (await isThere(Key, bytes, md5.toString('hex'))) return { ok: true, hash };
        // With Content-MD5 the bucket refuses altered bytes.
        const object = { Bucket, Key, Body: bytes, ContentMD5: md5.toString('base64') };
        await ask((abortSignal) => client.send(new sdk.PutObjectCommand(object), { abortSignal }));
        return { ok: true, hash };
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return { ok: false, why: error.reason === 'full' ? 'disk-full' : 'busy' };
      }
    },

    async read(hash) {
      if (!hashForm.test(hash)) return null;
      const at = now();
      for (let daysBefore = 0; daysBefore < slots; daysBefore += 1) {
        const bytes = await readFrom(slotOf(at, daysBefore), hash);
        if (bytes !== null) return bytes;
      }
      return null;
    },

    async *list() {
      const Prefix = slotKey(slotOf(now(), 2));
      for (let StartAfter = Prefix; ; ) {
        const page = { Bucket, Prefix, StartAfter, MaxKeys: placeBatchMax };
        const listed = await ask((abortSignal) => client.send(new sdk.ListObjectsV2Command(page), { abortSignal }));
        const keys = (listed?.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
        if (keys.length === 0) return;
        yield keys.map((key) => key.slice(Prefix.length).replace('/', '')).filter((hash) => hashForm.test(hash));
        StartAfter = keys.at(-1)!;
      }
    },

    async remove(hashes, putBefore) {
      // Deletes nothing if the slot has come into use again since it was listed, or if it is not old enough for the
      // caller.
      const at = now();
      if (putBefore < at - dayMs) return 0;
      for (const hash of hashes) {
        const Key = keyOf(slotOf(at, 2), hash);
        await ask((abortSignal) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal }));
      }
      return hashes.length;
    },
  };
}

/** The SDK's errors may hold whole requests, so only name and message are kept. */
export function causeOf(error: unknown): string {
  const { name, message, code } = error as { name?: string; message?: string; code?: string };
  return [name, code, message]
    .filter((word) => word !== undefined && word !== '')
    .join(': ')
    .slice(0, 300);
}
