/**
 * Decides whether a number may send for a caller, and why not. Accept and dispatch use the same rules, so they cannot
 * disagree. Reads only records, except for the number's rate, which only accept checks.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { createTokenBucket, type TokenBucket } from '../../kernel/token-bucket.ts';
import type { Directory } from '../../model/directory.ts';
import { isApprovedAlone, isSender, isShortCode } from '../../model/number.ts';
import type { Environment, MessageKind, SendingNumber } from '../../model/records.ts';
import { isSenderName } from '../../model/sender-name.ts';

export type SenderVerdict =
  | { kind: 'ready'; number: SendingNumber }
  | {
      kind: 'refused';
      reason:
        | 'INVALID_SENDER'
        | 'SENDER_NOT_FOUND'
        | 'SENDER_NOT_ENABLED'
        | 'CAMPAIGN_REQUIRED'
        | 'CAMPAIGN_NOT_ACTIVE';
      detail: string;
    };

const nothingSent = 'Nothing was sent or billed.';

/** `shown` is the caller's own value, cut so that a detail stays short. */
function shown(value: string): string {
  const plain = value.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > 24 ? `${plain.slice(0, 24)}…` : plain;
}

export function judgeSender(
  directory: Directory,
  from: string,
  accountId: AccountId,
  environment: Environment,
  kind: MessageKind,
): SenderVerdict {
  if (!isSender(from)) {
    return {
      kind: 'refused',
      reason: 'INVALID_SENDER',
      detail: `from "${shown(from)}" is not a sending number. Write E.164 digits without plus, e.g. 12025550199, a short code of 5 or 6 digits, or a name of at most 11 letters and digits. ${nothingSent}`,
    };
  }
  const number = directory.number(from);
  if (number === undefined || number.accountId !== accountId || number.environment !== environment) {
    return {
      kind: 'refused',
      reason: 'SENDER_NOT_FOUND',
      detail: `${from} is not a sending number of this account. Add it under Numbers, or send from one that is there. ${nothingSent}`,
    };
  }
  if (!number.smsEnabled) {
    return {
      kind: 'refused',
      reason: 'SENDER_NOT_ENABLED',
      detail: `${from} is on your account but SMS is off. Turn it on under Numbers, then send again. ${nothingSent}`,
    };
  }
  if (kind === 'MMS' && !number.mmsEnabled) {
    return {
      kind: 'refused',
      reason: 'SENDER_NOT_ENABLED',
      detail: isSenderName(from)
        ? `${from} is a name, and names send no MMS. Send without mediaUrls, or from a number. ${nothingSent}`
        : `${from} may send SMS but MMS is off. Turn MMS on under Numbers, or send without mediaUrls. ${nothingSent}`,
    };
  }
  const needsNone = isSenderName(from) || (number.verified === true && isApprovedAlone(from));
  if (needsNone) return { kind: 'ready', number };
  return judgeCampaign(directory, number);
}

function judgeCampaign(directory: Directory, number: SendingNumber): SenderVerdict {
  const campaign = number.campaignId === null ? undefined : directory.campaign(number.campaignId);
  if (campaign === undefined || campaign.accountId !== number.accountId) {
    if (isApprovedAlone(number.number)) return unverified(number.number);
    return {
      kind: 'refused',
      reason: 'CAMPAIGN_REQUIRED',
      detail: `${number.number} is on no 10DLC campaign, and carriers block unregistered traffic. Assign it to an approved campaign, then send again. ${nothingSent}`,
    };
  }
  if (campaign.status === 'approved') return { kind: 'ready', number };
  const stopped = campaign.status === 'suspended' || campaign.status === 'expired';
  return {
    kind: 'refused',
    reason: stopped ? 'CAMPAIGN_NOT_ACTIVE' : 'CAMPAIGN_REQUIRED',
    detail: `${number.number} is on campaign ${shown(campaign.campaignId)}, which is ${campaign.status.replace('_', ' ')}; it must be approved. ${
      stopped ? 'See its history under Campaigns.' : 'Wait for approval or use another campaign.'
    } ${nothingSent}`,
  };
}

function unverified(number: string): SenderVerdict {
  const what = isShortCode(number)
    ? 'a short code whose program is not recorded as provisioned'
    : 'a toll-free number that is not recorded as verified';
  return {
    kind: 'refused',
    reason: 'CAMPAIGN_REQUIRED',
    detail: `${number} is ${what}, and carriers block it until then. Once they have approved it, ask the operator of this gateway to record that. ${nothingSent}`,
  };
}

/** How fast each number may send, in memory. */
export interface SenderRates {
  /** Ms until the number may send to so many recipients; 0 = now, and they are taken from its rate, unless it is a trial. */
  take(number: SendingNumber, count: number, trial: boolean): number;
  giveBack(number: SendingNumber, count: number): void;
}

/** `nodes`: how many nodes send for the same numbers; each gets an equal share of a rate. */
export function createSenderRates(clock: Clock, nodes: () => number): SenderRates {
  const senders = new Map<string, { rate: number; bucket: TokenBucket }>();

  function bucketOf({ number, messagesPerSecond }: SendingNumber): TokenBucket | null {
    if (messagesPerSecond <= 0) return null;
    const rate = messagesPerSecond / nodes();
    const known = senders.get(number);
    if (known?.rate === rate) return known.bucket;
    const bucket = createTokenBucket(rate, messagesPerSecond, clock.monotonicMs());
    senders.set(number, { rate, bucket });
    return bucket;
  }

  return {
    take: (number, count, trial) => {
      const now = clock.monotonicMs();
      const bucket = bucketOf(number);
      if (bucket === null || (!trial && bucket.take(count, now))) return 0;
      return bucket.waitMs(count, now);
    },
    giveBack: (number, count) => bucketOf(number)?.giveBack(count, clock.monotonicMs()),
  };
}
