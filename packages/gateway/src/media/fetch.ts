/**
 * Fetches the media of one message: each URL once, through the guarded dialler, typed by content and stored. A failure
 * becomes the message's outcome and names the medium.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { FetchCaps, Fetched, GuardedFetch, UrlPolicy } from '@heliograph/guarded-fetch';
import type { Clock } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { FetchedMedia, MediaFiles, OwnMedia, RecognisedMedium } from '../model/media.ts';
import { isImage, type MediaLater, type StoredMedium } from '../model/medium.ts';
import { type MediumProblem, mediumFailed, type UnreachableWhy } from '../model/medium-problem.ts';
import { imageMeasures, type KindRefusal, kindOf } from './kind.ts';

/** Caps of one request. A second attempt has only what the first left of `totalMs`. */
export const mediaFetchCaps: FetchCaps = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 30_000,
  bodyBytesMax: 5 * 1024 * 1024,
  keep: 'whole',
};

export const mediaRedirectsMax = 3;
/** Size of a body after decompression, if the server compressed it unasked. */
export const inflatedBytesMax = 10 * 1024 * 1024;
const retryWaitMs = 1_000;
/** With less time left than this, no second attempt is made. */
const retryLeftMsMin = 2_000;

export interface MediaFetchParts {
  readonly clock: Clock;
  readonly guarded: GuardedFetch;
  /** The URLs that may be dialled at this moment. */
  policy(): UrlPolicy;
  readonly files: MediaFiles;
  /** Checked before a URL is dialled. */
  readonly own: OwnMedia;
  /** This gateway's version, for `User-Agent`. */
  readonly version: string;
  /** Only for tests. */
  readonly caps?: Partial<FetchCaps>;
}

type FetchedOne = { readonly kind: 'fetched'; readonly medium: StoredMedium } | Refused | MediaLater;
interface Refused {
  readonly kind: 'refused';
  readonly problem: MediumProblem;
}

/** Fetches one medium after the other, so that only one is in memory; the first failure ends the message. */
export async function fetchMedia(
  parts: MediaFetchParts,
  urls: readonly string[],
  accountId: AccountId,
): Promise<FetchedMedia> {
  const known = new Map<string, StoredMedium>();
  for (const [index, url] of urls.entries()) {
    if (known.has(url)) continue;
    const one = await ownOrFetched(parts, url, accountId);
    if (one.kind === 'refused') {
      const failed = mediumFailed(one.problem, { index, count: urls.length, host: URL.parse(url)?.hostname });
      return { ...failed, fetched: urls.slice(0, index).map((before) => known.get(before)!) };
    }
    if (one.kind === 'later') return one;
    known.set(url, one.medium);
  }
  return { kind: 'fetched', media: urls.map((url) => known.get(url)!) };
}

async function ownOrFetched(parts: MediaFetchParts, url: string, accountId: AccountId): Promise<FetchedOne> {
  const own = await parts.own(url, accountId);
  if (own === 'not-ours') return fetchOne(parts, url);
  if (own === 'gone') return unreachable('expired');
  if (own === 'unsupported') return refused({ code: 'MEDIA_TYPE_NOT_SUPPORTED', why: 'type' });
  const bytes = isImage(own.type) ? await parts.files.read(own.hash) : null;
  return { kind: 'fetched', medium: bytes === null ? own : { ...own, ...imageMeasures(own.type, bytes) } };
}

async function fetchOne(parts: MediaFetchParts, url: string): Promise<FetchedOne> {
  const fetched = await ask(parts, url);
  if (fetched.kind === 'busy') return { kind: 'later', why: 'busy' };
  if (fetched.kind === 'blocked') {
    return refused({ code: 'MEDIA_BLOCKED', why: fetched.why === 'port' ? 'port' : 'address' });
  }
  if (fetched.kind === 'unreachable') {
    if (fetched.why !== 'too-large') return unreachable(fetched.why);
    const limit = parts.caps?.bodyBytesMax ?? mediaFetchCaps.bodyBytesMax;
    return refused({ code: 'MEDIA_TOO_LARGE', why: 'bytes', limit });
  }
  const { status } = fetched;
  if (status !== 200) return refused({ code: 'MEDIA_UNREACHABLE', why: 'status', status });
  if (fetched.body.length === 0) return unreachable('empty');
  const plain = await decoded(fetched.body, fetched.headers['content-encoding'] ?? 'identity');
  if (!Buffer.isBuffer(plain)) return plain;
  const taken = await takeMedium(parts.files, plain);
  switch (taken.kind) {
    case 'medium':
      return { kind: 'fetched', medium: taken.medium };
    case 'refused':
      return refused(problemOf(taken.code, fetched.headers['content-type']));
    case 'later':
      return taken;
  }
}

function problemOf(code: KindRefusal, contentType: string | undefined): MediumProblem {
  return code === 'MEDIA_TOO_LARGE' ? { code, why: 'pixels' } : { code, why: 'type', contentType };
}

/** Detects the type of the bytes by content and stores them if the type is on the list. */
export async function takeMedium(files: MediaFiles, bytes: Buffer): Promise<RecognisedMedium> {
  const kind = kindOf(bytes);
  if (!kind.ok) return { kind: 'refused', code: kind.code };
  const put = await files.put(bytes);
  if (!put.ok) return { kind: 'later', why: put.why };
  const medium = { hash: put.hash, type: kind.type, sizeBytes: bytes.length, ...imageMeasures(kind.type, bytes) };
  return { kind: 'medium', medium };
}

/** Tries a second time, within the time limit of one request, after a failure that may pass. */
async function ask({ clock, guarded, policy, version, caps }: MediaFetchParts, url: string): Promise<Fetched> {
  const allCaps = { ...mediaFetchCaps, ...caps };
  const startedMs = clock.monotonicMs();
  const once = (totalMs: number) =>
    guarded.fetch({
      url,
      method: 'GET',
      headers: { accept: '*/*', 'user-agent': `Heliograph/${version}` },
      policy: policy(),
      caps: { ...allCaps, totalMs },
      redirectsMax: mediaRedirectsMax,
    });
  const leftMs = (): number => allCaps.totalMs - (clock.monotonicMs() - startedMs);
  const first = await once(allCaps.totalMs);
  if (!isTransient(first) || leftMs() < retryWaitMs + retryLeftMsMin) return first;
  await new Promise<void>((resolve) => clock.after(retryWaitMs, resolve));
  return once(leftMs());
}

function isTransient(fetched: Fetched): boolean {
  switch (fetched.kind) {
    case 'answered':
      return fetched.status >= 500 || fetched.status === 408 || fetched.status === 429;
    case 'unreachable':
      return ['dns', 'connect', 'timeout', 'reset'].includes(fetched.why);
    case 'busy':
      return true;
    case 'blocked':
      return false;
  }
}

const decoders: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** RFC 9110 §8.4.1. */
async function decoded(body: Buffer, encoding: string): Promise<Buffer | Refused> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return body;
  if (!Object.hasOwn(decoders, name)) return refused({ code: 'MEDIA_TYPE_NOT_SUPPORTED', why: 'packed' });
  try {
    return await decoders[name]!(body, { maxOutputLength: inflatedBytesMax });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (!tooLarge) return unreachable('encoding');
    return refused({ code: 'MEDIA_TOO_LARGE', why: 'unpacked', limit: inflatedBytesMax });
  }
}

function refused(problem: MediumProblem): Refused {
  return { kind: 'refused', problem };
}

function unreachable(why: UnreachableWhy): Refused {
  return refused({ code: 'MEDIA_UNREACHABLE', why });
}
