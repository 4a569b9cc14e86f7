/**
 * Gives each entry of `to` a verdict, checked in this order: form, sender itself, duplicate, destination, consent,
 * route, rate, fraud guard. A bad number never affects another.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { AccountId, LaneId } from '../../kernel/ids.ts';
import { createTokenBucket, type TokenBucket } from '../../kernel/token-bucket.ts';
import { hasFraudGuard } from '../../model/company.ts';
import { countryOf } from '../../model/country.ts';
import type { Directory } from '../../model/directory.ts';
import type { Limits } from '../../model/limits.ts';
import { isE164Digits, isFraudRange } from '../../model/number.ts';
import type { Account, MessageKind } from '../../model/records.ts';
import type { Caller } from '../../model/send.ts';

export type RecipientVerdict =
  | { to: string; kind: 'ready'; lane: LaneId }
  | {
      to: string;
      kind: 'refused';
      status:
        | 'INVALID_NUMBER'
        | 'SENDER_EQUALS_RECIPIENT'
        | 'DUPLICATE_RECIPIENT'
        | 'DESTINATION_NOT_ALLOWED'
        | 'OPTED_OUT'
        | 'NO_ROUTE'
        | 'RATE_LIMITED'
        | 'BLOCKED_BY_FRAUD_GUARD';
      detail: string;
    };

export interface RecipientRules {
  directory: Directory;
  caller: Caller;
  from: string;
  /** Where the sender may send; absent = wherever the account may. */
  countries?: readonly string[] | undefined;
  kind: MessageKind;
  /** The time of the request: some routing rules apply at certain times only. */
  at: EpochMs;
  isOptedOut(to: string): boolean;
  /** Chooses among equal routing rules. */
  fraction(): number;
  carrierUp(carrierId: string): boolean;
  /** The only allowed carrier; undefined = chosen by the rules. */
  carrier?: string | undefined;
  /** False when the rate to this number is exceeded. */
  hasRate(to: string): boolean;
}

/** Verdicts in request order, duplicates included. */
export function judgeRecipients(to: readonly string[], rules: RecipientRules): RecipientVerdict[] {
  const seen = to.length > 1 ? new Set<string>() : null;
  const verdicts: RecipientVerdict[] = [];
  for (const number of to) verdicts.push(judgeNumber(number, rules, seen) ?? judgeRoute(number, rules));
  return verdicts;
}

function judgeNumber(to: string, rules: RecipientRules, seen: Set<string> | null): RecipientVerdict | null {
  if (!isE164Digits(to)) return { to, kind: 'refused', status: 'INVALID_NUMBER', detail: invalidNumberDetail(to) };
  if (to === rules.from) {
    return refuse(to, 'SENDER_EQUALS_RECIPIENT', 'The recipient is the sending number itself. Use another number.');
  }
  if (seen?.has(to)) {
    return refuse(to, 'DUPLICATE_RECIPIENT', 'This number is already in the request and gets one text.');
  }
  seen?.add(to);
  if (!mayText(rules.caller.account, to)) {
    const country = countryOf(to);
    return refuse(
      to,
      'DESTINATION_NOT_ALLOWED',
      `${country === null ? 'This number is in no country we know' : `Numbers in ${country} are not allowed for this account`}. Ask the operator to allow the country.`,
    );
  }
  if (rules.countries !== undefined && !rules.countries.includes(countryOf(to) ?? '')) {
    return refuse(
      to,
      'DESTINATION_NOT_ALLOWED',
      `${rules.from} is a name, and may send only to ${rules.countries.join(', ')}. Send from a number, or ask the operator to allow the country.`,
    );
  }
  if (rules.isOptedOut(to)) {
    return refuse(
      to,
      'OPTED_OUT',
      'This person opted out of texts from this number or its campaign. Remove the number from your list; the person opts in again by answering START.',
    );
  }
  return null;
}

