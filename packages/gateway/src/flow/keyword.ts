/**
 * What a reply asks for when it is a keyword: the command for the store, with the confirmation to be sent. It changes
 * nothing itself; whether anything changes is decided in the transaction that stores the reply.
 */
import type { Clock, Random } from '../domain/clock.ts';
import {
  confirmationKeyId,
  confirmationText,
  consentScope,
  type Keyword,
  keywordOf,
  networkConfirms,
} from '../domain/consent.ts';
import type { InboundPart } from '../domain/delivery.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { Limits } from '../domain/limits.ts';
import type { Logger } from '../domain/logger.ts';
import { isE164Digits, maskNumber } from '../domain/number.ts';
import type { Account, SendingNumber } from '../domain/records.ts';
import type { AcceptItem, ConsentCommand } from '../store/store.ts';
import { chooseLane, mayText } from './recipients.ts';
import { judgeSender } from './sender.ts';
import { shapeSms } from './sms-shape.ts';

export interface KeywordParts {
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  limits: Pick<Limits, 'validityMinutesDefault'>;
  directory(): Directory;
  carrierUp(carrierId: string): boolean;
  /** Concatenation references, shared with whoever else sends to the same recipients. */
  nextReference(to: string): number;
}

/** The command in a reply to `owner`, or null for an ordinary reply. */
export type CommandFor = (part: InboundPart, owner: SendingNumber) => ConsentCommand | null;

export function createCommandFor(parts: KeywordParts): CommandFor {
  return (part, owner) => {
    const whole = part.concat === null || part.concat.total <= 1;
    if (!whole || part.text === null || !isE164Digits(part.from)) return null;
    const keyword = keywordOf(part.text);
    if (keyword === null) return null;
    return { keyword, scope: consentScope(owner), confirmation: confirmation(keyword, part.from, owner, parts) };
  };
}

function confirmation(keyword: Keyword, contact: string, owner: SendingNumber, parts: KeywordParts): AcceptItem | null {
  if (networkConfirms(owner.number)) return null;
  const way = wayTo(contact, owner, parts);
  if ('closed' in way) {
    parts.logger.warn({ keyword, contact: maskNumber(contact), why: way.closed }, 'a keyword is not confirmed');
    return null;
  }
  const { account, lane } = way;
  const campaign = owner.campaignId === null ? undefined : parts.directory().campaign(owner.campaignId);
  const text = confirmationText(keyword, campaign, account);
  const { encoding, segments, wireText } = shapeSms(text, account.smartEncoding);
  const { ids } = parts;
  const now = parts.clock.now();
  return {
    message: {
      requestId: ids.request(),
      accountId: account.accountId,
      keyId: confirmationKeyId(keyword),
      direction: 'outbound',
      referenceId: ids.uuidv7(),
      from: owner.number,
      text,
      wireText,
      mediaUrls: [],
      messageType: 'SMS',
      encoding,
      segments,
      acceptedAt: now,
    },
    deliveries: [
      {
        messageId: ids.message(),
        to: contact,
        lane,
        expiresAt: now + parts.limits.validityMinutesDefault * 60_000,
        concatReference: segments > 1 ? parts.nextReference(contact) : 0,
      },
    ],
    idempotency: null,
  };
}

/** How a confirmation gets there, or why none may be sent: the rules of any other text but consent and rates. */
function wayTo(
  contact: string,
  { number, accountId, environment }: SendingNumber,
  parts: KeywordParts,
): { account: Account; lane: string } | { closed: string } {
  const directory = parts.directory();
  const account = directory.account(accountId);
  if (account?.status !== 'active') return { closed: 'ACCOUNT_SUSPENDED' };
  const sender = judgeSender(directory, number, accountId, environment, 'SMS');
  if (sender.kind === 'refused') return { closed: sender.reason };
  if (contact === number) return { closed: 'SENDER_EQUALS_RECIPIENT' };
  if (!mayText(account, contact)) return { closed: 'DESTINATION_NOT_ALLOWED' };
  const query = { environment, from: number, to: contact, kind: 'SMS' } as const;
  const lane = chooseLane(directory.carriersFor(query, parts.random.fraction()), parts.carrierUp);
  return lane === null ? { closed: 'NO_ROUTE' } : { account, lane };
}
