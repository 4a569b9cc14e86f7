/**
 * Creates and changes sending numbers. Disabling a number stops its queued messages at dispatch; nothing is deleted.
 */
import type { AccountId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import { isApprovedAlone, isSender } from '../../model/number.ts';
import { fault, type Person, type Refusal } from '../../model/person.ts';
import type { Campaign, Environment, SendingNumber } from '../../model/records.ts';
import { registrationLimits } from '../../model/registration.ts';
import { isSenderName, nameFault } from '../../model/sender-name.ts';
import { createEdits, type EditOutcome, isSeen, type RegistrationParts } from './edits.ts';

export interface NumberChange {
  smsEnabled?: boolean;
  mmsEnabled?: boolean;
  campaignId?: string | null;
  name?: string;
  messagesPerSecond?: number;
  verified?: boolean;
  countries?: string[];
}

export interface NewNumber {
  number: string;
  name: string;
  campaignId: string | null;
  /** Of a name as sender. */
  countries?: string[];
}

export interface NumberService {
  /** Ordered by their digits. */
  list(accountId: AccountId, environment: Environment): SendingNumber[];
  get(accountId: AccountId, digits: string): SendingNumber | null;
  change(
    person: Person,
    digits: string,
    change: NumberChange,
    version: string | null,
  ): Promise<EditOutcome<SendingNumber>>;
  /** `anywhere`: not only in the sandbox's fictional range. */
  add(
    person: Person,
    whose: { accountId: AccountId; environment: Environment; anywhere: boolean },
    form: NewNumber,
  ): Promise<EditOutcome<SendingNumber>>;
}

/** Fictional numbers, never assigned (NANPA, 555-0100 to 555-0199). */
const fictionalNumber = /^120255501\d\d$/;

const missing: Refusal = { kind: 'missing', detail: 'Your company has no such number.' };

export function createNumberService(parts: RegistrationParts): NumberService {
  const edits = createEdits(parts);

  return {
    list: (accountId, environment) =>
      parts
        .directory()
        .records.numbers.filter((one) => one.accountId === accountId && one.environment === environment)
        .sort((a, b) => (a.number < b.number ? -1 : 1)),
    get: (accountId, digits) => ownNumber(parts.directory(), accountId, digits),
    change: (person, digits, change, version) =>
      edits.edit('numbers', person, (directory) => {
        const before = ownNumber(directory, person.user.accountId, digits);
        if (before === null) return missing;
        if (!isSeen(before, version)) return { kind: 'stale', current: before };
        const record = changed(before, change);
        const refused =
          switchFault(before, change) ??
          nameFaults(record) ??
          verifiedFault(change, digits) ??
          campaignFault(directory, record, before.campaignId);
        return refused ?? { kind: 'made', record, before, what: 'number.changed', target: digits };
      }),
    add: (person, { accountId, environment, anywhere }, { number, name, campaignId, countries }) =>
      edits.edit('numbers', person, (directory) => {
        const refused = numberFault(directory, number, environment, anywhere);
        if (refused !== null) return fault('number', refused);
        const record: SendingNumber = {
          number,
          accountId,
          environment,
          smsEnabled: true,
          mmsEnabled: !isSenderName(number),
          campaignId,
          messagesPerSecond: 0,
          ...(name !== '' && { name }),
          ...(countries !== undefined && { countries }),
        };
        const wrong = nameFaults(record) ?? campaignFault(directory, record, null);
        return wrong ?? { kind: 'made', record, before: null, what: 'number.added', target: number };
      }),
  };
}

function ownNumber(directory: Directory, accountId: AccountId, digits: string): SendingNumber | null {
  const number = directory.number(digits);
  return number?.accountId === accountId ? number : null;
}

/** Turning SMS on or off does the same to MMS; MMS alone may be off. */
function changed(before: SendingNumber, change: NumberChange): SendingNumber {
  const smsEnabled = change.smsEnabled ?? before.smsEnabled;
  const turned = smsEnabled !== before.smsEnabled;
  const taken = turned ? !isSenderName(before.number) : before.mmsEnabled;
  const mmsEnabled = smsEnabled && (change.mmsEnabled ?? taken);
  return { ...before, ...change, smsEnabled, mmsEnabled };
}

function switchFault(
  before: SendingNumber,
  { smsEnabled = before.smsEnabled, mmsEnabled }: NumberChange,
): Refusal | null {
  return mmsEnabled === true && !smsEnabled ? fault('mmsEnabled', 'MMS needs SMS. Turn SMS on first.') : null;
}

function nameFaults(record: SendingNumber): Refusal | null {
  const wrong = nameFault(record);
  return wrong === null ? null : fault(wrong.field, `${wrong.why[0]!.toUpperCase()}${wrong.why.slice(1)}.`);
}

function verifiedFault({ verified }: NumberChange, digits: string): Refusal | null {
  if (verified !== true || isApprovedAlone(digits)) return null;
  return fault('verified', 'Only toll-free numbers and short codes are verified. This one needs a campaign.');
}

function campaignFault(directory: Directory, number: SendingNumber, earlier: string | null): Refusal | null {
  const { campaignId } = number;
  if (campaignId === null || campaignId === earlier) return null;
  const campaign = directory.campaign(campaignId);
  if (campaign?.accountId !== number.accountId) return fault('campaignId', 'Your company has no such campaign.');
  if (campaign.environment !== number.environment) {
    return fault('campaignId', 'Sandbox and live never mix: choose a campaign of the number’s own side.');
  }
  return isFull(directory, campaign)
    ? fault(
        'campaignId',
        `The campaign has ${registrationLimits.numbersPerCampaign} numbers, the most that one without a number pool may have.`,
      )
    : null;
}

function isFull(directory: Directory, { campaignId, registration }: Campaign): boolean {
  if (registration?.flags.numberPool === true) return false;
  const count = directory.records.numbers.filter((one) => one.campaignId === campaignId).length;
  return count >= registrationLimits.numbersPerCampaign;
}

/** A number as people write it, or a name. */
export function senderIn(text: string): string {
  return /[A-Za-z]/.test(text) ? text.trim() : text.replace(/[\s().+-]/g, '');
}

function numberFault(directory: Directory, number: string, environment: Environment, anywhere: boolean): string | null {
  if (!isSender(number)) {
    return 'Write digits with the country code and without plus, such as 12025550142, a short code, or a name of at most 11 letters and digits.';
  }
  if (environment === 'sandbox' && !fictionalNumber.test(number)) {
    return 'The sandbox has numbers that nobody owns: 12025550100 to 12025550199.';
  }
  if (environment === 'live' && fictionalNumber.test(number))
    return 'This is a fictional number. Add it in the sandbox.';
  if (environment === 'live' && !anywhere) return 'Live numbers are added by the operator of this gateway. Ask them.';
  return directory.number(number) === undefined ? null : 'This number is in use already. Choose another.';
}
