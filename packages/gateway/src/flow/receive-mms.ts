/**
 * Replies with media, on their way into the store: their media are recognised by content and kept, linked for the account
 * that owns the number, and the text is read for keywords. A carrier is acknowledged for nothing that could still be lost.
 */
import type { InboundMms } from '../domain/delivery.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import type { Media } from '../domain/media.ts';
import { mediumFileName } from '../domain/media-name.ts';
import { type MediaUrls, mediaKeptMs } from '../domain/media-url.ts';
import type { StoredMedium } from '../domain/medium.ts';
import { type InboundMmsItem, type MediaLink, StoreUnavailable } from '../store/store.ts';
import type { Consent } from './consent.ts';

/** Media kept of one message. */
export const inboundMediaMax = 20;
/** Units of the text kept of one message. */
export const inboundTextMax = 20_000;
/** Account id of replies to a number nobody has: kept, visible to the operator only. */
export const nobodysAccount = '';

export interface InboundMmsParts {
  ids: Pick<Ids, 'message' | 'request' | 'next'>;
  logger: Logger;
  directory(): Directory;
  media: Pick<Media, 'take'>;
  mediaUrls: Pick<MediaUrls, 'urlFor'>;
  consent: Pick<Consent, 'commandFor'>;
}

interface Taken {
  medium: StoredMedium;
  fileName: string;
}

/**
 * One item for each of our numbers among the recipients; for the first recipient when none is ours. Rejects with
 * StoreUnavailable when a medium could not be kept.
 */
export async function inboundMmsItems(message: InboundMms, parts: InboundMmsParts): Promise<InboundMmsItem[]> {
  const taken = await takeMedia(message, parts);
  const text = normalised(message, parts.logger);
  const named = [...new Set(message.to)];
  const ours = named.filter((to) => parts.directory().number(to) !== undefined);
  if (ours.length === 0) parts.logger.warn({ carrier: message.carrier }, 'a reply to a number nobody has');
  return (ours.length > 0 ? ours : [named[0] ?? '']).map((to) => asItem(message, to, text, taken, parts));
}

async function takeMedia({ carrier, media }: InboundMms, parts: InboundMmsParts): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const [index, { bytes, fileName }] of media.entries()) {
    const found = index < inboundMediaMax ? await parts.media.take(bytes) : null;
    if (found?.kind === 'later') {
      throw new StoreUnavailable(found.why === 'busy' ? 'busy' : 'full', 'a medium of a reply could not be kept');
    }
    if (found?.kind === 'medium')
      taken.push({ medium: found.medium, fileName: mediumFileName(fileName, found.medium.type) });
    else {
      const why = found?.code ?? 'TOO_MANY_MEDIA';
      parts.logger.warn({ carrier, why, sizeBytes: bytes.length }, 'a medium of a reply is left out');
    }
  }
  return taken;
}

/** Line ends as `\n`, nothing around it, valid Unicode; the subject when there is no other text. */
function normalised({ carrier, subject, text }: InboundMms, logger: Logger): string {
  const [whole] = [text, subject]
    .map((one) => one.replace(/\r\n?/g, '\n').trim().toWellFormed())
    .filter((one) => one !== '');
  if (whole === undefined) return '';
  if (whole.length <= inboundTextMax) return whole;
  logger.warn({ carrier, units: whole.length }, 'the text of a reply is cut');
  return whole.slice(0, inboundTextMax).toWellFormed();
}

function asItem(
  { carrier, peerMessageId, from, receivedAt }: InboundMms,
  to: string,
  text: string,
  taken: readonly Taken[],
  parts: InboundMmsParts,
): InboundMmsItem {
  const owner = parts.directory().number(to);
  const accountId = owner?.accountId ?? nobodysAccount;
  const expiresAt = receivedAt + mediaKeptMs;
  const links = taken.map(({ medium, fileName }): MediaLink => {
    return { mediaId: parts.ids.next('med_'), accountId, medium, fileName, createdAt: receivedAt, expiresAt };
  });
  return {
    carrier,
    peerMessageId,
    accountId,
    messageId: parts.ids.message(),
    requestId: parts.ids.request(),
    from,
    to,
    text,
    links,
    mediaUrls: links.map(({ mediaId, fileName }) => parts.mediaUrls.urlFor(mediaId, fileName, expiresAt)),
    receivedAt,
    consent: owner === undefined ? null : parts.consent.commandFor({ from, text, concat: null }, owner),
  };
}
