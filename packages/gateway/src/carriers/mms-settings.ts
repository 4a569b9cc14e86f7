/** Settings shared by both MMS kinds. */
import { cString, onOff, type Property, wholeNumber, withDefault } from '../kernel/property.ts';
import { also, certificates, milliseconds, ms, rateLimits, repeatLimits } from './setting.ts';

export const mmsPasswordCharactersMax = 256;

/** Name of the gateway or the carrier; XML and mail headers contain it unchanged. */
export const word = cString(0, 64);

/** RFC 7617 §2: the user name of HTTP Basic has no colon. */
export const userName: Property = {
  type: 'string',
  pattern: '^[ -9;-~]{0,128}$',
  allowed: 'at most 128 ASCII characters without a colon',
};

/** X-Mms-3GPP-MMS-Version and MM7Version. */
export const mmsVersion: Property = {
  type: 'string',
  pattern: '^[0-9]{1,2}(\\.[0-9]{1,2}){2}$',
  allowed: 'three numbers with dots between them like "6.8.0"',
};

/** Up to 5 MiB, the limit of the largest network (US Cellular, short codes); nearly every network takes 600 kB. */
const mediaBytesMax = also(withDefault(wholeNumber(1_000, 5_242_880), 600_000), { unit: 'bytes' });

export const mmsLimits = {
  window: withDefault(wholeNumber(1, 1_000), 20),
  ...rateLimits,
  mediaBytesMax,
  ...repeatLimits,
};

export const mmsPatience = { responseTimeoutMs: ms(milliseconds, 60_000) };
export const mmsReports = { deliveryReport: withDefault(onOff, true) };
export const mmsTrust = { tlsVerify: withDefault(onOff, true), caCertificate: certificates };

/** Settings of the carriers that the sandbox simulates. */
export const simulatedMms = {
  tlsVerify: true,
  caCertificate: '',
  username: '',
  password: '',
  deliveryReport: true,
  window: 20,
  messagesPerSecond: 0,
  responseTimeoutMs: 60_000,
  mediaBytesMax: 600_000,
};
