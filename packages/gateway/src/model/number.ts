/**
 * Telephone numbers in API form: E.164 digits without plus (ITU-T E.164), North American rules for numbers beginning
 * with 1, and short codes. Validates only; numbers are never corrected.
 */

/** 7–15 digits, the first not 0; numbers beginning with 1 must be NANP: 1 NXX NXX XXXX, area code neither N11 nor N9X. */
export function isE164Digits(value: string): boolean {
  if (value.length < 7 || value.length > 15) return false;
  for (let i = 0; i < value.length; i++) {
    const c = value.charCodeAt(i);
    if (c < 0x30 || c > 0x39) return false;
  }
  const first = value.charCodeAt(0);
  if (first === 0x30) return false;
  return first !== 0x31 || isNanp(value);
}

function isNanp(value: string): boolean {
  if (value.length !== 11) return false;
  const areaFirst = value.charCodeAt(1);
  const exchangeFirst = value.charCodeAt(4);
  if (areaFirst < 0x32 || exchangeFirst < 0x32) return false;
  // N9X is reserved for a longer plan, N11 are service codes: neither is an area code.
  return value[2] !== '9' && !(value[2] === '1' && value[3] === '1');
}

/** A US or Canadian short code: 5 or 6 digits, the first not 0. */
export function isShortCode(value: string): boolean {
  return /^[1-9][0-9]{4,5}$/.test(value);
}

export function isTollFree(value: string): boolean {
  return /^18(?:00|33|44|55|66|77|88)[0-9]{7}$/.test(value);
}

/** A number for logs and notices: the first four and last four digits, `1202•••0100`. */
export function maskNumber(value: string): string {
  return value.length <= 6 ? '•••' : `${value.slice(0, 4)}•••${value.slice(-4)}`;
}
