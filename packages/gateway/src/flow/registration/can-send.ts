/** Whether a number can send, in a few words for a list, and what mends it. The verdict itself is that of sending. */
import type { Directory } from '../../domain/directory.ts';
import type { SendingNumber } from '../../domain/records.ts';
import { judgeSender } from '../sender.ts';

export interface CanSend {
  ok: boolean;
  reason?: string;
  sentence?: string;
  /** A page of the portal. */
  fix?: { label: string; href: string };
}

export function canSend(directory: Directory, number: SendingNumber): CanSend {
  const { number: digits, accountId, environment, campaignId } = number;
  const verdict = judgeSender(directory, digits, accountId, environment, 'SMS');
  if (verdict.kind === 'ready') return { ok: true };
  const { reason } = verdict;
  const own = `/numbers/${digits}`;
  if (reason === 'SENDER_NOT_ENABLED') {
    return { ok: false, reason, sentence: 'SMS is off', fix: { label: 'Turn SMS on', href: own } };
  }
  const campaign = campaignId === null ? undefined : directory.campaign(campaignId);
  if (campaign === undefined) {
    return { ok: false, reason, sentence: 'No campaign', fix: { label: 'Assign a campaign', href: own } };
  }
  const sentence = `Campaign is ${campaign.status.replace('_', ' ')}`;
  return { ok: false, reason, sentence, fix: { label: 'Open the campaign', href: `/campaigns/${campaignId}` } };
}
