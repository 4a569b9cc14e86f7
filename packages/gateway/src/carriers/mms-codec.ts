/** Conversions shared by MM4 and MM7: submission to parts, received message, report status. */

import { type MmsMessage, type MmsPart, mmStatus, textOf } from '@heliograph/mms';
import type { InboundMms, Receipt } from '../model/delivery.ts';
import type { InboundMmsLimits } from '../model/inbound-limits.ts';
import { mediumExtensions } from '../model/media-name.ts';
import type { OutcomeCode } from '../model/reason.ts';
import type { Refused, Submission } from './carrier.ts';

/** The disk lost a medium: nothing was sent. */
export const mediumLost: Refused = {
  kind: 'refused',
  retry: 'later',
  code: 'GATEWAY_ERROR',
  carrierCode: null,
  detail: 'A medium of the message could not be read from the media store: nothing was sent.',
  countsAttempt: true,
  parts: [],
};

/** The media store is unreachable now: nothing was sent, and it says nothing about the message. */
const mediumAway: Refused = {
  ...mediumLost,
  code: 'CARRIER_UNAVAILABLE',
  detail: 'The media store does not answer: nothing was sent.',
  countsAttempt: false,
  afterMs: 5_000,
};

/**
 * Media in the order of the request, then the text as their caption; or the refusal when one of them cannot be loaded.
 */
export async function partsOfSubmission(submission: Submission): Promise<MmsPart[] | Refused> {
  const { text } = submission;
  // A text gets here if its carrier was changed into an MMS carrier while it waited.
  const media = submission.kind === 'MMS' ? submission.media : [];
  const parts: MmsPart[] = [];
  for (const [i, medium] of media.entries()) {
    const bytes = await medium.load();
    if (bytes === null) return mediumLost;
    if (bytes === 'away') return mediumAway;
    parts.push(partOf(medium.type, `${i + 1}.${mediumExtensions[medium.type]}`, bytes));
  }
  if (text !== '') parts.push(partOf('text/plain', 'text.txt', Buffer.from(text, 'utf8')));
  return parts;
}

/** `presentable` assigns the ids. */
const partOf = (contentType: string, fileName: string, bytes: Buffer): MmsPart => ({
  contentType,
  contentId: '',
  fileName,
  bytes,
});

/** `to` keeps only numbers: no other address can be ours. */
export function inboundOf(
  message: MmsMessage,
  about: Pick<InboundMms, 'carrier' | 'peerMessageId' | 'receivedAt'>,
): InboundMms {
  const recipients = [...message.to, ...message.cc];
  const media = message.parts.filter(({ contentType }) => contentType !== 'text/plain');
  return {
    ...about,
    from: message.from,
    to: recipients.filter((address) => /^\d+$/.test(address)),
    ...(recipients.length > 1 && { participants: recipients }),
    subject: message.subject,
    text: textOf(message.parts),
    media: media.map(({ contentType, fileName, bytes }) => ({ contentType, fileName, bytes })),
  };
}

/** The fault when a part is too large; null when all fit. */
export function partTooLarge({ parts }: MmsMessage, { partBytesMax }: InboundMmsLimits): string | null {
  return parts.some(({ bytes }) => bytes.length > partBytesMax) ? `a part of over ${partBytesMax} bytes` : null;
}

type Verdict = Pick<Receipt, 'state' | 'code'>;

const interim: Verdict = { state: 'interim', code: null };
const undelivered = (code: OutcomeCode): Verdict => ({ state: 'undelivered', code });

/**
 * The meaning of a delivery report's status (MM4 X-Mms-MM-Status-Code, MM7 MMStatus). An interim status settles
 * nothing.
 */
export function reportVerdict(word: string): Verdict {
  const { state, final } = mmStatus(word);
  if (!final) return interim;
  switch (state) {
    case 'delivered':
      return { state: 'delivered', code: 'DELIVERED' };
    case 'expired':
      return undelivered('EXPIRED');
    case 'rejected':
      return undelivered('CARRIER_REJECTED');
    default:
      return undelivered(/^notsupported$/i.test(word.trim()) ? 'MMS_NOT_SUPPORTED' : 'UNREACHABLE');
  }
}
