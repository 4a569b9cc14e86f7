/** Media of a sent message as look-ups show them: fetched, fitted per carrier, failed. Pure. */
import type { Altered, StoredMedium } from './medium.ts';

/** Size of a picture; each value only if known. */
interface Measures {
  /** Pixels. */
  width?: number;
  height?: number;
  /** Pictures of an animation. */
  frames?: number;
}

/** A medium as sent to a carrier. */
export interface FittedView extends Measures {
  /** Total bytes of media that the carrier takes for a message. */
  limit: number;
  type: string;
  /** In bytes. */
  size: number;
  altered?: Altered;
}

/** What is known about a sent medium, besides its URL, type, size and name. */
export interface SentMedium extends Measures {
  /** `skipped`: not fetched, because another one had failed. */
  state?: 'fetched' | 'fitted' | 'failed' | 'skipped';
  /** One for each size limit of the message's carriers; usually one. */
  fitted?: FittedView[];
  /** The largest change by fitting, beyond size, quality and metadata; absent = none. */
  altered?: Altered;
}

/** What is stored about the media of one request. */
export interface MediaOnRecord {
  /** From the first medium on; all of them unless one failed. */
  original: readonly StoredMedium[];
  fitted: readonly { budgetBytes: number; media: readonly StoredMedium[] }[];
  /** Index of the failed one, or null. */
  failed: number | null;
}

const nameCharactersMax = 100;

/** One entry for each URL; undefined before anything is stored, and after retention deleted it. */
export function sentMedia(mediaUrls: readonly string[], { original, fitted, failed }: MediaOnRecord) {
  if (original.length === 0 && failed === null) return undefined;
  return mediaUrls.map((url, index) => {
    const fetched = original[index];
    const views = fitted.flatMap(({ budgetBytes, media }) => {
      const one = media[index];
      return one === undefined ? [] : [fittedView(one, budgetBytes)];
    });
    const changes = views.flatMap(({ altered }) => altered ?? []);
    const altered = changes.includes('still') ? 'still' : changes[0];
    const state = stateOf({ isFetched: fetched !== undefined, isFitted: views.length > 0, isFailed: failed === index });
    const named = { url, type: fetched?.type ?? '', size: fetched?.sizeBytes ?? 0, name: nameOf(url) };
    const more: SentMedium = {
      state,
      ...(fetched && measuresOf(fetched)),
      ...(views.length > 0 && { fitted: views }),
      ...(altered && { altered }),
    };
    return { ...named, ...more };
  });
}

function stateOf({ isFetched, isFitted, isFailed }: Record<'isFetched' | 'isFitted' | 'isFailed', boolean>) {
  if (isFailed) return 'failed';
  if (isFitted) return 'fitted';
  return isFetched ? 'fetched' : 'skipped';
}

function fittedView(medium: StoredMedium, limit: number): FittedView {
  const { type, sizeBytes, altered } = medium;
  return { limit, type, size: sizeBytes, ...measuresOf(medium), ...(altered && { altered }) };
}

function measuresOf({ width, height, frames }: StoredMedium): Measures {
  return {
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(frames !== undefined && { frames }),
  };
}

/** The last part of the path; '' when there is none. */
function nameOf(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last).slice(0, nameCharactersMax).toWellFormed();
  } catch {
    return last.slice(0, nameCharactersMax);
  }
}
