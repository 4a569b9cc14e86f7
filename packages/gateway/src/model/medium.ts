/** A medium, and the result of fetching or fitting it. `medium-problem.ts` has the sentences. */

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
const passedTypes = ['video/mp4', 'video/3gpp', 'text/vcard', 'audio/amr', 'audio/mpeg'] as const;
const sentTypes: readonly string[] = [...imageTypes, ...passedTypes];

/** Images that can be fitted. */
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

/** A medium that may be sent: of an accepted type, complete by its content. */
export interface StoredMedium extends KeptMedium {
  readonly type: MediumType;
  /** Pixels; absent for other media, and for those stored before sizes were recorded. */
  readonly width?: number;
  readonly height?: number;
  /** Pictures of an animation; absent for a still image. */
  readonly frames?: number;
  /** What fitting changed beyond size, quality and metadata; absent = nothing. */
  readonly altered?: Altered;
}

export function mayBeSent(medium: KeptMedium): medium is StoredMedium {
  return sentTypes.includes(medium.type);
}

/** The animation lost some of its frames, or all but its first. */
export type Altered = 'fewer-frames' | 'still';

/** Total size of a message's media when the carrier's limit is unknown; before any transfer encoding. */
export const mediaBudgetBytes = 600_000;

/** The budget for a carrier that takes `mediaBytesMax`; 0 = unknown. */
export function budgetFor(mediaBytesMax: number): number {
  return mediaBytesMax > 0 ? mediaBytesMax : mediaBudgetBytes;
}

/** Outcome codes that a medium can cause. */
export type MediaFailureCode =
  | 'MEDIA_UNREACHABLE'
  | 'MEDIA_BLOCKED'
  | 'MEDIA_TOO_LARGE'
  | 'MEDIA_TYPE_NOT_SUPPORTED'
  | 'GATEWAY_ERROR';

/** The message fails. Trying again does not help. */
export interface MediaFailed {
  readonly kind: 'failed';
  readonly code: MediaFailureCode;
  /**
   * For people: which medium, what was found, what to do. At most 300 characters, without the secret parts of its URL.
   */
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
