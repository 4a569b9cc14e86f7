/**
 * The search language of the message log: `to:12025550100 status:failed text:"code" after:2026-11-20`, and bare
 * telephone numbers. An unreadable term becomes a problem; the rest still applies. Pure.
 */
import { isOnCalendar } from '../kernel/calendar.ts';
import type { EpochMs } from '../kernel/clock.ts';
import type { KeyId, RequestId } from '../kernel/ids.ts';
import { type DeliveryState, deliveryStates } from './lifecycle.ts';
import type { MessageInList } from './message-view.ts';
import { type ReasonCode, reasons } from './reason.ts';
import type { MessageKind } from './records.ts';
import { isSenderName } from './sender-name.ts';

/** What a search asks for; empty lists and nulls do not filter. Several values of one kind mean any of them. */
export interface MessageFilter {
  to: string[];
  from: string[];
  /** Sender or recipient. */
  numbers: string[];
  states: DeliveryState[];
  /** Recipients refused at acceptance: they have no message, and so no state. */
  refused: boolean;
  codes: ReasonCode[];
  reference: string | null;
  /** Occurs in the text; the case of A–Z does not count. */
  text: string | null;
  /** From this time on. */
  after: EpochMs | null;
  /** Before this time. */
  before: EpochMs | null;
  type: MessageKind | null;
  /** Ids or names of key pairs. */
  keys: string[];
  /** Ids of carriers: the one that last got the message, or is to get it. */
  carriers: string[];
  direction: 'outbound' | 'inbound' | null;
  messageIds: string[];
  requestId: RequestId | null;
}

/** One message of the log, as a list shows it. */
export type ListedMessage = MessageInList & { keyId: KeyId };

export interface SearchProblem {
  token: string;
  sentence: string;
}

/** Names before a colon, with their purpose and an example. */
export const searchTokens = [
  { name: 'to', example: '12025550100' },
  { name: 'from', example: '12025550199' },
  { name: 'status', example: 'failed' },
  { name: 'reason', example: 'OPTED_OUT' },
  { name: 'ref', example: 'order-77' },
  { name: 'text', example: '"code"' },
  { name: 'after', example: '2026-11-20' },
  { name: 'before', example: '2026-11-21' },
  { name: 'type', example: 'mms' },
  { name: 'key', example: '"Sandbox key"' },
  { name: 'carrier', example: 'sim-carrier' },
  { name: 'direction', example: 'inbound' },
  { name: 'request', example: 'req_…' },
] as const;

type TokenName = (typeof searchTokens)[number]['name'];

/** Longer searches are cut here, with a notice. */
export const searchLimits = { characters: 500, values: 20 } as const;

export function emptyFilter(): MessageFilter {
  return {
    to: [],
    from: [],
    numbers: [],
    states: [],
    refused: false,
    codes: [],
    reference: null,
    text: null,
    after: null,
    before: null,
    type: null,
    keys: [],
    carriers: [],
    direction: null,
    messageIds: [],
    requestId: null,
  };
}

/** States that people see under another name, in the portal, the command line and the documentation. */
export const shownStates: Readonly<Partial<Record<DeliveryState, string>>> = {
  sent: 'sent-to-carrier',
  failed: 'not-sent',
  unconfirmed: 'no-receipt',
};

const statusWords: ReadonlyMap<string, DeliveryState> = new Map([
  ...deliveryStates.map((state) => [state, state] as const),
  ...Object.entries(shownStates).map(([state, shown]) => [shown, state as DeliveryState] as const),
]);

const refusedWord = 'refused';

const shownStatuses = [
  ...deliveryStates.map((state) => {
    const shown = shownStates[state];
    return shown === undefined ? state : `${shown} (${state})`;
  }),
  refusedWord,
];

/**
 * Whether the search may match refused recipients: searches for an opt-out or a bare number do, those for another
 * status do not.
 */
export function wantsRefused({ refused, states, direction, messageIds, carriers }: MessageFilter): boolean {
  // Refused recipients have no message id and no carrier.
  if (messageIds.length + carriers.length > 0) return false;
  return (refused || states.length === 0) && direction !== 'inbound';
}

