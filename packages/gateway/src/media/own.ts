/**
 * Media URLs of this gateway itself in a message: what a customer uploaded or a handset sent is read from the store and
 * never dialled. It opens nothing; where links are kept is not known here.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { OwnMedia } from '../model/media.ts';
import type { MediaUrls } from '../model/media-url.ts';
import { type KeptMedium, mayBeSent } from '../model/medium.ts';

export interface OwnMediaParts {
  readonly urls: Pick<MediaUrls, 'read'>;
  /** Null when there is none. */
  mediaLink(mediaId: string): Promise<{
    readonly accountId: AccountId;
    readonly medium: KeptMedium;
    readonly downloadOnly?: boolean;
    readonly expiresAt: EpochMs;
  } | null>;
  now(): EpochMs;
}

/**
 * A URL is ours by its signature alone, under whatever host it stands: the gateway may have several names, and its name
 * may have changed since. Nothing is dialled for it, and another account's medium is as gone as one that expired, so a
 * foreign host in front of a right signature wins nothing. One with a wrong signature goes the way of any URL, past the
 * rules for what may be dialled, which this gateway's own names are not.
 */
export function createOwnMedia({ urls, mediaLink, now }: OwnMediaParts): OwnMedia {
  return async (url, accountId) => {
    const ours = urls.read(url);
    if (ours === null) return 'not-ours';
    const link = ours.expiresAt > now() ? await mediaLink(ours.mediaId) : null;
    const isTheirs = link !== null && link.accountId === accountId && link.expiresAt > now();
    if (!isTheirs) return 'gone';
    const { medium } = link;
    return !link.downloadOnly && mayBeSent(medium) ? medium : 'unsupported';
  };
}
