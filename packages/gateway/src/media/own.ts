/**
 * Media URLs of this gateway in a message: uploads of a customer and media from handsets are read from the store, never
 * dialled. Opens nothing itself; the caller provides the links.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { OwnMedia } from '../model/media.ts';
import type { MediaUrls } from '../model/media-url.ts';
import { type KeptMedium, mayBeSent } from '../model/medium.ts';

export interface OwnMediaParts {
  readonly urls: Pick<MediaUrls, 'read'>;
  /** Null when there is no such link. */
  mediaLink(mediaId: string): Promise<{
    readonly accountId: AccountId;
    readonly medium: KeptMedium;
    readonly downloadOnly?: boolean;
    readonly expiresAt: EpochMs;
  } | null>;
  now(): EpochMs;
}

/**
 * A URL is ours by its signature alone, under any host: the gateway may have several names, and its name may have
 * changed. It is never dialled, and another account's medium counts as gone, like an expired one, so a foreign host
 * with a valid signature gains nothing. A URL with a wrong signature is treated like any other, by the rules for
 * dialling, which exclude this gateway's own names.
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
