/**
 * Telephone numbers in API form: E.164 digits without plus (ITU-T E.164), North American rules for numbers beginning
 * with 1, short codes, and fraud ranges. Validates only; numbers are never corrected.
 */

import { isSenderName } from './sender-name.ts';

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

/** What a message may be sent from, in form. */
export function isSender(value: string): boolean {
  return isE164Digits(value) || isShortCode(value) || isSenderName(value);
}

export function isTollFree(value: string): boolean {
  return /^18(?:00|33|44|55|66|77|88)[0-9]{7}$/.test(value);
}

/** Carriers approve these one by one, and not as numbers of a 10DLC campaign. */
export function isApprovedAlone(value: string): boolean {
  return isTollFree(value) || isShortCode(value);
}

/** A number for logs and notices: the first four and last four digits, `1202•••0100`. */
export function maskNumber(value: string): string {
  return value.length <= 6 ? '•••' : `${value.slice(0, 4)}•••${value.slice(-4)}`;
}

/*
 * Number ranges that texts reach by mistake or by fraud: premium-rate, shared-cost and personal numbers, satellite and
 * international networks. Their owners earn from incoming traffic, so forms that send texts are abused to reach them
 * (traffic pumping).
 *
 * Source: the ITU-T list of assigned country codes (E.164.D) and national numbering plans (ITU-T E.129 notices), as of
 * November 2026. Ranges that are premium as a whole; numbers outside may still be expensive.
 */

/**
 * After the country code of the North American Numbering Plan: premium, personal (5XX) and carrier-specific (700)
 * codes.
 */
const nanpFraud = '900|700|5(?:00|2[1-9]|33|44|66|77|88)|[2-9][0-9]{2}976';

/** International: shared cost, satellite, universal personal numbers, international networks and premium rate. */
const internationalFraud = '808|870|878|881|882|883|888|979';

/** Country code and range */
const nationalFraud = [
  ...[
    '27862',
    '30901',
    '30909',
    '31900',
    '31906',
    '31909',
    '3290',
    '3389',
    '34803',
    '34806',
    '34807',
    '34905',
    '34907',
  ],
  ...['351607', '351608', '351760', '351761', '352900', '352905', '354900', '357900', '358600', '358700', '35990'],
  ...['3690', '370900', '37190', '372900', '38190', '38560', '38690', '39144', '39166', '39892', '39894', '39895'],
  ...['39899', '40900', '40903', '40906', '41900', '41901', '41906', '420900', '420906', '420908', '420909', '421900'],
  ...['43900', '43901', '43930', '43931', '43939', '4470', '44843', '44844', '44871', '44872', '44873', '449'],
  ...['4590', '46900', '46939', '46944', '47820', '47829', '48700', '48701', '48703', '48704', '48708'],
  ...['49137', '49180', '49190', '49900', '52900', '55900', '60600', '6119', '64900', '651900', '661900', '7809'],
  ...['81990', '82060', '8260', '852900', '90900', '9721900'],
];

const fraudRange = new RegExp(`^(?:1(?:${nanpFraud})|${internationalFraud}|${nationalFraud.join('|')})`);

/** Whether these E.164 digits are in a fraud range. */
export function isFraudRange(digits: string): boolean {
  return fraudRange.test(digits);
}
