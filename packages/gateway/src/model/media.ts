/**
 * The interface of the media store: fetch customers' URLs, fit for a carrier, keep bytes by hash, clean up. `media/`
 * implements it.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { KeptMedium, MediaFailed, MediaLater, StoredMedium } from './medium.ts';

/** The URLs' media, in their order. */
export type FetchedMedia =
  | { readonly kind: 'fetched'; readonly media: readonly StoredMedium[] }
  | MediaFailed
  | MediaLater;

export type FittedMedia =
  | { readonly kind: 'fitted'; readonly media: readonly StoredMedium[] }
  | MediaFailed
  | MediaLater;

export type Put =
  | { readonly ok: true; readonly hash: string }
  /** The disk, or the quota, is full (`disk-full`); the database or the bucket cannot be asked now (`busy`). Try again later. */
  | { readonly ok: false; readonly why: 'disk-full' | 'busy' };

/** What some bytes are, by their content. */
export type RecognisedMedium =
  | { readonly kind: 'medium'; readonly medium: StoredMedium }
  | { readonly kind: 'refused'; readonly code: 'MEDIA_TYPE_NOT_SUPPORTED' | 'MEDIA_TOO_LARGE' }
  | MediaLater;

/** A file as a handset sent it. */
export type KeptFile =
  | {
      readonly kind: 'kept';
      readonly medium: KeptMedium;
      /** The content shows its type; else it is the peer's word. */
      readonly known: boolean;
      readonly downloadOnly: boolean;
    }
  | MediaLater;

export interface Sweep {
  /** Which of these are still needed. Asked with a bounded number at a time. */
  needed(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Files put, or put again, since then stay: their message may not be committed yet. */
  putBefore: EpochMs;
}

export interface MediaFiles {
  /** On disk, and to stay there through a power cut, when it resolves. The same bytes are stored once. */
  put(bytes: Uint8Array): Promise<Put>;
  /**
   * What was put; null when it is not there or, on a broken disk, no longer the same. Rejects with StoreUnavailable while the
   * database or the bucket cannot be asked.
   */
  read(hash: string): Promise<Buffer | null>;
  /** Deletes what is not needed; returns how many files. */
  sweep(sweep: Sweep): Promise<number>;
}

/** A medium behind a URL of this gateway itself: read from the store, never dialled. `unsupported`: of a type that is not sent. */
export type OwnMedia = (
  url: string,
  accountId: AccountId,
) => Promise<'not-ours' | 'gone' | 'unsupported' | StoredMedium>;

export interface Media extends MediaFiles {
  /** Once for each message: what it returns is to be written down with the message. */
  fetch(urls: readonly string[], accountId: AccountId): Promise<FetchedMedia>;
  /** Once for each message and budget. `refuseStills`: an animation that fits only as a still picture fails. */
  fit(media: readonly StoredMedium[], budgetBytes: number, wish?: { refuseStills: boolean }): Promise<FittedMedia>;
  /** Recognises bytes that somebody uploaded, by the rules for fetched ones, and puts them. */
  take(bytes: Buffer): Promise<RecognisedMedium>;
  /** Puts a file of any type. `declared`: the type as the peer calls it. */
  keep(bytes: Buffer, declared: string): Promise<KeptFile>;
  /** Ends the fit processes; what is on its way ends as `busy`. */
  close(): void;
}
