/** Signed, expiring URLs of media that this gateway serves: creates and verifies them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { dayMs, type EpochMs } from '../kernel/clock.ts';

export const mediaUrlPath = '/media';
/** How long media stay available under their URLs. */
export const mediaKeptMs = 30 * dayMs;

/** The contents of one of our URLs. */
export interface ReadMediaUrl {
  readonly mediaId: string;
  /** Whole seconds. */
  readonly expiresAt: EpochMs;
}

export interface MediaUrls {
  /** `fileName`: made by `mediumFileName`. */
  urlFor(mediaId: string, fileName: string, expiresAt: EpochMs): string;
  /**
   * The contents of one of our URLs, expired or not; null for any other URL, and for an altered one. The host does not
   * matter: this gateway may have several names, and only it can sign.
   */
  read(url: string): ReadMediaUrl | null;
  /** The same for the parts of a URL; null when a part is missing. */
  check(parts: MediaUrlParts): ReadMediaUrl | null;
}

export interface MediaUrlParts {
  readonly mediaId: string;
  readonly fileName: string;
  readonly expires: string | null;
  readonly signature: string | null;
}

/**
 * `key`: at least 256 bits, used only for this. `baseUrl`: the public address of this gateway, without a slash at the
 * end.
 */
export function createMediaUrls({ key, baseUrl }: { key: Uint8Array; baseUrl(): string }): MediaUrls {
  // Only the last part can contain a full stop, so the join is unambiguous.
  const sign = (mediaId: string, expires: string, fileName: string) =>
    createHmac('sha256', key).update(`${mediaId}.${expires}.${fileName}`).digest('base64url');

  const check: MediaUrls['check'] = ({ mediaId, fileName, expires, signature }) => {
    if (!/^med_[0-9A-HJKMNP-TV-Z]{26}$/.test(mediaId) || !/^[a-z0-9._-]{1,64}$/.test(fileName)) return null;
    if (expires === null || signature === null || !/^[0-9]{1,12}$/.test(expires)) return null;
    const given = Buffer.from(signature);
    const right = Buffer.from(sign(mediaId, expires, fileName));
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    return { mediaId, expiresAt: Number(expires) * 1_000 };
  };

  return {
    check,
    urlFor: (mediaId, fileName, expiresAt) => {
      const expires = String(Math.floor(expiresAt / 1_000));
      const signature = sign(mediaId, expires, fileName);
      return `${baseUrl()}${mediaUrlPath}/${mediaId}/${fileName}?expires=${expires}&signature=${signature}`;
    },
    read: (url) => {
      const parsed = URL.parse(url);
      const [, mediaId, fileName] = /\/media\/([^/]+)\/([^/]+)$/.exec(parsed?.pathname ?? '') ?? [];
      if (parsed === null || mediaId === undefined || fileName === undefined) return null;
      const { searchParams: query } = parsed;
      return check({ mediaId, fileName, expires: query.get('expires'), signature: query.get('signature') });
    },
  };
}
