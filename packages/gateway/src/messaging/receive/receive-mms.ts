/**
 * Stores MMS replies: stores each part unchanged, links it for the account that owns the number, and checks the text
 * for keywords. The carrier is acknowledged only after the commit.
 */
import type { Ids } from '../../kernel/ids.ts';
import type { InboundMedium, InboundMms } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { Media } from '../../model/media.ts';
import { anyFileName, shownFileName } from '../../model/media-name.ts';
import { type MediaUrls, mediaKeptMs } from '../../model/media-url.ts';
import type { KeptMedium } from '../../model/medium.ts';
import type { StoredExtras } from '../../model/message-extras.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { Consent } from '../consent/consent.ts';
import type { InboundMmsItem } from '../store/items.ts';
import type { MediaLink } from '../store/media-items.ts';

/** Maximum stored characters of a subject, and addresses of a group. */
const subjectMax = 1_000;
const participantsMax = 100;
/** UTF-16 units of a message's text; a longer text is also kept whole as a medium. */
export const inboundTextMax = 20_000;
/** Account id of replies to an unassigned number: kept, visible to operators only. */
export const nobodysAccount = '';

export interface InboundMmsParts {
  ids: Pick<Ids, 'message' | 'request' | 'next'>;
  /** Called for a reply whose number is not on record. */
  nobodys(carrier: string): void;
  directory(): Directory;
  media: Pick<Media, 'keep'>;
  mediaUrls: Pick<MediaUrls, 'urlFor'>;
  consent: Pick<Consent, 'commandFor'>;
}

interface Taken {
  medium: KeptMedium;
  /** The last part of its URL. */
  fileName: string;
  /** The name shown to people. */
  name: string;
  downloadOnly: boolean;
}

/**
 * One item for each of our numbers among the recipients; for the first recipient when none is ours. Rejects with
 * StoreUnavailable if a medium could not be stored.
 */
export async function inboundMmsItems(message: InboundMms, parts: InboundMmsParts): Promise<InboundMmsItem[]> {
  const { text, more } = bounded(normalised(message));
  const taken = await keepMedia([...message.media, ...more], parts);
  const named = [...new Set(message.to)];
  const ours = named.filter((to) => parts.directory().number(to) !== undefined);
  if (ours.length === 0) parts.nobodys(message.carrier);
  return (ours.length > 0 ? ours : [named[0] ?? '']).map((to) => asItem(message, to, text, taken, parts));
}

/** Keeps every part unchanged, of any type: it is acknowledged, so its sender will not send it again. */
async function keepMedia(media: readonly InboundMedium[], parts: InboundMmsParts): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const { bytes, fileName: given, contentType } of media) {
    const kept = await parts.media.keep(bytes, contentType);
    if (kept.kind === 'later') {
      throw new StoreUnavailable(kept.why === 'busy' ? 'busy' : 'full', 'a medium of a reply could not be kept');
    }
    const { medium, known, downloadOnly } = kept;
    const fileName = anyFileName(given, { type: medium.type, known });
    taken.push({ medium, fileName, name: shownFileName(given) || fileName, downloadOnly });
  }
  return taken;
}

/** Line ends as `\n`, trimmed, valid Unicode; the subject if there is no other text. */
function normalised({ subject, text }: InboundMms): string {
  const [whole = ''] = [text, subject]
    .map((one) => one.replace(/\r\n?/g, '\n').trim().toWellFormed())
    .filter((one) => one !== '');
  return whole;
}

/** The text of a message; a text that is too long is also kept whole as a medium. */
function bounded(text: string): { text: string; more: InboundMedium[] } {
  if (text.length <= inboundTextMax) return { text, more: [] };
  const whole = { contentType: 'text/plain', fileName: 'text.txt', bytes: Buffer.from(text, 'utf8') };
  return { text: text.slice(0, inboundTextMax).toWellFormed(), more: [whole] };
}

function asItem(
  message: InboundMms,
  to: string,
  text: string,
  taken: readonly Taken[],
  parts: InboundMmsParts,
): InboundMmsItem {
  const { carrier, peerMessageId, from, receivedAt } = message;
  const owner = parts.directory().number(to);
  const accountId = owner?.accountId ?? nobodysAccount;
  const expiresAt = receivedAt + mediaKeptMs;
  const links = taken.map(({ medium, fileName, downloadOnly }): MediaLink => {
    const mediaId = parts.ids.next('med_');
    return { mediaId, accountId, medium, downloadOnly, fileName, createdAt: receivedAt, expiresAt };
  });
  const media = taken.map(({ medium: { type, sizeBytes: size }, name }) => ({ type, size, name }));
  const extras = {
    ...(media.length > 0 && { media }),
    ...headOf(message, to),
    ...(message.asksReadReport && peerMessageId !== '' && { readReport: peerMessageId }),
  };
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
    ...(Object.keys(extras).length > 0 && { extras }),
    receivedAt,
    consent: owner === undefined ? null : parts.consent.commandFor({ from, text, concat: null }, owner),
  };
}

/** Subject and participants: everyone in the conversation except the sender and the receiving number. */
function headOf(
  { subject, participants = [], from }: InboundMms,
  to: string,
): Pick<StoredExtras, 'subject' | 'participants'> {
  const line = subject.replaceAll(/\s+/g, ' ').trim().slice(0, subjectMax).toWellFormed();
  const others = [...new Set(participants)].filter((address) => address !== from && address !== to);
  return {
    ...(line !== '' && { subject: line }),
    ...(others.length > 0 && { participants: others.slice(0, participantsMax) }),
  };
}
