/** Data for the contract's tests of media: requests with media, their prepared media, links, messages from handsets. */
import type { AcceptItem, InboundMmsItem, MmsItem } from '../../messaging/store/items.ts';
import type { MediaLink, MediaPreparation } from '../../messaging/store/media-items.ts';
import type { Claim, PreparedMedia } from '../../model/delivery.ts';
import type { StoredMedium } from '../../model/medium.ts';
import type { MessageView } from '../../model/message-view.ts';
import { acceptItem, hour, type ItemFields, nextId } from './fixture.ts';

export const urls = ['https://example.com/a.png', 'https://example.com/b.jpg'];

export function mmsItem(now: number, fields: ItemFields = {}): MmsItem {
  const { message, deliveries, idempotency } = acceptItem(now, fields);
  const { wireText: _, encoding: __, segments: ___, ...shared } = message;
  return { message: { ...shared, messageType: 'MMS', mediaUrls: urls }, deliveries, idempotency };
}

export function medium(name: string, fields: Partial<StoredMedium> = {}): StoredMedium {
  return { hash: Buffer.from(name).toString('hex').padStart(64, '0'), type: 'image/png', sizeBytes: 1_000, ...fields };
}

/** Two media, ordered differently from their hashes, each as the original and fitted for two budgets. */
export function preparedMedia(name = 'm'): PreparedMedia {
  const pair = (kind: string) => [medium(`${name}-${kind}-z`, { type: 'video/mp4' }), medium(`${name}-${kind}-a`)];
  return {
    original: pair('original'),
    fitted: [
      { budgetBytes: 300_000, media: pair('small') },
      { budgetBytes: 2_000_000, media: pair('large') },
    ],
  };
}

/** The media claimed with a delivery; null for an SMS. */
export function mediaOf(claim: Claim): PreparedMedia | null {
  return claim.messageType === 'MMS' ? claim.media : null;
}

export function hashesOf({ original, fitted }: PreparedMedia): string[] {
  return [...original, ...fitted.flatMap(({ media }) => media)].map(({ hash }) => hash).sort();
}

export function queuedMedia(item: AcceptItem, now: number, media = preparedMedia()): MediaPreparation {
  return { requestId: item.message.requestId, now, outcome: { to: 'queued', media } };
}

export function mediaLink(now: number, fields: Partial<MediaLink> = {}): MediaLink {
  return {
    mediaId: nextId('med'),
    accountId: 'acc1',
    medium: medium('link'),
    fileName: 'photo.png',
    createdAt: now,
    expiresAt: now + 720 * hour,
    ...fields,
  };
}

export function inboundMmsItem(now: number, fields: Partial<InboundMmsItem> = {}): InboundMmsItem {
  const links = [mediaLink(now), mediaLink(now, { medium: medium('second') })];
  return {
    carrier: 'c1',
    peerMessageId: 'peer-1',
    accountId: 'acc1',
    messageId: nextId('msg'),
    requestId: nextId('req'),
    from: '14155550100',
    to: '15550001111',
    text: 'Look',
    links,
    mediaUrls: links.map(({ mediaId }) => `https://gateway.example/media/${mediaId}/photo.png`),
    receivedAt: now,
    consent: null,
    ...fields,
  };
}

/** As the look-up shows them. */
export function shownMedia(view: MessageView | null) {
  return view?.messageType === 'MMS' ? view.media : undefined;
}