function judgeRoute(to: string, rules: RecipientRules): RecipientVerdict {
  const { from, kind, at, carrier, directory } = rules;
  const query = { environment: rules.caller.key.environment, from, to, kind, at };
  const lane =
    carrier === undefined
      ? chooseLane(directory.carriersFor(query, rules.fraction()), rules.carrierUp)
      : directory.namesCarrier(query, carrier)
        ? carrier
        : null;
  if (lane === null && carrier !== undefined) {
    return refuse(to, 'NO_ROUTE', `No current rule sends such a message over ${carrier}. Send it as the rules choose.`);
  }
  if (lane === null) {
    return refuse(to, 'NO_ROUTE', `No route takes ${kind === 'MMS' ? 'an MMS' : 'an SMS'} to this number.`);
  }
  if (!rules.hasRate(to)) {
    return refuse(to, 'RATE_LIMITED', 'Too many texts to this number in a short time. Send again later.');
  }
  if (isGuarded(rules.caller.account, to)) {
    return refuse(
      to,
      'BLOCKED_BY_FRAUD_GUARD',
      'This is a premium-rate number, or in a range known for fraud. If it is intended, an Owner can turn the fraud guard off under Company, if the operator allows it.',
    );
  }
  return { to, kind: 'ready', lane };
}

/** Whether account and operator allow texts to the country of this number. */
export function mayText({ destinations, destinationsMax }: Account, to: string): boolean {
  const within = (list: readonly string[]): boolean => list.includes('*') || list.includes(countryOf(to) ?? '');
  return within(destinations) && (destinationsMax === undefined || within(destinationsMax));
}

/** Whether the account's fraud guard blocks texts to this number. */
export function isGuarded(account: Account, to: string): boolean {
  return isFraudRange(to) && hasFraudGuard(account);
}

/** The first carrier in failover order that is up, else the first; null when there is none. */
export function chooseLane(carrierIds: readonly string[], carrierUp: (carrierId: string) => boolean): string | null {
  return carrierIds.find(carrierUp) ?? carrierIds[0] ?? null;
}

function refuse(
  to: string,
  status: Exclude<Extract<RecipientVerdict, { kind: 'refused' }>['status'], 'INVALID_NUMBER'>,
  why: string,
): RecipientVerdict {
  return { to, kind: 'refused', status, detail: `${why} Nothing was sent or billed for it.` };
}

function invalidNumberDetail(to: string): string {
  const rule = to.startsWith('+')
    ? 'Leave out the plus sign.'
    : /^1\d*$/.test(to)
      ? 'Numbers beginning with 1 have 11 digits and a valid area code.'
      : 'Use 7 to 15 digits only, no plus, spaces or letters, e.g. 12025550100.';
  return `This is not an E.164 number without plus. ${rule} Nothing was sent or billed for it.`;
}

/** Recipients whose rates are kept; the least recently used one is dropped first. */
const ratedMax = 100_000;

/** How fast an account may text one recipient. In memory, bounded. */
export interface RecipientRates {
  /** Whether the account may send one more text to this recipient now. */
  has(accountId: AccountId, to: string): boolean;
  take(accountId: AccountId, to: string): void;
  giveBack(accountId: AccountId, to: string): void;
}

export function createRecipientRates(limits: Limits, clock: Clock): RecipientRates {
  const recipients = new Map<string, TokenBucket>();
  const rate = limits.recipientMessagesPerSecond;
  const nameOf = (accountId: AccountId, to: string): string => `${accountId} ${to}`;
  if (rate <= 0) return { has: () => true, take: () => {}, giveBack: () => {} };
  return {
    has: (accountId, to) => (recipients.get(nameOf(accountId, to))?.left(clock.monotonicMs()) ?? 1) > 0,
    take: (accountId, to) => {
      const name = nameOf(accountId, to);
      const bucket = recipients.get(name) ?? createTokenBucket(rate, limits.recipientBurst, clock.monotonicMs());
      recipients.delete(name);
      recipients.set(name, bucket);
      if (recipients.size > ratedMax) recipients.delete(recipients.keys().next().value ?? name);
      bucket.take(1, clock.monotonicMs());
    },
    giveBack: (accountId, to) => recipients.get(nameOf(accountId, to))?.giveBack(1, clock.monotonicMs()),
  };
}
