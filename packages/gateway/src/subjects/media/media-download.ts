/**
 * `GET /media/{mediaId}/{fileName}`: serves a medium under its signed URL, without other credentials. Nothing it
 * serves can run in a browser. Wrong, expired and unknown URLs get the same answer.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Answer, type Exchange, exchangeOf, rejection, retryAfter } from '../../http/exchange.ts';
import { valuesOf } from '../../http/input.ts';
import type { RouteDeps } from '../../http/server.ts';
import type { MediaLink } from '../../messaging/store/media-items.ts';
import type { MediaStore } from '../../messaging/store/modules/media.ts';
import type { Media } from '../../model/media.ts';
import { type MediaUrls, mediaUrlPath } from '../../model/media-url.ts';
import { createHeldMedia } from './media-held.ts';

type RequestedPart =
  | { readonly kind: 'whole' }
  /** From octet `start` to before `end`. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }
  /** The client already has it. */
  | { readonly kind: 'unchanged' };

const whole: RequestedPart = { kind: 'whole' };

/** `tag`: a strong entity tag with its quotation marks. */
function requestedPart(
  { method, headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  tag: string,
  sizeBytes: number,
): RequestedPart {
  if (names(headers['if-none-match'], tag)) return { kind: 'unchanged' };
  const { range, 'if-range': ifRange } = headers;
  // §13.1.5: strong comparison; a date never matches, as we send none.
  if (range === undefined || method !== 'GET' || (ifRange !== undefined && ifRange !== tag)) return whole;
  const [, first, last] = /^bytes=[ \t]*([0-9]{0,15})-([0-9]{0,15})[ \t]*$/i.exec(range) ?? [];
  if (first === undefined || last === undefined || first + last === '') return whole;
  if (first === '') return part(Math.max(0, sizeBytes - Number(last)), sizeBytes, sizeBytes);
  if (last !== '' && Number(last) < Number(first)) return whole;
  return part(Number(first), last === '' ? sizeBytes : Number(last) + 1, sizeBytes);
}

function part(start: number, end: number, sizeBytes: number): RequestedPart {
  return start >= sizeBytes ? { kind: 'unsatisfiable' } : { kind: 'part', start, end: Math.min(end, sizeBytes) };
}

/** §13.1.2: weak comparison. */
function names(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));
}

export interface MediaDownloadParts {
  store: Pick<MediaStore, 'mediaLink'>;
  media: Pick<Media, 'read'>;
  urls: Pick<MediaUrls, 'check'>;
}

/** Total size of different files in answers that clients are still reading. */
const heldBytesMax = 128 * 1024 * 1024;
const busySeconds = 5;
/** A client may be this slow, in addition to the usual time for an answer. */
const readMs = 15_000;
const bytesPerSecondMin = 64 * 1_024;

export function mediaDownloadRoute(
  app: FastifyInstance,
  { store, media, urls }: MediaDownloadParts,
  { clock, logger, fail }: RouteDeps,
): void {
  const held = createHeldMedia((hash) => media.read(hash), heldBytesMax);

  async function linkFor(exchange: Exchange, params: Params): Promise<MediaLink | null> {
    const once = (name: string): string | null => {
      const [value = null, ...more] = valuesOf(exchange.query, name);
      return more.length === 0 ? value : null;
    };
    const url = urls.check({ ...params, expires: once('expires'), signature: once('signature') });
    if (url === null || url.expiresAt <= clock.now()) return null;
    const link = await store.mediaLink(url.mediaId);
    return link !== null && link.expiresAt > clock.now() ? link : null;
  }

  async function download(exchange: Exchange, params: Params): Promise<Answer> {
    const link = await linkFor(exchange, params);
    if (link === null) return gone;
    const { request } = exchange;
    const requested = requestedPart(request, tagOf(link), link.medium.sizeBytes);
    const leftSeconds = Math.floor((link.expiresAt - clock.now()) / 1_000);
    if (requested.kind === 'unchanged' || requested.kind === 'unsatisfiable')
      return answerWith(link, leftSeconds, requested, '');
    const holding = held.hold(link.medium);
    if (holding === null) return busy;
    exchange.whenOver(holding.release);
    const bytes = await holding.bytes;
    if (bytes !== null) return answerWith(link, leftSeconds, requested, bytes);
    logger.error({ requestId: exchange.requestId, mediaId: link.mediaId }, 'a medium is not in the media store');
    return gone;
  }

  const url = `${mediaUrlPath}/:mediaId/:fileName`;
  app.get(url, (request, reply) => {
    reply.hijack();
    const exchange = exchangeOf(request.raw);
    exchange.route = url;
    download(exchange, request.params as Params).then(
      (answer) => exchange.send(answer),
      (error: unknown) => fail(exchange, error),
    );
  });
}

