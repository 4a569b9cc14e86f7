/** The fields of a carrier's form, in groups, and the record that is sent of what stands in them. Keeps nothing. */
import { wholeOrText } from '../../ui/whole';
import type { Carrier, Kind } from './carriers';

export type Group = 'connection' | 'identity' | 'limits' | 'encoding' | 'tls' | 'inbound';

export interface Field {
  /** As in a records file; inner ones with a dot. */
  name: string;
  type: 'text' | 'number' | 'flag' | 'secret' | 'pem' | 'list' | readonly string[];
  /** What it is when left out; '' when that is nothing. */
  start?: string | boolean;
}

/** Ten is the most that can be set: with it the company alone decides. */
const repeatFields: Field[] = [
  { name: 'repeatsUnanswered', type: 'number', start: '10' },
  { name: 'repeatsBroken', type: 'number', start: '10' },
];

const smppFields: Record<Group, Field[]> = {
  connection: [
    { name: 'host', type: 'text' },
    { name: 'port', type: 'number', start: '2775' },
    { name: 'bindMode', type: ['transceiver', 'transmitter+receiver'], start: 'transceiver' },
    { name: 'binds', type: 'number', start: '1' },
    { name: 'enquireLinkMs', type: 'number', start: '30000' },
    { name: 'responseTimeoutMs', type: 'number', start: '30000' },
    { name: 'reconnectMs', type: 'number', start: '1000' },
    { name: 'reconnectMsMax', type: 'number', start: '60000' },
    { name: 'rebindMs', type: 'number', start: '5000' },
    { name: 'rebindMsMax', type: 'number', start: '300000' },
    { name: 'passwordTriesMax', type: 'number', start: '3' },
    { name: 'stableAfterMs', type: 'number', start: '60000' },
  ],
  identity: [
    { name: 'system_id', type: 'text' },
    { name: 'password', type: 'secret' },
    { name: 'system_type', type: 'text', start: '' },
    { name: 'interface_version', type: 'number', start: '52' },
  ],
  limits: [
    { name: 'window', type: 'number', start: '10' },
    { name: 'messagesPerSecond', type: 'number', start: '0' },
    ...repeatFields,
  ],
  encoding: [
    { name: 'registered_delivery', type: 'flag', start: true },
    { name: 'trustText', type: ['known', 'always', 'never'], start: 'known' },
    { name: 'acceptedIsFinal', type: 'flag', start: false },
    { name: 'receiptTimeZone', type: 'text', start: 'UTC' },
    { name: 'idBase', type: ['auto', 'string', 'resp-hex', 'receipt-hex'], start: 'auto' },
    { name: 'longMessage', type: ['udh8', 'udh16', 'sar', 'payload'], start: 'udh8' },
    { name: 'defaultAlphabet', type: ['gsm', 'latin1', 'ascii'], start: 'gsm' },
    { name: 'nationalLanguages', type: 'list', start: '' },
    { name: 'source_addr_ton', type: 'number', start: '1' },
    { name: 'source_addr_npi', type: 'number', start: '1' },
    { name: 'short_code_ton', type: 'number', start: '3' },
    { name: 'short_code_npi', type: 'number', start: '0' },
    { name: 'alphanumeric_ton', type: 'number', start: '5' },
    { name: 'alphanumeric_npi', type: 'number', start: '0' },
    { name: 'dest_addr_ton', type: 'number', start: '1' },
    { name: 'dest_addr_npi', type: 'number', start: '1' },
  ],
  tls: [
    { name: 'tls', type: 'flag', start: false },
    { name: 'tlsVerify', type: 'flag', start: true },
  ],
  inbound: [],
};

const mmsLimits: Field[] = [
  { name: 'window', type: 'number', start: '20' },
  { name: 'messagesPerSecond', type: 'number', start: '0' },
  { name: 'mediaBytesMax', type: 'number', start: '600000' },
  ...repeatFields,
];

const mm7Fields: Record<Group, Field[]> = {
  connection: [
    { name: 'url', type: 'text' },
    { name: 'responseTimeoutMs', type: 'number', start: '60000' },
  ],
  identity: [
    { name: 'username', type: 'text', start: '' },
    { name: 'password', type: 'secret' },
    { name: 'vaspId', type: 'text', start: '' },
    { name: 'vasId', type: 'text', start: '' },
    { name: 'serviceCode', type: 'text', start: '' },
  ],
  limits: mmsLimits,
  encoding: [
    { name: 'schema', type: 'text', start: 'REL-6-MM7-1-4' },
    { name: 'version', type: 'text' },
    { name: 'deliveryReport', type: 'flag', start: true },
  ],
  tls: [
    { name: 'tlsVerify', type: 'flag', start: true },
    { name: 'caCertificate', type: 'pem', start: '' },
    { name: 'clientCertificate', type: 'pem', start: '' },
    { name: 'clientKey', type: 'secret' },
  ],
  inbound: [
    { name: 'inbound.username', type: 'text', start: '' },
    { name: 'inbound.password', type: 'secret' },
    { name: 'inbound.addresses', type: 'list', start: '' },
    { name: 'inbound.clientCertSha256', type: 'list', start: '' },
  ],
};

