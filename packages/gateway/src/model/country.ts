/**
 * The country of a number by its leading digits (ITU-T E.164 country codes; NANP area codes). Used only to check
 * allowed destinations.
 */

const canada =
  '204 226 236 249 250 257 263 289 306 343 354 365 367 368 382 387 403 416 418 428 431 437 438 450 460 468 474 506 514 ' +
  '519 537 548 568 579 581 584 587 600 604 613 622 633 639 644 647 655 672 677 683 688 705 709 742 753 778 780 782 807 ' +
  '819 825 867 873 879 902 905 942';

const otherNanp =
  'BS242 BB246 AI264 AG268 VG284 KY345 BM441 GD473 TC649 JM658 MS664 SX721 LC758 DM767 VC784 DO809 DO829 DO849 TT868 ' +
  'KN869 JM876';

const callingCodes =
  'EG20 SS211 MA212 DZ213 TN216 LY218 GM220 SN221 MR222 ML223 GN224 CI225 BF226 NE227 TG228 BJ229 MU230 LR231 SL232 ' +
  'GH233 NG234 TD235 CF236 CM237 CV238 ST239 GQ240 GA241 CG242 CD243 AO244 GW245 IO246 SC248 SD249 RW250 ET251 SO252 ' +
  'DJ253 KE254 TZ255 UG256 BI257 MZ258 ZM260 MG261 RE262 ZW263 NA264 MW265 LS266 BW267 SZ268 KM269 ZA27 SH290 ER291 ' +
  'AW297 FO298 GL299 GR30 NL31 BE32 FR33 ES34 GI350 PT351 LU352 IE353 IS354 AL355 MT356 CY357 FI358 BG359 HU36 LT370 ' +
  'LV371 EE372 MD373 AM374 BY375 AD376 MC377 SM378 UA380 RS381 ME382 XK383 HR385 SI386 BA387 MK389 IT39 RO40 CH41 ' +
  'CZ420 SK421 LI423 AT43 GB44 DK45 SE46 NO47 PL48 DE49 FK500 BZ501 GT502 SV503 HN504 NI505 CR506 PA507 PM508 HT509 ' +
  'PE51 MX52 CU53 AR54 BR55 CL56 CO57 VE58 GP590 BO591 GY592 EC593 GF594 PY595 MQ596 SR597 UY598 CW599 MY60 AU61 ID62 ' +
  'PH63 NZ64 SG65 TH66 TL670 NF672 BN673 NR674 PG675 TO676 SB677 VU678 FJ679 PW680 WF681 CK682 NU683 WS685 KI686 NC687 ' +
  'TV688 PF689 TK690 FM691 MH692 RU7 KZ76 KZ77 JP81 KR82 VN84 KP850 HK852 MO853 KH855 LA856 CN86 BD880 TW886 TR90 IN91 ' +
  'PK92 AF93 LK94 MM95 MV960 LB961 JO962 SY963 IQ964 KW965 SA966 YE967 OM968 PS970 AE971 IL972 BH973 QA974 BT975 MN976 ' +
  'NP977 IR98 TJ992 TM993 AZ994 GE995 KG996 UZ998';

const byPrefix = new Map<string, string>();
for (const entry of callingCodes.split(' ')) byPrefix.set(entry.slice(2), entry.slice(0, 2));
for (const area of canada.split(' ')) byPrefix.set(`1${area}`, 'CA');
for (const entry of otherNanp.split(' ')) byPrefix.set(`1${entry.slice(2)}`, entry.slice(0, 2));

/** ISO 3166-1 alpha-2 code for E.164 digits; US territories count as US; null when no country has the prefix. */
export function countryOf(digits: string): string | null {
  for (let length = 4; length > 0; length--) {
    const country = byPrefix.get(digits.slice(0, length));
    if (country !== undefined) return country;
  }
  return digits.startsWith('1') ? 'US' : null;
}

/** True for a code that `countryOf` can return. */
export function isKnownCountry(code: string): boolean {
  return code === 'US' || [...byPrefix.values()].includes(code);
}
