/** A medium, and the outcome of fetching or fitting it. `medium-problem.ts` has the sentences. */

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
const passedTypes = ['video/mp4', 'video/3gpp', 'text/vcard', 'audio/amr', 'audio/mpeg'] as const;
const sentTypes: readonly string[] = [...imageTypes, ...passedTypes];

/** The images that are fitted. */
export type ImageType = (typeof imageTypes)[number];
/** Types that are sent unchanged. */
export type PassedType = (typeof passedTypes)[number];
export type MediumType = ImageType | PassedType;

/** A file of any type in the media store. */
export interface KeptMedium {
  /** SHA-256 of its bytes, 64 lower-case hex digits: its name in the store. */
  readonly hash: string;
  /** A media type, such as `application/pdf`. */
  readonly type: string;
  readonly sizeBytes: number;
}

/** A medium that may be sent: of a known type, whole by its content. */
export interface StoredMedium extends KeptMedium {
  readonly type: MediumType;
  /** Pixels; absent for what is no image, and for what was stored before they were noted. */
  readonly width?: number;
  readonly height?: number;
  /** Pictures of an animation; absent for a still image. */
  readonly frames?: number;
  /** What was changed beyond size, quality and metadata when it was fitted; absent = nothing. */
  readonly altered?: Altered;
}

export function mayBeSent(medium: KeptMedium): medium is StoredMedium {
  return sentTypes.includes(medium.type);
}

/** The animation lost some of its frames, or all but its first. */
export type Altered = 'fewer-frames' | 'still';

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
  /** For people: which medium, what was seen, what to do. At most 300 characters, nothing secret of its URL. */
  readonly detail: string;
  /** Which of the message's media, from 0. */
  readonly index: number;
  /** The media before it, already in the media store. */
  readonly fetched?: readonly StoredMedium[];
}

/** Nothing was decided: try again within the message's validity. */
export interface MediaLater {
  readonly kind: 'later';
  readonly why: 'busy' | 'disk-full';
}

export function isImage(type: MediumType): type is ImageType {
  return type.startsWith('image/');
}