const mm4Fields: Record<Group, Field[]> = {
  connection: [
    { name: 'host', type: 'text' },
    { name: 'port', type: 'number', start: '25' },
    { name: 'connections', type: 'number', start: '2' },
    { name: 'responseTimeoutMs', type: 'number', start: '60000' },
  ],
  identity: [
    { name: 'domain', type: 'text' },
    { name: 'ownDomain', type: 'text' },
    { name: 'username', type: 'text', start: '' },
    { name: 'password', type: 'secret' },
  ],
  limits: mmsLimits,
  encoding: [
    { name: 'version', type: 'text', start: '6.10.0' },
    { name: 'deliveryReport', type: 'flag', start: true },
    { name: 'acknowledgement', type: 'flag', start: true },
    { name: 'ackTimeoutMs', type: 'number', start: '300000' },
  ],
  tls: [
    { name: 'tls', type: ['none', 'opportunistic', 'starttls', 'implicit'], start: 'starttls' },
    { name: 'tlsVerify', type: 'flag', start: true },
    { name: 'caCertificate', type: 'pem', start: '' },
  ],
  inbound: [
    { name: 'inbound.host', type: 'text', start: '127.0.0.1' },
    { name: 'inbound.port', type: 'number', start: '0' },
    { name: 'inbound.addresses', type: 'list', start: '' },
    { name: 'inbound.requireTls', type: 'flag', start: false },
  ],
};

export const fieldsOf: Readonly<Record<Kind, Readonly<Record<Group, readonly Field[]>>>> = {
  smpp: smppFields,
  mm7: mm7Fields,
  mm4: mm4Fields,
};
export const groups: readonly Group[] = ['connection', 'identity', 'limits', 'encoding', 'tls', 'inbound'];

/** What stands in the fields: texts, and flags. */
export type Entries = Readonly<Record<string, string | boolean>>;

export function allFields(kind: Kind): Field[] {
  return groups.flatMap((group) => fieldsOf[kind][group]);
}

/** A setting by its name with dots. */
export function settingAt(settings: Readonly<Record<string, unknown>>, name: string): unknown {
  const [outer, inner] = name.split('.');
  const value = settings[outer!];
  return inner === undefined ? value : (value as Record<string, unknown> | undefined)?.[inner];
}

/** The fields of a form for a carrier, or for a new one of this kind. Secrets begin empty. */
export function entriesOf(kind: Kind, carrier: Carrier | null): Entries {
  const known = allFields(kind).map((field): [string, string | boolean] => {
    if (carrier === null || field.type === 'secret')
      return [field.name, field.type === 'flag' ? field.start === true : ''];
    return [field.name, shownValue(settingAt(carrier.settings, field.name))];
  });
  const { carrierId = '', name = '', enabled = true } = carrier ?? {};
  return { id: carrierId, name, enabled, ...Object.fromEntries(known) };
}

function shownValue(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.join('\n') : String(value ?? '');
}

/**
 * What is sent: for a new carrier everything that is not empty, for one on record what differs from `before`. A number
 * that is none goes as it was written, so that the gateway's own words say what is allowed.
 */
export function recordOf(kind: Kind, entries: Entries, before: Entries | null): Record<string, unknown> {
  const record: Record<string, unknown> = before === null ? { kind } : { kind, id: before.id };
  const inbound: Record<string, unknown> = {};
  const named: Field[] = [
    ...(before === null ? [{ name: 'id', type: 'text' } as const] : []),
    { name: 'name', type: 'text' },
    { name: 'enabled', type: 'flag' },
    ...allFields(kind),
  ];
  for (const { name, type } of named) {
    const entry = entries[name];
    const isSame = before === null ? entry === '' : entry === before[name];
    if (entry === undefined || isSame) continue;
    const [outer, inner] = name.split('.');
    if (inner === undefined) record[outer!] = sent(type, entry);
    else inbound[inner] = sent(type, entry);
  }
  return Object.keys(inbound).length === 0 ? record : { ...record, inbound };
}

function sent(type: Field['type'], entry: string | boolean): unknown {
  if (typeof entry === 'boolean') return entry;
  if (type === 'number') return wholeOrText(entry);
  if (type === 'list') return entry.split(/[\s,]+/).filter((one) => one !== '');
  return type === 'pem' || type === 'secret' ? entry : entry.trim();
}
