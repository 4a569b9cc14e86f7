/**
 * Addresses of both protocols: digits inside, `+digits/TYPE=PLMN` on MM4, Number or ShortCode on MM7, and mail
 * addresses where a peer uses them. Source: 3GPP TS 23.140 §8.4.5.1 and annex L.
 */

/** No short code is longer, no subscriber's number is shorter. */
const SHORT_CODE_DIGITS_MAX = 6;
const DIGITS = /^\d{3,15}$/;
const MAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
const PLMN = /^\+?([\d ().-]{3,30})(?:\/TYPE=PLMN(?:@[A-Za-z0-9.-]{1,253})?)?$/i;

export const isDigits = (address: string): boolean => DIGITS.test(address);
export const isMailAddress = (address: string): boolean => address.length <= 254 && MAIL.test(address);
export const isShortCode = (address: string): boolean => address.length <= SHORT_CODE_DIGITS_MAX;

/** Digits, or the mail address, of one address as peers write it; null when it is neither. */
export const readAddress = (written: string): string | null => {
  const text = written.trim();
  const digits = PLMN.exec(text)?.[1]?.replaceAll(/\D/g, '');
  if (digits !== undefined) return DIGITS.test(digits) ? digits : null;
  return isMailAddress(text) ? text : null;
};

/** The addresses of a To or Cc field, display names left out. Null when one of them is none, or there are over `max`. */
export const readAddressList = (field: string, max: number): string[] | null => {
  const addresses: string[] = [];
  for (const entry of entriesOf(field)) {
    const address = readAddress(/<([^<>]*)>\s*$/.exec(entry)?.[1] ?? entry);
    if (address === null || addresses.length === max) return null;
    addresses.push(address);
  }
  return addresses;
};

/** Cut at the commas that stand outside of quotes. */
const entriesOf = (field: string): string[] => {
  const entries: string[] = [];
  let entry = '';
  let isQuoted = false;
  for (let at = 0; at < field.length; at++) {
    const character = field[at]!;
    if (character === '\\' && isQuoted) at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      entries.push(entry);
      entry = '';
    } else if (!isQuoted) entry += character;
  }
  return [...entries, entry].filter((text) => text.trim() !== '');
};

/** A number or short code for a header or an envelope of MM4. Short codes belong to no country: no `+`. */
export const writePlmn = (digits: string, domain?: string): string =>
  `${isShortCode(digits) ? '' : '+'}${digits}/TYPE=PLMN${domain === undefined ? '' : `@${domain}`}`;

/** A host name as it may stand after `@`. */
export const isDomain = (domain: string): boolean => isMailAddress(`a@${domain}`);
