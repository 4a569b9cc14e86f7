/**
 * Builds the mail of one attempt. Both MM4 ids derive from the message, so a repeat is recognised and an early report
 * can be matched. Source: 3GPP TS 23.140 §8.4.4.1.
 */
import { emptyMessage, type Mm4Mail, presentable, writeMm4 } from '@heliograph/mms';
import type { Submission } from '../carrier.ts';
import { mediumLost, partsOfSubmission } from '../mms-words.ts';
import { ownRefusal, type Refused } from '../submit-try.ts';
import type { Mm4Profile } from './profile.ts';

/** X-Mms-Transaction-ID and X-Mms-Message-ID of a message. */
export const mm4Id = (messageId: string): string => messageId;

export async function mailOf(submission: Submission, profile: Mm4Profile, date: Date): Promise<Mm4Mail | Refused> {
  const parts = await partsOfSubmission(submission).catch(() => null);
  if (parts === null) return mediumLost;
  const id = mm4Id(submission.messageId);
  const { from, to, expiresAt } = submission;
  const expiry = expiresAt === undefined ? null : new Date(expiresAt);
  const { deliveryReport } = profile;
  const mail = writeMm4(
    {
      type: 'MM4_forward.REQ',
      transactionId: id,
      messageId: id,
      ackRequest: profile.acknowledgement,
      replyTo: '',
      hidesSender: false,
      message: presentable({ ...emptyMessage, from, to: [to], parts, deliveryReport, expiry }),
    },
    { ourDomain: profile.ownDomain, peerDomain: profile.domain, date, version: profile.version },
  );
  if (mail.kind === 'written') return mail;
  return ownRefusal('MALFORMED', `The message cannot be written as MM4: ${mail.field} ${mail.detail}.`);
}
