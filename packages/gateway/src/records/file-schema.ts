/**
 * What a records file may hold, field by field, with the defaults. Rules between two records are in `cross-check.ts`; the
 * page docs/configuration.md tells people of the same fields.
 */
import { defaultLimits } from '../domain/limits.ts';
import {
  addresses,
  contact,
  countries,
  credential,
  cString,
  fileName,
  host,
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
  variableName,
  wholeNumber,
  withDefault,
} from './property.ts';

/** Entries of one list; a file of this size is still read in a second. */
const entriesMax = 100_000;

const environment = withDefault(oneOf('live', 'sandbox'), 'live');
/** 0 = no limit. */
const perSecond = wholeNumber(0, 100_000);
const typeOfNumber = wholeNumber(0, 6);
/** SMPP 3.4 §5.2.6. */
const numberingPlan = wholeNumber(0, 18);
const milliseconds = wholeNumber(1_000, 600_000);

const account: Entry = {
  required: ['id', 'name'],
  properties: {
    id: identifier,
    name: label,
    status: withDefault(oneOf('active', 'suspended'), 'active'),
    destinations: withDefault(countries, ['US', 'CA']),
    uncertainPolicy: withDefault(oneOf('resend', 'hold'), 'resend'),
    smartEncoding: withDefault(onOff, false),
    requestsPerSecond: withDefault(perSecond, 0),
    supportContact: withDefault(contact, ''),
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
    exactShape: withDefault(onOff, false),
    requestsPerSecond: withDefault(perSecond, defaultLimits.requestsPerSecond),
    burst: withDefault(perSecond, defaultLimits.burst),
    expiresAt: orNull(moment),
    revoked: withDefault(onOff, false),
  },
};

const carrier: Entry = {
  required: ['id', 'host', 'system_id'],
  properties: {
    id: identifier,
    kind: withDefault(oneOf('smpp'), 'smpp'),
    name: label,
    enabled: withDefault(onOff, true),
    host,
    port: withDefault(wholeNumber(1, 65_535), 2775),
    tls: withDefault(onOff, false),
    tlsVerify: withDefault(onOff, true),
    // SMPP 3.4 §4.1.1: 15, 8 and 12 characters. Some carriers hand out longer passwords than the standard knows.
    system_id: cString(1, 15),
    password: cString(1, 64, true),
    passwordFile: fileName,
    passwordEnv: variableName,
    system_type: withDefault(cString(0, 12), ''),
    bindMode: withDefault(oneOf('transceiver', 'transmitter+receiver'), 'transceiver'),
    binds: withDefault(wholeNumber(1, 32), 1),
    window: withDefault(wholeNumber(1, 1_000), 10),
    messagesPerSecond: withDefault(perSecond, 0),
    source_addr_ton: withDefault(typeOfNumber, 1),
    source_addr_npi: withDefault(numberingPlan, 1),
    dest_addr_ton: withDefault(typeOfNumber, 1),
    dest_addr_npi: withDefault(numberingPlan, 1),
    idBase: withDefault(oneOf('auto', 'string', 'resp-hex', 'receipt-hex'), 'auto'),
    longMessage: withDefault(oneOf('udh8', 'udh16', 'sar', 'payload'), 'udh8'),
    defaultAlphabet: withDefault(oneOf('gsm', 'latin1', 'ascii'), 'gsm'),
    registered_delivery: withDefault(onOff, true),
    responseTimeoutMs: withDefault(milliseconds, 30_000),
    enquireLinkMs: withDefault(milliseconds, 30_000),
    // 0x34: the version of the standard whose words these are.
    interface_version: withDefault(wholeNumber(0, 255), 0x34),
  },
};

const route: Entry = {
  required: ['id', 'carriers'],
  properties: {
    id: identifier,
    environment,
    prefix: withDefault(leadingDigits, ''),
    number: orNull(sendingNumber),
    kind: orNull(oneOf('SMS', 'MMS')),
    weight: withDefault(wholeNumber(1, 1_000), 1),
    priority: withDefault(wholeNumber(0, 1_000), 100),
    carriers: listOf(identifier, 1, 16),
  },
};

interface Entry {
  required: string[];
  properties: Record<string, Property>;
}

function entries(entry: Entry): Property {
  return {
    type: 'array',
    maxItems: entriesMax,
    items: { type: 'object', additionalProperties: false, allowed: 'an object', ...entry },
    default: [],
    allowed: `a list of at most ${entriesMax} objects`,
  };
}

export const fileSchema: Property = {
  type: 'object',
  additionalProperties: false,
  allowed: 'an object with lists: accounts, numbers, campaigns, keys, carriers, routes',
  properties: {
    accounts: entries(account),
    numbers: entries(number),
    campaigns: entries(campaign),
    keys: entries(key),
    carriers: entries(carrier),
    routes: entries(route),
  },
};
