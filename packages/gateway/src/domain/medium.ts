/**
 * What a medium is, what can go wrong with it, and the words a customer is told. Types and constants only: the words are
 * constant so that nothing of what a URL led to is ever echoed.
 */

/** The images that are fitted. */
export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
/** What passes through as it is. */
export type PassedType = 'video/mp4' | 'video/3gpp' | 'text/vcard' | 'audio/amr' | 'audio/mpeg';
export type MediumType = ImageType | PassedType;

/** A medium in the media store. */
export interface StoredMedium {
  /** SHA-256 of its bytes, 64 lower-case hex digits: its name in the store. */
  readonly hash: string;
  readonly type: MediumType;
  readonly sizeBytes: number;
}

/** All media of a message together, when the carrier's limit is not known; before any transfer encoding. */
export const mediaBudgetBytes = 600_000;

/** What the media of a message are fitted into for a carrier that takes `mediaBytesMax`; 0 = not known. */
export function budgetFor(mediaBytesMax: number): number {
  return mediaBytesMax > 0 ? mediaBytesMax : mediaBudgetBytes;
}

/** Outcome codes of the catalogue that a medium can bring upon its message. */
export type MediaFailureCode =
  | 'MEDIA_UNREACHABLE'
  | 'MEDIA_BLOCKED'
  | 'MEDIA_TOO_LARGE'
  | 'MEDIA_TYPE_NOT_SUPPORTED'
  | 'GATEWAY_ERROR';

/** The outcome of the message. Trying again does not help. */
export interface MediaFailed {
  readonly kind: 'failed';
  readonly code: MediaFailureCode;
  /** Constant for its code. */
  readonly detail: string;
  /** Which of the message's media, from 0. */
  readonly index: number;
}

/** Nothing was decided: try again within the message's validity. */
export interface MediaLater {
  readonly kind: 'later';
  readonly why: 'busy' | 'disk-full';
}

export const mediaDetails: Readonly<Record<MediaFailureCode, string>> = {
  MEDIA_UNREACHABLE:
    'A medium could not be fetched: its URL did not answer in time, or answered with an error or nothing. ' +
    'Check that it opens from the internet without login. Nothing was sent or billed.',
  MEDIA_BLOCKED:
    'A media URL may not be opened: it leads to a private, local or otherwise forbidden address or port. ' +
    'Use a publicly reachable URL. Nothing was sent or billed.',
  MEDIA_TOO_LARGE:
    'A medium is over the limit of bytes or pixels, or could not be made small enough for the carrier. ' +
    'Use a smaller file. Nothing was sent or billed.',
  MEDIA_TYPE_NOT_SUPPORTED:
    'A medium is, by its content, no whole JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3 file. ' +
    'Use one of these types. Nothing was sent or billed.',
  GATEWAY_ERROR: 'The gateway failed with a medium. Tell the operator the messageId. Nothing was sent or billed.',
};

export function mediaFailed(code: MediaFailureCode, index: number): MediaFailed {
  return { kind: 'failed', code, detail: mediaDetails[code], index };
}

export function isImage(type: MediumType): type is ImageType {
  return type.startsWith('image/');
}