/** Whether the search can match only refused recipients. */
export function wantsOnlyRefused({ refused, states }: MessageFilter): boolean {
  return refused && states.length === 0;
}

interface Word {
  /** As typed. */
  token: string;
  name: string | null;
  value: string;
}

export function parseMessageSearch(query: string): { filter: MessageFilter; problems: SearchProblem[] } {
  const filter = emptyFilter();
  const problems: SearchProblem[] = [];
  const problem = (token: string, sentence: string): void => {
    if (problems.length < searchLimits.values) problems.push({ token, sentence });
  };
  if (query.length > searchLimits.characters) {
    problem('…', `Only the first ${searchLimits.characters} characters were read.`);
  }
  const words = wordsOf(query.slice(0, searchLimits.characters));
  for (let i = 0; i < words.length; i++) {
    const { token, name, value } = words[i]!;
    if (name !== null) {
      const sentence = isTokenName(name) ? readers[name](value, filter) : unknownName(name);
      if (sentence !== null) problem(token, sentence);
      continue;
    }
    if (/^msg_[0-9A-HJKMNP-TV-Z]{26}$/.test(token)) filter.messageIds.push(token);
    else if (/^req_[0-9A-HJKMNP-TV-Z]{26}$/.test(token)) filter.requestId = token;
    else {
      // Without quotation marks, `+1 (202) 555-0100` is three words.
      const run = [value];
      while (!isWholeNumber(run.join('')) && isPhoneWord(value) && isLoosePhoneWord(words[i + 1])) {
        run.push(words[++i]!.value);
      }
      const number = phoneDigits(run.join(''));
      if (number === null) problem(run.length === 1 ? token : run.join(' '), bareWord);
      else filter.numbers.push(number);
    }
  }
  return { filter: capped(filter), problems };
}

const bareWord =
  'A word alone must be a telephone number or the id of a message. For words of the text write text:"…".';

function unknownName(name: string): string {
  return `There is no ${name}: here. These are: ${searchTokens.map((one) => one.name).join(', ')}.`;
}

function isTokenName(name: string): name is TokenName {
  return Object.hasOwn(readers, name);
}

/** Words separated by white space; text in double quotes is one word. */
function wordsOf(query: string): Word[] {
  return [...query.matchAll(/(?:([A-Za-z]+):)?(?:"([^"]*)"?|(\S+))/g)].map(([token, name, quoted, plain]) => ({
    token,
    name: name?.toLowerCase() ?? null,
    value: quoted ?? plain ?? '',
  }));
}

/** Each reads one value into the filter, or returns the problem. */
const readers: Readonly<Record<TokenName, (value: string, filter: MessageFilter) => string | null>> = {
  to: (value, filter) => addNumber(value, filter.to),
  from: (value, filter) => {
    if (!isSenderName(value)) return addNumber(value, filter.from);
    filter.from.push(value);
    return null;
  },
  status: (value, filter) => {
    for (const word of value.toLowerCase().split(',')) {
      if (word === refusedWord) {
        filter.refused = true;
        continue;
      }
      const state = statusWords.get(word.replace(/[ _]/g, '-'));
      if (state === undefined) return `There is no such status. These are: ${shownStatuses.join(', ')}.`;
      filter.states.push(state);
    }
    return null;
  },
  reason: (value, filter) => {
    const codes: ReasonCode[] = [];
    for (const code of value.toUpperCase().split(',')) {
      if (!isKnownCode(code)) return noSuchReason(code);
      codes.push(code);
    }
    filter.codes.push(...codes);
    return null;
  },
  ref: (value, filter) => {
    if (value === '') return 'Write the whole reference after ref:.';
    filter.reference = value;
    return null;
  },
  text: (value, filter) => {
    if (value === '') return 'Write words of the text after text:, in quotation marks.';
    filter.text = value;
    return null;
  },
  after: (value, filter) => setTime(value, (at) => (filter.after = at)),
  before: (value, filter) => setTime(value, (at) => (filter.before = at)),
  type: (value, filter) => {
    const type = value.toUpperCase();
    if (type !== 'SMS' && type !== 'MMS') return 'A type is sms or mms.';
    filter.type = type;
    return null;
  },
  key: (value, filter) => {
    if (value === '') return 'Write the name of a key pair after key:.';
    filter.keys.push(value);
    return null;
  },
  carrier: (value, filter) => {
    if (!/^[\w.-]{1,64}$/.test(value)) return 'Write the id of a carrier after carrier:.';
    filter.carriers.push(value);
    return null;
  },
  direction: (value, filter) => {
    const direction = directions.get(value.toLowerCase());
    if (direction === undefined) return 'A direction is sent (outbound) or received (inbound).';
    filter.direction = direction;
    return null;
  },
  request: (value, filter) => {
    if (!/^req_[0-9A-HJKMNP-TV-Z]{26}$/.test(value)) return 'The id of a request is req_ and 26 characters.';
    filter.requestId = value;
    return null;
  },
};

