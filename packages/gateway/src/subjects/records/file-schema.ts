/**
 * The schema of a records file with defaults; `carrier-schema.ts` adds carriers, `cross-check.ts` the rules between
 * records. `docs/configuration.md` describes the same fields.
 */
import { perSecond } from '../../carriers/setting.ts';
import {
  addresses,
  contact,
  countries,
  credential,
  currency,
  day,
  identifier,
  label,
  leadingDigits,
  listOf,
  moment,
  oneOf,
  onOff,
  orNull,
  type Property,
  registeredText,
  sendingNumber,
  wholeNumber,
  withDefault,
} from '../../kernel/property.ts';
import { alertForSecondsMax, alertKinds } from '../../model/alert.ts';
import { defaultLimits } from '../../model/limits.ts';
import { quietCampaignsMax } from '../../model/quiet-hours.ts';
import { decimalForm } from '../../model/rates.ts';
import { repeatsMax } from '../../model/repeats.ts';
import { weekdays } from '../../model/route-hours.ts';
import { carrierSchema, type Entry } from './carrier-schema.ts';

/** Entries of one list; a file of this size can still be read in a second. */
const entriesMax = 100_000;

const environment = withDefault(oneOf('live', 'sandbox'), 'live');

const price: Property = {
  type: 'string',
  pattern: decimalForm.source,
  allowed: 'a price as text like "0.0075", at most six digits before and behind the point',
};

const rates: Property = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['from', 'currency', 'smsPerSegment', 'mmsPerMessage'],
    properties: { from: day, currency, smsPerSegment: price, mmsPerMessage: price },
    allowed: 'an object',
  },
  default: [],
  allowed: 'a list of at most 100 rates',
};

const wallTime: Property = {
  type: 'string',
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  allowed: 'a time of day like "08:00"',
};

const quietHours: Property = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['from', 'to'],
  properties: {
    from: wallTime,
    to: wallTime,
    days: listOf(oneOf(...weekdays), 1, 7),
    exceptCampaigns: listOf(identifier, 0, quietCampaignsMax),
  },
  allowed: 'an object with from and to, also days and exceptCampaigns, or null',
};

const account: Entry = {
  required: ['id', 'name'],
  properties: {
    id: identifier,
    name: label,
    status: withDefault(oneOf('active', 'suspended'), 'active'),
    destinations: withDefault(countries, ['US', 'CA']),
    destinationsMax: countries,
    fraudGuard: oneOf('on', 'off'),
    fraudGuardOptional: onOff,
    uncertainPolicy: withDefault(oneOf('resend', 'hold'), 'resend'),
    repeatsUnanswered: wholeNumber(0, repeatsMax),
    repeatsBroken: wholeNumber(0, repeatsMax),
    smartEncoding: withDefault(onOff, false),
    mmsFallback: withDefault(oneOf('none', 'links'), 'none'),
    animations: oneOf('still', 'refuse'),
    requestsPerSecond: withDefault(perSecond, 0),
    waitingSecondsMax: orNull(wholeNumber(0, 86_400)),
    supportContact: withDefault(contact, ''),
    rates,
    timeZone: { type: 'string', maxLength: 64, allowed: 'a time zone like "Europe/Berlin"' },
    quietHours,
    exactShapeDefault: onOff,
  },
};

const number: Entry = {
  required: ['number', 'account'],
  properties: {
    number: sendingNumber,
    account: identifier,
    environment,
    smsEnabled: withDefault(onOff, true),
    mmsEnabled: onOff,
    campaign: orNull(identifier),
    verified: onOff,
    countries,
    messagesPerSecond: withDefault(perSecond, 0),
  },
};

const campaign: Entry = {
  required: ['id', 'account', 'status'],
  properties: {
    id: identifier,
    account: identifier,
    environment,
    name: label,
    status: oneOf('draft', 'submitted', 'in_review', 'changes_needed', 'approved', 'suspended', 'expired'),
    optOutText: orNull(registeredText),
    optInText: orNull(registeredText),
    helpText: orNull(registeredText),
  },
};

const numbersOfKey: Property = {
  type: 'array',
  maxItems: 1_000,
  items: sendingNumber,
  allowed: 'a list of sending numbers, [] for all of the account',
};

const key: Entry = {
  required: ['id', 'account'],
  properties: {
    id: identifier,
    account: identifier,
    environment,
    name: label,
    bearerToken: credential,
    authToken: credential,
    generate: withDefault(onOff, false),
    scopes: withDefault(listOf(oneOf('send', 'read', 'admin'), 1, 3), ['send', 'read']),
    allowedIps: withDefault(addresses, []),
    numbers: withDefault(numbersOfKey, []),
    dailyCap: withDefault(wholeNumber(0, 1_000_000_000), 0),
    exactShape: withDefault(onOff, false),
    requestsPerSecond: withDefault(perSecond, defaultLimits.requestsPerSecond),
    burst: withDefault(perSecond, defaultLimits.burst),
    expiresAt: orNull(moment),
    revoked: withDefault(onOff, false),
  },
};

const routeHours: Property = {
  type: 'object',
  additionalProperties: false,
  required: ['days', 'from', 'to'],
  properties: { days: listOf(oneOf(...weekdays), 1, 7), from: wallTime, to: wallTime },
  allowed: 'an object with days, from and to',
};

const route: Entry = {
  required: ['id', 'carriers'],
  properties: {
    id: identifier,
    environment,
    prefix: withDefault(leadingDigits, ''),
    number: orNull(sendingNumber),
    kind: orNull(oneOf('SMS', 'MMS')),
    campaign: orNull(identifier),
    hours: orNull(routeHours),
    weight: withDefault(wholeNumber(1, 1_000), 1),
    priority: withDefault(wholeNumber(0, 1_000), 100),
    carriers: {
      ...listOf(identifier, 1, 16),
      plain: 'Choose at least one carrier, at most 16, and none twice.',
    },
  },
};

const alert: Entry = {
  required: ['id'],
  properties: {
    id: oneOf(...alertKinds),
    enabled: onOff,
    limit: wholeNumber(1, 100_000_000),
    forSeconds: wholeNumber(0, alertForSecondsMax),
  },
};

function entries(entry: Entry): Property {
  return listOfAny({ type: 'object', additionalProperties: false, allowed: 'an object', ...entry });
}

function listOfAny(items: Property): Property {
  return {
    type: 'array',
    maxItems: entriesMax,
    items,
    default: [],
    allowed: `a list of at most ${entriesMax} objects`,
  };
}

const confirmation: Property = {
  type: 'string',
  pattern: '^[0-9a-f]{12}$',
  allowed: 'the code that helio apply shows for what the file would take away, 12 digits 0-9 a-f',
};

export const fileSchema: Property = {
  type: 'object',
  additionalProperties: false,
  allowed: 'an object with lists: accounts, numbers, campaigns, keys, carriers, routes, alerts',
  properties: {
    confirm: confirmation,
    accounts: entries(account),
    numbers: entries(number),
    campaigns: entries(campaign),
    keys: entries(key),
    carriers: listOfAny(carrierSchema),
    routes: entries(route),
    alerts: entries(alert),
  },
};
