/**
 * Fits the media of one message into the bytes a carrier takes: what passes through counts as it is, the images share
 * the rest. Originals stay; what was made is stored beside them. It never sends anything on that does not fit.
 */
import type { FittedMedia, MediaFiles } from '../domain/media.ts';
import {
  type ImageType,
  isImage,
  type MediaFailed,
  type MediaLater,
  mediaFailed,
  type StoredMedium,
} from '../domain/medium.ts';
import type { FitProcesses } from './fit-process.ts';

export interface FitParts {
  readonly files: MediaFiles;
  readonly processes: FitProcesses;
}

/** `media` in their order, none larger together than `budgetBytes`. */
export async function fitMedia(
  { files, processes }: FitParts,
  media: readonly StoredMedium[],
  budgetBytes: number,
): Promise<FittedMedia> {
  const fitted = [...media];
  let leftBytes = budgetBytes;
  for (const [index, { type, sizeBytes }] of media.entries()) {
    if (isImage(type)) continue;
    leftBytes -= sizeBytes;
    if (leftBytes < 0) return mediaFailed('MEDIA_TOO_LARGE', index);
  }
  const order = smallestFirst(media);
  for (const [done, index] of order.entries()) {
    const share = Math.floor(leftBytes / (order.length - done));
    const one = await fitOne({ files, processes }, media[index]!, index, share);
    if (one.kind !== 'fitted') return one;
    fitted[index] = one.medium;
    leftBytes -= one.medium.sizeBytes;
  }
  return { kind: 'fitted', media: fitted };
}

/** The images' places: what a small one leaves of its share goes to the larger ones after it. */
function smallestFirst(media: readonly StoredMedium[]): number[] {
  return [...media.keys()]
    .filter((index) => isImage(media[index]!.type))
    .sort((a, b) => media[a]!.sizeBytes - media[b]!.sizeBytes);
}

type FittedOne = { readonly kind: 'fitted'; readonly medium: StoredMedium } | MediaFailed | MediaLater;

async function fitOne(
  { files, processes }: FitParts,
  medium: StoredMedium,
  index: number,
  budgetBytes: number,
): Promise<FittedOne> {
  const result = await processes.fit({
    type: medium.type as ImageType,
    budgetBytes,
    load: () => files.read(medium.hash),
  });
  switch (result.kind) {
    case 'fitted': {
      const put = await files.put(result.bytes);
      if (!put.ok) return { kind: 'later', why: 'disk-full' };
      return { kind: 'fitted', medium: { hash: put.hash, type: result.type, sizeBytes: result.bytes.length } };
    }
    case 'damaged':
      return mediaFailed('MEDIA_TYPE_NOT_SUPPORTED', index);
    case 'too-large':
      return mediaFailed('MEDIA_TOO_LARGE', index);
    case 'crashed':
    case 'lost':
      return mediaFailed('GATEWAY_ERROR', index);
    case 'busy':
      return { kind: 'later', why: 'busy' };
  }
}
