/**
 * Addresses of both protocols: digits internally, `+digits/TYPE=PLMN` on MM4, Number or ShortCode on MM7, and mail
 * addresses where a peer uses them. Source: 3GPP TS 23.140 §8.4.5.1 and annex L.
 */

/** Short codes are not longer, and subscriber numbers not shorter. */
const SHORT_CODE_DIGITS_MAX = 6;
const DIGITS = /^\d{3,15}$/;
const MAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
/** A telephone number or short code of another system, which names its domain without a type. */
const PHONE_AT = /^\+?(\d{3,15})@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
/** A telephone number as a URI, whose parameters do not change it (RFC 3966). */
const TEL = /^tel:([^;]*)(?:;.*)?$/is;
const PLMN = /^\+?([\d ().-]{3,30})(?:\/TYPE=PLMN(?:@[A-Za-z0-9.-]{1,253})?)?$/i;

export const isDigits = (address: string): boolean => DIGITS.test(address);
export const isMailAddress = (address: string): boolean => address.length <= 254 && MAIL.test(address);
export const isShortCode = (address: string): boolean => address.length <= SHORT_CODE_DIGITS_MAX;

/** The digits or the mail address of an address in a peer's notation; null when it is neither. */
export const readAddress = (written: string): string | null => {
  const text = written.trim().replace(TEL, '$1');
  const digits = (PLMN.exec(text)?.[1] ?? PHONE_AT.exec(text)?.[1])?.replaceAll(/\D/g, '');
  if (digits !== undefined) return DIGITS.test(digits) ? digits : null;
  return isMailAddress(text) ? text : null;
};

/**
 * The addresses of a To or Cc field, without display names. Null when one of them is invalid, or there are more than
 * `max`.
 */
export const readAddressList = (field: string, max: number): string[] | null => {
  const addresses = entriesOf(field)?.map(addressOf) ?? [null];
  return addresses.includes(null) || addresses.length > max ? null : (addresses as string[]);
};

/**
 * The addresses of such a field that are ours to read; none where the field is a group, such as undisclosed-recipients,
 * or no list at all. Null when there are more than `max`.
 */
export const readableAddresses = (field: string, max: number): string[] | null => {
  const addresses = (entriesOf(field) ?? []).map(addressOf).filter((address) => address !== null);
  return addresses.length > max ? null : addresses;
};

/** Part of a telephone number may be in parentheses, which would be a comment in a mail address. */
const addressOf = ({ plain, written }: ListEntry): string | null => readAddress(written) ?? readAddress(plain);

/** The mail address of a field that names one mailbox, with or without a display name; '' when there is none. */
export const readMailbox = (field: string): string => {
  const [mailbox, ...more] = entriesOf(field) ?? [];
  return mailbox !== undefined && more.length === 0 && isMailAddress(mailbox.plain) ? mailbox.plain : '';
};

/** One entry of an address list. */
interface ListEntry {
  /** Its address without display name, comments and quotes. */
  plain: string;
  /** The whole entry. */
  written: string;
}

/**
 * Splits at commas outside quotes, comments and angle brackets (RFC 5322 §3.4). Null when it is not a list of
 * mailboxes: a group, or unbalanced quotes, comments or brackets.
 */
const entriesOf = (field: string): ListEntry[] | null => {
  const entries: ListEntry[] = [];
  let rest = field;
  while (rest !== '') {
    const entry = readEntry(rest);
    if (entry === null) return null;
    if (entry.written.trim() !== '') entries.push(entry);
    rest = rest.slice(entry.length);
  }
  return entries;
};

/** The first entry of `field`; `length` counts its comma. */
const readEntry = (field: string): (ListEntry & { length: number }) | null => {
  const tokens = new RegExp(TOKEN);
  let words = '';
  let quoted = '';
  let angle: string | null = null;
  for (let found = tokens.exec(field); found !== null; found = tokens.exec(field)) {
    const [token, text, bracketed] = found as unknown as [string, string?, string?];
    if (token === ',') {
      return {
        plain: plainOf(words.trim(), quoted, angle),
        written: field.slice(0, found.index),
        length: tokens.lastIndex,
      };
    }
    if (token === '(') {
      const end = commentEnd(field, tokens.lastIndex);
      if (end === null) return null;
      tokens.lastIndex = end;
    } else if (text !== undefined) quoted += text.replaceAll(/\\(.)/g, '$1');
    else if (bracketed !== undefined) {
      // An address has one pair of brackets, at its end.
      if (angle !== null) return null;
      angle = bracketed;
    } else if (/["<>():;]/.test(token) || (angle !== null && token.trim() !== '')) return null;
    else words += token;
  }
  return { plain: plainOf(words.trim(), quoted, angle), written: field, length: field.length };
};

/** A quoted string, an address in angle brackets, one special character, or a run of others. */
const TOKEN = /"((?:[^"\\]|\\.)*)"|<([^<>]*)>|[",<>():;]|[^",<>():;]+/gs;

/** Quoted text is a display name, unless a domain follows it. */
const plainOf = (bare: string, quoted: string, angle: string | null): string =>
  (angle?.trim() ?? (bare.startsWith('@') ? quoted + bare : bare)).replace(/^"([^"]*)"(?=@|$)/, '$1');

/** The index after the parenthesis that ends the comment whose text begins at `at`; comments may nest. */
const commentEnd = (field: string, at: number): number | null => {
  let depth = 1;
  for (let i = at; i < field.length; i++) {
    if (field[i] === '\\') i++;
    else if (field[i] === '(') depth++;
    else if (field[i] === ')') depth--;
    if (depth === 0) return i + 1;
  }
  return null;
};

/** A number or short code for a header or an envelope of MM4. Short codes belong to no country, so they have no `+`. */
export const writePlmn = (digits: string, domain?: string): string =>
  `${isShortCode(digits) ? '' : '+'}${digits}/TYPE=PLMN${domain === undefined ? '' : `@${domain}`}`;

/** A host name as it may stand after `@`. */
export const isDomain = (domain: string): boolean => isMailAddress(`a@${domain}`);
