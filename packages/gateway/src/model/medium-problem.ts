/**
 * Problems with one medium of a message, in sentences for customers: which medium, what was found, what to do. A URL is
 * reduced to its host, a server's answer to status and content type.
 */
import type { MediaFailed } from './medium.ts';

/** Position of a medium in the `mediaUrls` of its message. */
export interface MediumPlace {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** Host of its URL; absent when nothing is fetched. */
  readonly host?: string | undefined;
}

/** What was found, in addition to the code; `detail` describes it. */
export type MediumProblem =
  | { readonly code: 'MEDIA_UNREACHABLE'; readonly why: UnreachableWhy }
  | { readonly code: 'MEDIA_UNREACHABLE'; readonly why: 'status'; readonly status: number }
  | { readonly code: 'MEDIA_BLOCKED'; readonly why: 'port' | 'address' }
  /** `limit`: bytes of one medium, or of all media for the carrier. */
  | {
      readonly code: 'MEDIA_TOO_LARGE';
      readonly why: 'bytes' | 'unpacked' | 'budget' | 'still';
      readonly limit: number;
    }
  | { readonly code: 'MEDIA_TOO_LARGE'; readonly why: 'pixels' }
  /** `contentType`: that of the server's answer. */
  | { readonly code: 'MEDIA_TYPE_NOT_SUPPORTED'; readonly why: 'type'; readonly contentType?: string | undefined }
  | { readonly code: 'MEDIA_TYPE_NOT_SUPPORTED'; readonly why: 'damaged' | 'packed'; readonly contentType?: undefined }
  | { readonly code: 'GATEWAY_ERROR' };

export type UnreachableWhy =
  | ('dns' | 'connect' | 'tls' | 'timeout' | 'too-slow' | 'reset' | 'redirect' | 'protocol')
  | ('empty' | 'encoding' | 'expired');

const hostCharactersMax = 60;
const nothingSent = 'Nothing was sent or billed.';

const unreachable: Readonly<Record<UnreachableWhy, string>> = {
  dns: 'its host name does not resolve',
  connect: 'no connection to its host could be made',
  tls: 'the certificate of its host is not valid',
  timeout: 'its host did not answer in time (10 s to the first byte, 30 s in all)',
  'too-slow': 'its host sent it too slowly',
  reset: 'its host broke the connection',
  redirect: 'it redirects too often or to nowhere',
  protocol: 'what its host answers is no HTTP',
  empty: 'the answer is empty',
  encoding: 'the answer cannot be unpacked',
  expired: 'it is a link of this gateway that has expired or belongs to another account',
};

/** The outcome of a message with this problem. */
export function mediumFailed(problem: MediumProblem, place: MediumPlace): MediaFailed {
  const { index, count, host } = place;
  const named = host === undefined ? '' : ` (${host.slice(0, hostCharactersMax).toWellFormed()})`;
  const [saw, fix] = wordsOf(problem);
  const detail = `Medium ${index + 1} of ${count} in mediaUrls${named} ${saw}. ${fix} ${nothingSent}`;
  return { kind: 'failed', code: problem.code, detail, index };
}

/** For failures that no single medium causes. */
export const gatewayFault = `The gateway failed with the media. Tell the operator the messageId. ${nothingSent}`;

/** What was found, and what to do. */
function wordsOf(problem: MediumProblem): readonly [string, string] {
  switch (problem.code) {
    case 'MEDIA_UNREACHABLE': {
      const saw =
        problem.why === 'status' ? `its host answered with HTTP status ${problem.status}` : unreachable[problem.why];
      return [`could not be fetched: ${saw}`, 'Check that the URL opens from the internet without login.'];
    }
    case 'MEDIA_BLOCKED': {
      const where = problem.why === 'port' ? 'a forbidden port' : 'a private, local or otherwise forbidden address';
      return [`may not be opened: it leads to ${where}`, 'Use a publicly reachable URL.'];
    }
    case 'MEDIA_TOO_LARGE':
      return tooLarge(problem);
    case 'MEDIA_TYPE_NOT_SUPPORTED':
      if (problem.why === 'packed') return ['has an unknown Content-Encoding', 'Serve it without a Content-Encoding.'];
      if (problem.why === 'damaged') return ['is damaged: it cannot be read to its end', 'Replace the file.'];
      return [
        `is, by its content, no whole JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3 file${contentTypeText(problem.contentType)}`,
        'Use one of these types.',
      ];
    case 'GATEWAY_ERROR':
      return ['could not be handled: the gateway failed', 'Tell the operator the messageId.'];
  }
}

function tooLarge(problem: MediumProblem & { code: 'MEDIA_TOO_LARGE' }): readonly [string, string] {
  switch (problem.why) {
    case 'bytes':
      return [`is larger than ${bytesText(problem.limit)}`, 'Use a smaller file.'];
    case 'unpacked':
      return [`is larger than ${bytesText(problem.limit)} once unpacked`, 'Use a smaller file.'];
    case 'budget':
      return [
        `cannot be made small enough: the carrier takes ${bytesText(problem.limit)} for all media of a message`,
        'Use a smaller file or fewer media.',
      ];
    case 'still':
      return [
        `is an animation that fits the carrier's ${bytesText(problem.limit)} only as a still picture, which the account refuses`,
        'Use a smaller animation.',
      ];
    case 'pixels':
      return [
        'has too many pixels: at most 25 million in a picture and 65,535 along an edge, and in an animation 1,000 pictures and 250 million in all',
        'Use a smaller picture.',
      ];
  }
}

function bytesText(bytes: number): string {
  return `${bytes.toLocaleString('en-US')} bytes`;
}

/** Repeats only a plain type and subtype. */
function contentTypeText(contentType: string | undefined): string {
  const [plain] = /^[a-z]{1,20}\/[a-z0-9.+-]{1,40}(?=\s*(?:;|$))/i.exec(contentType ?? '') ?? [];
  return plain === undefined ? '' : ` (its host calls it ${plain.toLowerCase()})`;
}
