/**
 * Number ranges that texts reach by mistake or by fraud: premium-rate, shared-cost and personal numbers, satellite and
 * international networks. Their owners earn from incoming traffic, so forms that send texts are abused to reach them
 * (traffic pumping). Pure.
 *
 * Source: the ITU-T list of assigned country codes (E.164.D) and national numbering plans (ITU-T E.129 notices), as of
 * November 2026. Ranges that are premium as a whole; numbers outside may still be expensive.
 */
import type { Account } from './records.ts';

/** Behind the country code of the North American Numbering Plan: premium, personal (5XX) and carrier-specific (700) codes. */
const nanp = '900|700|5(?:00|2[1-9]|33|44|66|77|88)|[2-9][0-9]{2}976';

/** International: shared cost, satellite, universal personal numbers, international networks and premium rate. */
const international = '808|870|878|881|882|883|888|979';

/** Country code and range. */
const national = [
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

const guarded = new RegExp(`^(?:1(?:${nanp})|${international}|${national.join('|')})`);

/** Whether these E.164 digits are in such a range. */
export function isFraudRange(digits: string): boolean {
  return guarded.test(digits);
}

/** Whether what the account sends is held to it: always, unless its people turned it off and the operator allows that. */
export function hasFraudGuard({ fraudGuard, fraudGuardOptional }: Account): boolean {
  return fraudGuard !== 'off' || fraudGuardOptional !== true;
}
