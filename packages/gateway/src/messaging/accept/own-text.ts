/**
 * Builds a text that the gateway sends by itself (the answer to a keyword, the links instead of an MMS) as a storable
 * request. The caller checks consent and stores it.
 */
import { cutsOf } from '../../carriers/kinds.ts';
import type { Clock, Random } from '../../kernel/clock.ts';
import type { Ids, KeyId, LaneId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { Limits } from '../../model/limits.ts';
import type { Account, SendingNumber } from '../../model/records.ts';
import type { AcceptItem, SmsItem } from '../store/items.ts';
import { chooseLane, isGuarded, mayText } from './recipients.ts';
import { judgeSender } from './sender.ts';
import { type SmsShape, shapeSms } from './text.ts';

export interface OwnTextParts {
  clock: Clock;
  random: Pick<Random, 'fraction'>;
  ids: Ids;
  limits: Pick<Limits, 'validityMinutesDefault'>;
  directory(): Directory;
  carrierUp(carrierId: string): boolean;
  /** Concatenation references, shared with all senders to the same recipients. */
  nextReference(to: string): number;
}

/** The route of a text, or why it may not be sent: all rules for texts apply, except consent and rates. */
export function wayTo(
  contact: string,
  { number, accountId, environment }: SendingNumber,
  parts: OwnTextParts,
): { account: Account; lane: LaneId } | { closed: string } {
  const directory = parts.directory();
  const account = directory.account(accountId);
  if (account?.status !== 'active') return { closed: 'ACCOUNT_SUSPENDED' };
  const sender = judgeSender(directory, number, accountId, environment, 'SMS');
  if (sender.kind === 'refused') return { closed: sender.reason };
  if (contact === number) return { closed: 'SENDER_EQUALS_RECIPIENT' };
  if (!mayText(account, contact)) return { closed: 'DESTINATION_NOT_ALLOWED' };
  if (isGuarded(account, contact)) return { closed: 'BLOCKED_BY_FRAUD_GUARD' };
  const query = { environment, from: number, to: contact, kind: 'SMS', at: parts.clock.now() } as const;
  const lane = chooseLane(directory.carriersFor(query, parts.random.fraction()), parts.carrierUp);
  return lane === null ? { closed: 'NO_ROUTE' } : { account, lane };
}

export interface OwnText {
  account: Account;
  lane: LaneId;
  /** Identifies the kind of text: no key pair has this id. */
  keyId: KeyId;
  referenceId: string;
  from: string;
  to: string;
  text: string;
  idempotency: AcceptItem['idempotency'];
}

/** The shape of the text for the carrier of its lane. */
export function ownShape(
  { text, account, lane }: Pick<OwnText, 'text' | 'account' | 'lane'>,
  parts: OwnTextParts,
): SmsShape {
  return shapeSms(text, account.smartEncoding, cutsOf([parts.directory().carrier(lane)]));
}

/** `shape`: if it was computed before. */
export function ownText(own: OwnText, parts: OwnTextParts, shape?: SmsShape): SmsItem {
  const { encoding, segments, wireText } = shape ?? ownShape(own, parts);
  const now = parts.clock.now();
  return {
    message: {
      requestId: parts.ids.request(),
      accountId: own.account.accountId,
      keyId: own.keyId,
      direction: 'outbound',
      referenceId: own.referenceId,
      from: own.from,
      text: own.text,
      wireText,
      mediaUrls: [],
      messageType: 'SMS',
      encoding,
      segments,
      acceptedAt: now,
    },
    deliveries: [
      {
        messageId: parts.ids.message(),
        to: own.to,
        lane: own.lane,
        expiresAt: now + parts.limits.validityMinutesDefault * 60_000,
        concatReference: segments > 1 ? parts.nextReference(own.to) : 0,
      },
    ],
    idempotency: own.idempotency,
  };
}
