/** SMPP 3.4: an SMSC for texts over TCP or TLS. */
import { nationalLanguages } from '@heliograph/text';
import { cString, host, listOf, oneOf, onOff, timeZone, wholeNumber, withDefault } from '../../kernel/property.ts';
import { type CarrierKind, plainKind } from '../kind.ts';
import {
  also,
  inGroup,
  milliseconds,
  ms,
  password,
  rateLimits,
  repeatLimits,
  tcpPort,
  upToAnHour,
} from '../setting.ts';
import { type KindSimulator, newPassword } from '../simulated.ts';
import { completeSmpp, type SmppCarrierRecord, type SmppProfile, smppDetails, smppTakes } from './profile.ts';

/** SMPP 3.4 §4.1.1 allows 8 characters. Some carriers issue longer ones. */
const passwordCharactersMax = 64;
const typeOfNumber = wholeNumber(0, 6);
/** SMPP 3.4 §5.2.6. */
const numberingPlan = wholeNumber(0, 18);
/** Without the first, the default alphabet. */
const nationalNames = nationalLanguages.slice(1);

const simulated: SmppCarrierRecord = {
  carrierId: 'sim-carrier',
  environment: 'sandbox',
  name: 'Simulated carrier',
  kind: 'smpp',
  enabled: true,
  smpp: {
    host: '',
    port: 0,
    tls: false,
    tlsVerify: true,
    system_id: '',
    password: '',
    system_type: '',
    bindMode: 'transceiver',
    binds: 2,
    window: 100,
    messagesPerSecond: 0,
    source_addr_ton: 1,
    source_addr_npi: 1,
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    idBase: 'auto',
    longMessage: 'udh8',
    defaultAlphabet: 'gsm',
    registered_delivery: true,
    responseTimeoutMs: 30_000,
    enquireLinkMs: 30_000,
    interface_version: 0x34,
  },
};

/** The login that the simulated carrier and its client agree on. */
export const sandboxCarrierLogin: Readonly<{ system_id: string; password: string }> = {
  system_id: 'sandbox',
  // SMPP 3.4 §4.1.1: at most 8 characters.
  password: newPassword(4),
};

const simulator: KindSimulator = {
  portSetting: 'simulatorSmppPort',
  options: ({ preferredPort }) => ({ preferredPort, ...sandboxCarrierLogin }),
  client: ({ port }, host) => ({ address: { host, port }, login: sandboxCarrierLogin }),
};

export const smpp: CarrierKind<SmppCarrierRecord, SmppProfile> = {
  ...plainKind,
  name: 'smpp',
  title: 'SMPP 3.4',
  carries: 'texts',
  takes: smppTakes,
  settings: [
    ...inGroup('connection', {
      host,
      port: withDefault(tcpPort, 2775),
      bindMode: withDefault(oneOf('transceiver', 'transmitter+receiver'), 'transceiver'),
      binds: withDefault(wholeNumber(1, 32), 1),
      enquireLinkMs: ms(milliseconds, 30_000),
      responseTimeoutMs: ms(milliseconds, 30_000),
      reconnectMs: ms(wholeNumber(100, 600_000), smppDetails.reconnectMs),
      reconnectMsMax: ms(upToAnHour, smppDetails.reconnectMsMax),
      rebindMs: ms(milliseconds, smppDetails.rebindMs),
      rebindMsMax: ms(upToAnHour, smppDetails.rebindMsMax),
      passwordTriesMax: withDefault(wholeNumber(1, 100), smppDetails.passwordTriesMax),
      stableAfterMs: ms(upToAnHour, smppDetails.stableAfterMs),
    }),
    ...inGroup('identity', {
      // SMPP 3.4 §4.1.1: 15 and 12 characters.
      system_id: cString(1, 15),
      password: password(passwordCharactersMax),
      system_type: withDefault(cString(0, 12), ''),
      // 0x34: SMPP 3.4.
      interface_version: withDefault(wholeNumber(0, 255), 0x34),
    }),
    ...inGroup('limits', {
      window: withDefault(wholeNumber(1, 1_000), 10),
      ...rateLimits,
      ...repeatLimits,
    }),
    ...inGroup('encoding', {
      registered_delivery: withDefault(onOff, true),
      trustText: withDefault(oneOf('known', 'always', 'never'), smppDetails.trustText),
      acceptedIsFinal: withDefault(onOff, smppDetails.acceptedIsFinal),
      receiptTimeZone: withDefault(timeZone, smppDetails.receiptTimeZone),
      idBase: withDefault(oneOf('auto', 'string', 'resp-hex', 'receipt-hex'), 'auto'),
      longMessage: withDefault(oneOf('udh8', 'udh16', 'sar', 'payload'), 'udh8'),
      defaultAlphabet: withDefault(oneOf('gsm', 'latin1', 'ascii'), 'gsm'),
      nationalLanguages: also(withDefault(listOf(oneOf(...nationalNames), 0, nationalNames.length), []), {
        needs: { setting: 'defaultAlphabet', is: ['gsm'] },
      }),
      source_addr_ton: withDefault(typeOfNumber, 1),
      source_addr_npi: withDefault(numberingPlan, 1),
      short_code_ton: also(typeOfNumber, { derived: { usually: smppDetails.short_code_ton } }),
      short_code_npi: also(numberingPlan, { derived: { usually: smppDetails.short_code_npi } }),
      alphanumeric_ton: withDefault(typeOfNumber, smppDetails.alphanumeric_ton),
      alphanumeric_npi: withDefault(numberingPlan, smppDetails.alphanumeric_npi),
      dest_addr_ton: withDefault(typeOfNumber, 1),
      dest_addr_npi: withDefault(numberingPlan, 1),
    }),
    ...inGroup('tls', {
      tls: withDefault(onOff, false),
      tlsVerify: also(withDefault(onOff, true), { needs: { setting: 'tls', is: [true] } }),
    }),
  ],
  complete: completeSmpp,
  peer: (profile) => `${profile.host}:${profile.port} ${profile.tls} ${profile.tlsVerify}`,
  address: (profile) => `${profile.host}:${profile.port}`,
  usesTls: (profile) => profile.tls,
  asksForReceipts: (profile) => profile.registered_delivery,
  // As `textToParts` cuts it.
  cut: ({ longMessage, defaultAlphabet, nationalLanguages = [] }) => ({
    reference: longMessage === 'udh16' ? '16-bit' : '8-bit',
    alphabet: defaultAlphabet,
    languages: nationalLanguages,
  }),
  simulated,
  simulator,
  open: () => import('./adapter.ts').then(({ adapter }) => adapter),
};
