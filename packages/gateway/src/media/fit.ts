/**
 * Fits a message's media into a carrier's byte budget: other types pass unchanged, images share the rest. Originals
 * stay; results are stored beside them.
 */
import type { FitOptions, FittedMedia, MediaFiles } from '../model/media.ts';
import { type ImageType, isImage, type MediaLater, type StoredMedium } from '../model/medium.ts';
import { type MediumProblem, mediumFailed } from '../model/medium-problem.ts';
import type { FitProcesses } from './fit-process.ts';
import { imageMeasures } from './kind.ts';

export interface FitParts {
  readonly files: MediaFiles;
  readonly processes: FitProcesses;
}

/** Returns `media` in their order, together at most `budgetBytes`. */
export async function fitMedia(
  { files, processes }: FitParts,
  media: readonly StoredMedium[],
  budgetBytes: number,
  { refuseStills, urls = [] }: FitOptions = { refuseStills: false },
): Promise<FittedMedia> {
  const fitted = [...media];
  const failed = (problem: MediumProblem, index: number) =>
    mediumFailed(problem, { index, count: media.length, host: URL.parse(urls[index] ?? '')?.hostname });
  const tooLarge = { code: 'MEDIA_TOO_LARGE', why: 'budget', limit: budgetBytes } as const;
  let leftBytes = budgetBytes;
  for (const [index, { type, sizeBytes }] of media.entries()) {
    if (isImage(type)) continue;
    leftBytes -= sizeBytes;
    if (leftBytes < 0) return failed(tooLarge, index);
  }
  const order = smallestFirst(media);
  for (const [done, index] of order.entries()) {
    const share = Math.floor(leftBytes / (order.length - done));
    const one = await fitOne({ files, processes }, media[index]!, share);
    if (one === 'too-large') return failed(tooLarge, index);
    if ('code' in one) return failed(one, index);
    if ('kind' in one) return one;
    if (refuseStills && one.altered === 'still') return failed({ ...tooLarge, why: 'still' }, index);
    fitted[index] = one;
    leftBytes -= one.sizeBytes;
  }
  return { kind: 'fitted', media: fitted };
}

/** Positions of the images, smallest first: a small one leaves the rest of its share to larger ones. */
function smallestFirst(media: readonly StoredMedium[]): number[] {
  return [...media.keys()]
    .filter((index) => isImage(media[index]!.type))
    .sort((a, b) => media[a]!.sizeBytes - media[b]!.sizeBytes);
}

type FittedOne = StoredMedium | 'too-large' | MediumProblem | MediaLater;

async function fitOne({ files, processes }: FitParts, medium: StoredMedium, budgetBytes: number): Promise<FittedOne> {
  const result = await processes.fit({
    type: medium.type as ImageType,
    budgetBytes,
    load: () => files.read(medium.hash),
  });
  switch (result.kind) {
    case 'fitted': {
      const { type, bytes, altered } = result;
      const put = await files.put(bytes);
      if (!put.ok) return { kind: 'later', why: put.why };
      const measures = imageMeasures(type, bytes);
      return { hash: put.hash, type, sizeBytes: bytes.length, ...measures, ...(altered && { altered }) };
    }
    case 'damaged':
      return { code: 'MEDIA_TYPE_NOT_SUPPORTED', why: 'damaged' };
    case 'too-large':
      return 'too-large';
    case 'crashed':
    case 'lost':
      return { code: 'GATEWAY_ERROR' };
    case 'busy':
      return { kind: 'later', why: 'busy' };
  }
}