/** Messages have only these codes: the carrier's own code is shown beside them and cannot be searched. */
const knownCodes: ReadonlySet<string> = new Set(reasons.map(({ code }) => code));

function isKnownCode(code: string): code is ReasonCode {
  return knownCodes.has(code);
}

const likeMax = 6;

/** Suggests codes with the same beginning. */
function noSuchReason(code: string): string {
  const sentence = /^[A-Z_]{2,40}$/.test(code)
    ? `There is no reason ${code}.`
    : 'A reason is a code such as OPTED_OUT.';
  const [word = ''] = code.split('_');
  const like = word.length < 3 ? [] : [...knownCodes].filter((one) => one.startsWith(word.slice(0, 5)));
  if (like.length === 0) return `${sentence} All of them are offered behind reason:.`;
  const meant = new Intl.ListFormat('en', { type: 'disjunction' }).format(like.slice(0, likeMax));
  return `${sentence} Did you mean ${meant}?`;
}

const directions: ReadonlyMap<string, 'outbound' | 'inbound'> = new Map([
  ...(['outbound', 'out', 'sent'] as const).map((word) => [word, 'outbound'] as const),
  ...(['inbound', 'in', 'received'] as const).map((word) => [word, 'inbound'] as const),
]);

function addNumber(value: string, list: string[]): string | null {
  const digits = phoneDigits(value);
  if (digits === null) return 'This is not a telephone number. Write it with its country code, e.g. 12025550100.';
  list.push(digits);
  return null;
}

const phoneWord = /^[+(]*[0-9][0-9().\-/]*$/;

function isPhoneWord(text: string): boolean {
  return phoneWord.test(text);
}

function isLoosePhoneWord(word: Word | undefined): boolean {
  return word !== undefined && word.name === null && /^[0-9().\-/]*[0-9][0-9().\-/]*$/.test(word.value);
}

/** A complete number: eleven digits of the NANP, or ten without the leading 1. */
function isWholeNumber(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '');
  return digits.length >= 11 || (digits.length === 10 && !digits.startsWith('1'));
}

/** The digits of a number in any spelling; ten digits are an NANP number. Null when it is not a number. */
export function phoneDigits(text: string): string | null {
  if (!isPhoneWord(text.replaceAll(' ', ''))) return null;
  const digits = text.replace(/[^0-9]/g, '');
  if (digits.length < 5 || digits.length > 15) return null;
  return digits.length === 10 && /^[2-9]/.test(digits) && !text.includes('+') ? `1${digits}` : digits;
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const timeForm = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** Days and times without a zone are UTC. */
function setTime(value: string, set: (at: EpochMs) => void): string | null {
  const isDay = dayForm.test(value);
  if (isDay || timeForm.test(value)) {
    const zoned = isDay || /(?:Z|[+-]\d{2}:?\d{2})$/.test(value.slice(10)) ? value : `${value}Z`;
    const at = Date.parse(zoned.replace(' ', 'T'));
    if (!Number.isNaN(at) && at >= 0 && isOnCalendar(value)) {
      set(at);
      return null;
    }
  }
  return 'Write a day as 2026-11-20 or a time as 2026-11-20T14:30 (UTC).';
}

function capped(filter: MessageFilter): MessageFilter {
  for (const list of [
    filter.to,
    filter.from,
    filter.numbers,
    filter.states,
    filter.codes,
    filter.keys,
    filter.carriers,
  ]) {
    list.splice(searchLimits.values);
  }
  filter.messageIds.splice(searchLimits.values);
  return filter;
}
