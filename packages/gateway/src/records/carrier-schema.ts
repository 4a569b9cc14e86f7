/**
 * What a carrier of a records file may hold, for each kind of carrier, field by field, with the defaults. The page
 * docs/carriers.md tells people of the same fields. Checks one entry by itself; opens no file.
 */
import { mm7Schemas } from '@heliograph/mms';
import {
  addresses,
  cString,
  fileName,
  host,
  identifier,
  label,
  listOf,
  oneOf,
  onOff,
  type Property,
  variableName,
  wholeNumber,
  withDefault,
} from './property.ts';

export interface Entry {
  required: string[];
  properties: Record<string, Property>;
}

/** 0 = no limit. */
export const perSecond = wholeNumber(0, 100_000);
const typeOfNumber = wholeNumber(0, 6);
/** SMPP 3.4 §5.2.6. */
const numberingPlan = wholeNumber(0, 18);
const milliseconds = wholeNumber(1_000, 600_000);
const tcpPort = wholeNumber(1, 65_535);

/** SMPP 3.4 §4.1.1 has 8 characters. Some carriers hand out longer ones than the standard knows. */
export const smppPasswordCharactersMax = 64;
export const mmsPasswordCharactersMax = 256;

const passwordSources = (charactersMax: number) => ({
  password: cString(1, charactersMax, true),
  passwordFile: fileName,
  passwordEnv: variableName,
});

const common = {
  id: identifier,
  name: label,
  enabled: withDefault(onOff, true),
};

const smpp: Entry = {
  required: ['id', 'host', 'system_id'],
  properties: {
    kind: withDefault(oneOf('smpp'), 'smpp'),
    ...common,
    host,
    port: withDefault(tcpPort, 2775),
    tls: withDefault(onOff, false),
    tlsVerify: withDefault(onOff, true),
    // SMPP 3.4 §4.1.1: 15 and 12 characters.
    system_id: cString(1, 15),
    ...passwordSources(smppPasswordCharactersMax),
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

/** What a carrier may call us or itself; goes into XML and mail headers as it is. */
const word = cString(0, 64);
/** RFC 7617 §2: the name of HTTP Basic holds no colon. */
const userName: Property = {
  type: 'string',
  pattern: '^[ -9;-~]{0,128}$',
  allowed: 'at most 128 ASCII characters without a colon',
};
/** X-Mms-3GPP-MMS-Version and MM7Version. */
const mmsVersion: Property = {
  type: 'string',
  pattern: '^[0-9]{1,2}(\\.[0-9]{1,2}){2}$',
  allowed: 'three numbers with dots between them like "6.8.0"',
};
/** May hold a token in its query, so what was written there is not shown. */
const carrierUrl: Property = {
  type: 'string',
  format: 'carrier-url',
  secret: true,
  allowed: 'an http or https address without user and fragment, like "https://mmsc.example.com/mm7"',
};
const certificateDigest: Property = {
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  allowed: 'the SHA-256 of a certificate as 64 digits 0-9 a-f',
};

/** Up to 5 MiB, what the largest network takes (US Cellular, short codes); 600 kB passes nearly everywhere. */
const mediaBytesMax = withDefault(wholeNumber(1_000, 5_242_880), 600_000);

const mmsCommon = {
  tlsVerify: withDefault(onOff, true),
  caCertificateFile: fileName,
  username: withDefault(userName, ''),
  ...passwordSources(mmsPasswordCharactersMax),
  deliveryReport: withDefault(onOff, true),
  window: withDefault(wholeNumber(1, 1_000), 20),
  messagesPerSecond: withDefault(perSecond, 0),
  responseTimeoutMs: withDefault(milliseconds, 60_000),
  mediaBytesMax,
};

const mm7: Entry = {
  required: ['id', 'kind', 'url'],
  properties: {
    kind: oneOf('mm7'),
    ...common,
    url: carrierUrl,
    clientCertificateFile: fileName,
    clientKeyFile: fileName,
    schema: withDefault(oneOf(...mm7Schemas), 'REL-6-MM7-1-4'),
    version: mmsVersion,
    vaspId: withDefault(word, ''),
    vasId: withDefault(word, ''),
    serviceCode: withDefault(word, ''),
    ...mmsCommon,
    inbound: inside({
      username: withDefault(userName, ''),
      ...passwordSources(mmsPasswordCharactersMax),
      addresses: withDefault(addresses, []),
      clientCertSha256: withDefault(listOf(certificateDigest, 0, 16), []),
    }),
  },
};

const mm4: Entry = {
  required: ['id', 'kind', 'host', 'domain', 'ownDomain'],
  properties: {
    kind: oneOf('mm4'),
    ...common,
    host,
    port: withDefault(tcpPort, 25),
    tls: withDefault(oneOf('none', 'opportunistic', 'starttls', 'implicit'), 'starttls'),
    domain: host,
    ownDomain: host,
    version: withDefault(mmsVersion, '6.10.0'),
    acknowledgement: withDefault(onOff, true),
    ackTimeoutMs: withDefault(wholeNumber(1_000, 3_600_000), 300_000),
    connections: withDefault(wholeNumber(1, 32), 2),
    ...mmsCommon,
    inbound: inside({
      host: withDefault(host, '127.0.0.1'),
      port: withDefault(wholeNumber(0, 65_535), 0),
      addresses: withDefault(addresses, []),
      requireTls: withDefault(onOff, false),
    }),
  },
};

/** An object within an entry; left out, each of its fields takes its default. */
function inside(properties: Record<string, Property>): Property {
  return { type: 'object', additionalProperties: false, properties, default: {}, allowed: 'an object' };
}

export const carrierKinds = { smpp, mm7, mm4 } as const;

/** The rules of the kind that an entry names, and of no other: an unknown kind is the only thing told of such an entry. */
export const carrierSchema: Property = {
  type: 'object',
  allowed: 'an object',
  if: { properties: { kind: { const: 'mm7' } }, required: ['kind'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: closed(mm7),
  else: {
    if: { properties: { kind: { const: 'mm4' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: closed(mm4),
    else: {
      if: { properties: { kind: { const: 'smpp' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: closed(smpp),
      else: { properties: { id: identifier, kind: oneOf('smpp', 'mm7', 'mm4') }, required: ['id'] },
    },
  },
};

function closed(entry: Entry) {
  return { type: 'object', additionalProperties: false, allowed: 'an object', ...entry };
}
