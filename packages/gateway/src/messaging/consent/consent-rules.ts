/**
 * The rules of consent: which texts are keywords, what an opt-out covers, how a keyword is answered. Pure. Only a text
 * that is a keyword as a whole counts; everything else is an ordinary reply.
 */
import type { AccountId, KeyId } from '../../kernel/ids.ts';
import { isApprovedAlone, isTollFree } from '../../model/number.ts';
import type { Account, Campaign, Environment, SendingNumber } from '../../model/records.ts';

export type Keyword = 'out' | 'in' | 'help';

/** In the form that `folded` returns: upper case, no accents, one space between words. */
const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...[
    ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE'],
    ...['OPTOUT', 'OPT OUT', 'OPT-OUT', 'REMOVE', 'ARRET'],
  ].map((word) => [word, 'out'] as const),
  ...['HELP', 'INFO', 'AYUDA'].map((word) => [word, 'help'] as const),
  ...['START', 'YES', 'UNSTOP'].map((word) => [word, 'in'] as const),
]);

/** Longer than any keyword: a longer text after folding is not a keyword. */
const foldedMax = 16;

/** Invisible characters: white space, control characters (including NUL), zero-width and similar ones. */
const blank = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
const space = /[\s\x85]/u;
const mark = /\p{M}/u;
const dash = /\p{Pd}/u;
/** Quotes of either side (some languages open with », ’ or ”), opening brackets, and the Spanish opening exclamation and question marks. */
const opening = /[\p{Ps}\p{Pi}\p{Pf}"'`´¡¿]/u;
/** Punctuation of every script, quotes that are symbols, and exclamation mark emoji. */
const ending = /[\p{P}`´\u2753-\u2755\u2757]/u;

/**
 * The keyword that the whole text is, or null. Surrounding blanks, quotes and end punctuation are ignored, case and
 * accents do not matter, inner white space counts as one space. Linear in the length of the text.
 */
export function keywordOf(text: string): Keyword | null {
  let start = 0;
  let end = text.length;
  while (start < end && (blank.test(text[start]!) || opening.test(text[start]!))) start++;
  while (start < end && (blank.test(text[end - 1]!) || ending.test(text[end - 1]!))) end--;
  return keywords.get(folded(text.slice(start, end))) ?? null;
}

/**
 * Works character by character, so that no input makes the normalisation slow; stops once the text is too long for a
 * keyword.
 */
function folded(text: string): string {
  let out = '';
  for (const character of text) {
    if (space.test(character)) {
      if (!out.endsWith(' ')) out += ' ';
    } else if (!blank.test(character)) {
      for (const piece of character.normalize('NFKD')) if (!mark.test(piece)) out += dash.test(piece) ? '-' : piece;
    }
    if (out.length > foldedMax) return '';
  }
  return out.toUpperCase();
}

/**
 * The scope of an opt-out from this number: its campaign with all numbers; for a toll-free number or short code, the
 * number itself.
 */
export function consentScope(of: Scoped): string {
  return stoppingScopes(of)[0];
}

/**
 * Every scope in which an opt-out stops texts from this number, the one of new opt-outs first: opt-outs from before it
 * joined its campaign name the number alone.
 */
export function stoppingScopes(of: Scoped): readonly [string, ...string[]] {
  const known = scopes.get(of);
  if (known?.number === of.number && known.campaignId === of.campaignId) return known.all;
  const { number, campaignId } = of;
  const own = `number:${number}`;
  const isOwn = campaignId === null || isApprovedAlone(number);
  const all: [string, ...string[]] = isOwn ? [own] : [campaignScope(campaignId), own];
  scopes.set(of, { number, campaignId, all });
  return all;
}

/** Whether the contact gets no texts from this number. */
export function isStopped(
  list: { isOptedOut(scope: string, contact: string): boolean },
  number: Scoped,
  contact: string,
): boolean {
  return stoppingScopes(number).some((scope) => list.isOptedOut(scope, contact));
}

type Scoped = Pick<SendingNumber, 'number' | 'campaignId'>;
/** Every text needs a scope twice, and a Map finds a known string object much faster than a newly built equal one. */
const scopes = new WeakMap<Scoped, Scoped & { all: [string, ...string[]] }>();

export function campaignScope(campaignId: string): string {
  return `campaign:${campaignId}`;
}

/** The networks answer keywords to toll-free numbers themselves, so ours would be a second answer. */
export function networkConfirms(number: string): boolean {
  return isTollFree(number);
}

/** `keyId` of the messages that confirm a keyword. No key pair can have it: ids of records hold no colon. */
export function confirmationKeyId(keyword: Keyword): string {
  return `consent:${keyword}`;
}

/** True for a message that confirms a keyword: it is sent regardless of the recipient's consent. */
export function isConfirmation(keyId: KeyId): boolean {
  return keyId === 'consent:out' || keyId === 'consent:in' || keyId === 'consent:help';
}

/** The answer to a keyword: the campaign's registered text, else the product's, filled from the account. */
export function confirmationText(keyword: Keyword, campaign: Campaign | undefined, account: Account): string {
  const brand = account.name;
  switch (keyword) {
    case 'out':
      return (
        campaign?.optOutText ?? `${brand}: you are unsubscribed and will get no more messages. Reply START to rejoin.`
      );
    case 'in':
      return (
        campaign?.optInText ??
        `${brand}: you are subscribed. Msg freq varies. Msg & data rates may apply. HELP for help, STOP to end.`
      );
    case 'help': {
      const help = account.supportContact === '' ? 'answer with your question' : `contact ${account.supportContact}`;
      return (
        campaign?.helpText ??
        `${brand}: for help ${help}. Msg freq varies. Msg & data rates may apply. Reply STOP to end.`
      );
    }
  }
}

/** The owner whose opt-outs a caller may see and change. */
export interface ConsentOwner {
  accountId: AccountId;
  environment: Environment;
}
