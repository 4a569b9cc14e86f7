/** The rules that a brand must meet before its campaigns can be submitted, each reported as met or not. Pure. */
import { isE164Digits } from '../../model/number.ts';
import { type BrandForm, verticals } from '../../model/registration.ts';
import { type Check, check, isPageUrl, lengthCheck } from './check.ts';

/** First two digits that the IRS has not assigned. */
const unusedEinPrefixes: ReadonlySet<string> = new Set('00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97'.split(' '));

export type EinVerdict = 'ok' | 'form' | 'prefix';

/** An Employer Identification Number of the United States: nine digits, `12-3456789`. It has no check digit. */
export function einVerdict(ein: string): EinVerdict {
  if (!/^\d{2}-?\d{7}$/.test(ein.trim())) return 'form';
  return unusedEinPrefixes.has(ein.trim().slice(0, 2)) ? 'prefix' : 'ok';
}

const einSentences: Readonly<Record<EinVerdict, string>> = {
  ok: 'The EIN has the right form.',
  form: 'The EIN must be nine digits, such as 12-3456789. It stands on the CP 575 letter of the IRS.',
  prefix: 'No EIN begins with these two digits. Look at the CP 575 letter of the IRS once more.',
};

const typedFields = ['ein', 'postalCode', 'email', 'website'] as const;

/**
 * Values that cannot be valid in any reading, by field: such a brand is not saved. Empty values are only missing, and
 * unassigned first two digits are left to the list of what is missing. `changed`: only these fields.
 */
export function brandFaults(brand: BrandForm, changed: Partial<BrandForm> = brand): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { ok, field, sentence } of brandChecks(brand)) {
    const name = typedFields.find((one) => one === field);
    if (ok || name === undefined || changed[name] === undefined || brand[name].trim() === '') continue;
    if (name !== 'ein' || brand.einCountry !== 'US' || einVerdict(brand.ein) === 'form') faults[name] = sentence;
  }
  return faults;
}

export function brandChecks(brand: BrandForm): Check[] {
  return [
    lengthCheck('brand.legalName', 'legalName', 'The legal name', brand.legalName, 1, 100),
    lengthCheck('brand.displayName', 'displayName', 'The name that people know', brand.displayName, 1, 100),
    einCheck(brand),
    ...addressChecks(brand),
    ...contactChecks(brand),
    check(
      'brand.vertical',
      'vertical',
      (verticals as readonly string[]).includes(brand.vertical),
      'The branch is chosen.',
      'Choose the branch.',
    ),
    ...stockChecks(brand),
  ];
}

function einCheck({ entityType, ein, einCountry }: BrandForm): Check {
  if (entityType === 'SOLE_PROPRIETOR') {
    const met = 'A sole proprietor needs no EIN.';
    return check('brand.ein', 'ein', true, met, met);
  }
  if (einCountry !== 'US') {
    const missing = 'Write the tax number of the country where the company is registered.';
    return check('brand.ein', 'ein', ein.trim().length >= 4, 'The tax number is given.', missing);
  }
  const verdict = einVerdict(ein);
  return check('brand.ein', 'ein', verdict === 'ok', einSentences.ok, einSentences[verdict]);
}

function addressChecks(brand: BrandForm): Check[] {
  const given = [brand.street, brand.city, brand.region, brand.country].every((part) => part.trim() !== '');
  const postal = brand.country === 'US' ? /^\d{5}(-\d{4})?$/.test(brand.postalCode) : brand.postalCode.trim() !== '';
  return [
    check('brand.address', 'street', given, 'The address is given.', 'Street, city, state and country are needed.'),
    check(
      'brand.postalCode',
      'postalCode',
      postal,
      'The postal code has the right form.',
      'A ZIP code is five digits, such as 78701, or nine: 78701-1234.',
    ),
  ];
}

function contactChecks({ phone, email, website }: BrandForm): Check[] {
  return [
    check(
      'brand.phone',
      'phone',
      isE164Digits(phone),
      'The telephone number has the right form.',
      'Write digits with the country code: 15125550100.',
    ),
    check(
      'brand.email',
      'email',
      /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email),
      'The e-mail address has the right form.',
      'Write an e-mail address at your own domain.',
    ),
    check(
      'brand.website',
      'website',
      isPageUrl(website),
      'The website has the right form.',
      'Write the website as https://… ; reviewers open it.',
    ),
  ];
}

function stockChecks({ entityType, stockSymbol, stockExchange }: BrandForm): Check[] {
  if (entityType !== 'PUBLIC_PROFIT') return [];
  const given = stockSymbol.trim() !== '' && stockExchange.trim() !== '';
  const missing = 'A company on the stock market gives its symbol and exchange.';
  return [check('brand.stock', 'stockSymbol', given, 'Symbol and exchange are given.', missing)];
}
