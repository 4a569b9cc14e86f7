/**
 * Settings that a company controls itself, and their validation. Pure. Operator settings (status, rates, limits) are
 * elsewhere.
 */
import { isKnownCountry } from './country.ts';
import { type QuietHours, quietFault } from './quiet-hours.ts';
import { decimalForm, microsOf } from './rates.ts';
import type { Account } from './records.ts';
import { retentionLimits, retentionOf } from './retention.ts';

/** Fields that are left out do not change. */
export interface CompanyForm {
  name?: string;
  destinations?: string[];
  fraudGuard?: 'on' | 'off';
  supportContact?: string;
  uncertainPolicy?: Account['uncertainPolicy'];
  /** From 0 to `repeatsMax`. */
  repeatsUnanswered?: number;
  repeatsBroken?: number;
  smartEncoding?: boolean;
  mmsFallback?: Account['mmsFallback'];
  animations?: Account['animations'];
  exactShapeDefault?: boolean;
  /** From `passwordCharacters.min` to `.least`. */
  passwordCharactersMin?: number;
  /** Null = the browser's. */
  timeZone?: string | null;
  /** Null or '' = none. */
  monthlyBudget?: string | null;
  bodyDays?: number;
  metadataDays?: number;
}

export type CompanyFaults = Partial<Record<keyof CompanyForm, string>>;

const nameMax = 100;
const contactMax = 100;

/**
 * The account with the form's values, or the faults by field. The company's own people must stay within the limits of
 * the operator; when an operator changes the account, the limits follow.
 */
export function changedCompany(
  account: Account,
  form: CompanyForm,
  isOperator: boolean,
): Account | { faults: CompanyFaults } {
  const { timeZone, bodyDays, metadataDays, monthlyBudget, ...rest } = form;
  const kept = retentionOf(account);
  const retention = { bodyDays: bodyDays ?? kept.bodyDays, metadataDays: metadataDays ?? kept.metadataDays };
  const changed: Account = { ...account, ...rest };
  if (form.name !== undefined) changed.name = form.name.trim();
  if (form.supportContact !== undefined) changed.supportContact = form.supportContact.trim();
  if (form.destinations !== undefined) changed.destinations = countries(form.destinations);
  if (bodyDays !== undefined || metadataDays !== undefined) changed.retention = retention;
  if (timeZone === null) delete changed.timeZone;
  else if (timeZone !== undefined) changed.timeZone = timeZone;
  if (monthlyBudget === null || monthlyBudget === '') delete changed.monthlyBudget;
  else if (monthlyBudget !== undefined) changed.monthlyBudget = monthlyBudget.trim();
  const fence = account.destinationsMax ?? account.destinations;
  if (form.destinations !== undefined && !isOperator) changed.destinationsMax = fence;
  else if (account.destinationsMax !== undefined) {
    changed.destinationsMax = countries([...fence, ...changed.destinations]);
  }
  if (form.fraudGuard === 'off' && isOperator) changed.fraudGuardOptional = true;
  const faults = { ...(isOperator ? {} : fenceFaults(form, account, fence)), ...faultsOf(changed) };
  return Object.keys(faults).length === 0 ? changed : { faults };
}

function countries(codes: readonly string[]): string[] {
  const wanted = [...new Set(codes.map((code) => code.trim().toUpperCase()).filter((code) => code !== ''))];
  return wanted.includes('*') ? ['*'] : wanted;
}

/** Faults for fields that only an operator may change. */
function fenceFaults(form: CompanyForm, account: Account, fence: readonly string[]): CompanyFaults {
  const beyond = fence.includes('*') ? [] : countries(form.destinations ?? []).filter((code) => !fence.includes(code));
  return {
    ...(beyond.length > 0 && {
      destinations: `The operator allows your company ${fence.join(', ')}. Ask the operator for ${beyond.join(', ')}.`,
    }),
    ...(form.fraudGuard === 'off' &&
      hasFraudGuard({ ...account, fraudGuard: 'off' }) && {
        fraudGuard: 'Only the operator can allow this. Ask the operator.',
      }),
  };
}

function faultsOf(account: Account): CompanyFaults {
  const { name, supportContact, destinations, timeZone } = account;
  const faults: CompanyFaults = {};
  if (name === '' || name.length > nameMax) faults.name = `Give a name of at most ${nameMax} characters.`;
  if (supportContact.length > contactMax) faults.supportContact = `At most ${contactMax} characters.`;
  const unknown = destinations.filter((code) => code !== '*' && !isKnownCountry(code));
  if (unknown.length > 0) faults.destinations = `No such country: ${unknown.join(', ')}. Give codes like US, CA, or *.`;
  if (destinations.length === 0) faults.destinations = 'Allow at least one country, or nothing can be sent.';
  if (timeZone !== undefined && !isTimeZone(timeZone)) faults.timeZone = 'There is no such time zone.';
  if (account.monthlyBudget !== undefined && !isBudget(account.monthlyBudget)) {
    faults.monthlyBudget = 'Give an amount above 0, such as 250 or 99.50.';
  }
  const { bodyDays, metadataDays } = retentionOf(account);
  const { daysMin, daysMax } = retentionLimits;
  if (!isBetween(bodyDays, daysMin, daysMax)) faults.bodyDays = `From ${daysMin} to ${daysMax} days.`;
  if (!isBetween(metadataDays, daysMin, daysMax)) faults.metadataDays = `From ${daysMin} to ${daysMax} days.`;
  else if (metadataDays < bodyDays) faults.metadataDays = 'Not shorter than the period of texts.';
  return faults;
}

function isBudget(text: string): boolean {
  return decimalForm.test(text) && microsOf(text) > 0n;
}

function isBetween(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The account with these quiet hours, or with none. `isOwnCampaign` says which campaigns it may except. */
export function withQuietHours(
  { quietHours: _, ...account }: Account,
  quietHours: QuietHours | null,
  isOwnCampaign: (campaignId: string) => boolean,
): Account | { faults: { quietHours: string } } {
  if (quietHours === null) return account;
  const fault = quietFault(quietHours, isOwnCampaign);
  return fault === null ? { ...account, quietHours } : { faults: { quietHours: fault } };
}

/** The changed fields with their old and new values, for the audit log. */
export function companyChanges(before: Account, after: Account) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Account)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (account: Account) => Object.fromEntries(changed.map((name) => [name, account[name] ?? null]));
  return { before: pick(before), after: pick(after), any: changed.length > 0 };
}

/**
 * Whether the account's messages are checked against fraud ranges: always, unless its people turned that off and the
 * operator allows it.
 */
export function hasFraudGuard({ fraudGuard, fraudGuardOptional }: Account): boolean {
  return fraudGuard !== 'off' || fraudGuardOptional !== true;
}