type Params = Pick<MediaLink, 'mediaId' | 'fileName'>;

const gone = rejection('NOT_FOUND', 'There is no file here: the link has expired, was altered or never existed.');
const busy = rejection('TEMPORARILY_UNAVAILABLE', 'Too many media are being read. Try again a little later.', {
  headers: retryAfter(busySeconds),
});

/** The bytes behind a link never change. */
function tagOf({ medium }: MediaLink): string {
  return `"${medium.hash}"`;
}

function answerWith(link: MediaLink, leftSeconds: number, requested: RequestedPart, bytes: Buffer | ''): Answer {
  const { medium, fileName, downloadOnly = false } = link;
  const { type, sizeBytes } = medium;
  const cacheControl = `private, max-age=${leftSeconds}, immutable`;
  const headers = [
    ...['ETag', tagOf(link), 'Accept-Ranges', 'bytes'],
    ...[
      'Content-Disposition',
      `${!downloadOnly && shownInPlace(type) ? 'inline' : 'attachment'}; filename="${fileName}"`,
    ],
    // Even if a browser renders it as a page, it can run and load nothing.
    ...['Content-Security-Policy', "default-src 'none'; sandbox", 'Cross-Origin-Resource-Policy', 'cross-origin'],
  ];
  const found = { reason: 'SUCCESS', contentType: servedType(link) };
  switch (requested.kind) {
    case 'unchanged':
      return { ...found, status: 304, body: '', cacheControl, headers };
    case 'unsatisfiable':
      return rejection('INVALID_FIELD', `Range lies beyond the end of the medium, which has ${sizeBytes} bytes.`, {
        status: 416,
        headers: ['Content-Range', `bytes */${sizeBytes}`],
      });
    case 'whole':
      return { ...found, status: 200, body: bytes, cacheControl, headers, readMs: timeFor(sizeBytes) };
    case 'part': {
      const { start, end } = requested;
      const range = ['Content-Range', `bytes ${start}-${end - 1}/${sizeBytes}`];
      const body = bytes === '' ? bytes : bytes.subarray(start, end);
      return { ...found, status: 206, body, cacheControl, headers: [...headers, ...range], readMs: timeFor(sizeBytes) };
    }
  }
}

/**
 * Served as plain bytes where a browser could run it as a script, style sheet, page or XML: `nosniff` then prevents
 * that.
 */
function servedType({ medium: { type }, downloadOnly }: MediaLink): string {
  if (type === 'text/vcard') return 'text/vcard; charset=utf-8';
  if (!downloadOnly || (inertTypes.test(type) && !/[+/]xml$/.test(type))) return type;
  return 'application/octet-stream';
}

const inertTypes = /^((image|audio|video)\/.+|application\/(pdf|zip)|text\/calendar)$/;

function shownInPlace(type: string): boolean {
  return /^(image|audio|video)\//.test(type);
}

function timeFor(sizeBytes: number): number {
  return readMs + Math.ceil((sizeBytes / bytesPerSecondMin) * 1_000);
}
