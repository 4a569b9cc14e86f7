/**
 * The interface of the media store: fetch customers' URLs, fit for a carrier, keep bytes by hash, clean up. `media/`
 * implements it.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { KeptMedium, MediaFailed, MediaLater, StoredMedium } from './medium.ts';

/** The media of the URLs, in order. */
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
  /**
   * The disk or the quota is full (`disk-full`), or the database or the bucket is unreachable (`busy`). Try again
   * later.
   */
  | { readonly ok: false; readonly why: 'disk-full' | 'busy' };

/** What the bytes are, by their content. */
export type RecognisedMedium =
  | { readonly kind: 'medium'; readonly medium: StoredMedium }
  | { readonly kind: 'refused'; readonly code: 'MEDIA_TYPE_NOT_SUPPORTED' | 'MEDIA_TOO_LARGE' }
  | MediaLater;

/** A file from a handset. */
export type KeptFile =
  | {
      readonly kind: 'kept';
      readonly medium: KeptMedium;
      /** True when the content proves the type; false when only the peer declares it. */
      readonly known: boolean;
      readonly downloadOnly: boolean;
    }
  | MediaLater;

export interface Sweep {
  /** Returns those that are still needed. Called with a bounded number at a time. */
  needed(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Files put since then stay: their message may not be committed yet. */
  putBefore: EpochMs;
}

export interface MediaFiles {
  /** Resolves when the file is on disk and survives a power cut. The same bytes are stored once. */
  put(bytes: Uint8Array): Promise<Put>;
  /**
   * The stored bytes; null when they are absent or, on a broken disk, damaged. Rejects with StoreUnavailable while the
   * database or the bucket is unreachable.
   */
  read(hash: string): Promise<Buffer | null>;
  /** Deletes files that are not needed; returns how many. */
  sweep(sweep: Sweep): Promise<number>;
}

/**
 * A medium behind a URL of this gateway itself: read from the store, never dialled. `unsupported`: a type that cannot
 * be sent.
 */
export type OwnMedia = (
  url: string,
  accountId: AccountId,
) => Promise<'not-ours' | 'gone' | 'unsupported' | StoredMedium>;

export interface FitOptions {
  /** An animation that fits only as a still picture fails. */
  readonly refuseStills: boolean;
  /** Where the media came from, in order: a failure names the host. Absent = it names none. */
  readonly urls?: readonly string[];
}

export interface Media extends MediaFiles {
  /** Call once for each message, and store the result with it. */
  fetch(urls: readonly string[], accountId: AccountId): Promise<FetchedMedia>;
  /** Call once for each message and budget. */
  fit(media: readonly StoredMedium[], budgetBytes: number, options?: FitOptions): Promise<FittedMedia>;
  /** Recognises uploaded bytes by the rules for fetched ones, and stores them. */
  take(bytes: Buffer): Promise<RecognisedMedium>;
  /** Stores a file of any type. `declared`: the type as the peer declares it. */
  keep(bytes: Buffer, declared: string): Promise<KeptFile>;
  /** Ends the fit processes; jobs under way end as `busy`. */
  close(): void;
}
