/**
 * Gets the media of one message: each URL once, through the guarded dialler, told apart by content and stored. What went
 * wrong becomes the outcome of the message, in words that are the same whatever the URL led to. It opens no URL itself.
 */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Clock } from '../domain/clock.ts';
import type { FetchedMedia, MediaFiles, OwnMedia, RecognisedMedium } from '../domain/media.ts';
import { type MediaFailureCode, type MediaLater, mediaFailed, type StoredMedium } from '../domain/medium.ts';
import type { FetchCaps, Fetched, GuardedFetch } from '../net/guarded-fetch.ts';
import type { UrlPolicy } from '../net/url-rules.ts';
import { kindOf } from './kind.ts';

/** For one request. A second try has what the first left of `totalMs`. */
export const mediaFetchCaps: FetchCaps = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 30_000,
  bodyBytesMax: 5 * 1024 * 1024,
  keep: 'whole',
};

export const mediaRedirectsMax = 3;
/** Of a body that came compressed although none was asked for. */
export const inflatedBytesMax = 10 * 1024 * 1024;
const retryWaitMs = 1_000;
/** Less time than this is not worth a second try. */
const retryLeftMsMin = 2_000;

export interface MediaFetchParts {
  readonly clock: Clock;
  readonly guarded: GuardedFetch;
  /** What may be dialled at this moment. */
  policy(): UrlPolicy;
  readonly files: MediaFiles;
  /** Asked before a URL is dialled. */
  readonly own: OwnMedia;
  /** Of this product, for `User-Agent`. */
  readonly version: string;
  /** Only for tests. */
  readonly caps?: Partial<FetchCaps>;
}

type FetchedOne = { readonly kind: 'fetched'; readonly medium: StoredMedium } | Refused | MediaLater;
interface Refused {
  readonly kind: 'refused';
  readonly code: MediaFailureCode;
}

/** One after the other, so that a message holds the bytes of one medium; the first failure ends it. */
export async function fetchMedia(
  parts: MediaFetchParts,
  urls: readonly string[],
  accountId: string,
): Promise<FetchedMedia> {
  const known = new Map<string, StoredMedium>();
  for (const [index, url] of urls.entries()) {
    if (known.has(url)) continue;
    const one = await ownOrFetched(parts, url, accountId);
    if (one.kind === 'refused') return mediaFailed(one.code, index);
    if (one.kind === 'later') return one;
    known.set(url, one.medium);
  }
  return { kind: 'fetched', media: urls.map((url) => known.get(url)!) };
}

async function ownOrFetched(parts: MediaFetchParts, url: string, accountId: string): Promise<FetchedOne> {
  const own = await parts.own(url, accountId);
  if (own === 'not-ours') return fetchOne(parts, url);
  return own === 'gone' ? refused('MEDIA_UNREACHABLE') : { kind: 'fetched', medium: own };
}

async function fetchOne(parts: MediaFetchParts, url: string): Promise<FetchedOne> {
  const fetched = await ask(parts, url);
  if (fetched.kind === 'busy') return { kind: 'later', why: 'busy' };
  if (fetched.kind === 'blocked') return refused('MEDIA_BLOCKED');
  if (fetched.kind === 'unreachable') {
    return refused(fetched.why === 'too-large' ? 'MEDIA_TOO_LARGE' : 'MEDIA_UNREACHABLE');
  }
  if (fetched.status !== 200 || fetched.body.length === 0) return refused('MEDIA_UNREACHABLE');
  const plain = await decoded(fetched.body, fetched.headers['content-encoding'] ?? 'identity');
  if (!Buffer.isBuffer(plain)) return plain;
  const taken = await takeMedium(parts.files, plain);
  return taken.kind === 'medium' ? { kind: 'fetched', medium: taken.medium } : taken;
}

/** Tells bytes apart by their content and stores those of a listed type. */
export async function takeMedium(files: MediaFiles, bytes: Buffer): Promise<RecognisedMedium> {
  const kind = kindOf(bytes);
  if (!kind.ok) return refused(kind.code);
  const put = await files.put(bytes);
  if (!put.ok) return { kind: 'later', why: 'disk-full' };
  return { kind: 'medium', medium: { hash: put.hash, type: kind.type, sizeBytes: bytes.length } };
}

/** A second try for what may be over in a moment, within the time of one. */
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
  if (!Object.hasOwn(decoders, name)) return refused('MEDIA_TYPE_NOT_SUPPORTED');
  try {
    return await decoders[name]!(body, { maxOutputLength: inflatedBytesMax });
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return refused(tooLarge ? 'MEDIA_TOO_LARGE' : 'MEDIA_UNREACHABLE');
  }
}

function refused(code: MediaFailureCode): Refused {
  return { kind: 'refused', code };
}
