/** MM7 (3GPP TS 23.140 §8.7): an MMSC that exchanges MMS as SOAP over HTTP. */
import { type Mm7Schema, mm7Dialect, mm7Schemas } from '@heliograph/mms/mm7-dialect';
import { addresses, listOf, oneOf, type Property, withDefault } from '../../kernel/property.ts';
import { type CarrierKind, plainKind } from '../kind.ts';
import {
  mmsLimits,
  mmsPasswordCharactersMax,
  mmsPatience,
  mmsReports,
  mmsTrust,
  mmsVersion,
  simulatedMms,
  userName,
  word,
} from '../mms-settings.ts';
import { also, certificates, inGroup, password, privateKey } from '../setting.ts';
import { type KindSimulator, newPassword } from '../simulated.ts';
import { type Mm7CarrierRecord, type Mm7Profile, mm7Takes } from './profile.ts';

/** May hold a token in its query, so the rejected value is not shown. */
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

const simulated: Mm7CarrierRecord = {
  carrierId: 'sim-mm7',
  environment: 'sandbox',
  name: 'Simulated carrier (MM7)',
  kind: 'mm7',
  enabled: true,
  mm7: {
    ...simulatedMms,
    url: '',
    clientCertificate: '',
    clientKey: '',
    schema: 'REL-6-MM7-1-4',
    version: '6.8.0',
    vaspId: 'sandbox',
    vasId: '',
    serviceCode: '',
    inbound: { username: '', password: '', addresses: [], clientCertSha256: [] },
  },
};

/** The login that we present to the simulator, and the one that it presents to us. */
export const sandboxMm7Login: Readonly<Mm7Login> = {
  username: 'sandbox',
  password: newPassword(16),
  inbound: { username: 'sim-mm7', password: newPassword(16) },
};

export interface Mm7Login {
  username: string;
  password: string;
  inbound: { username: string; password: string };
}

/** An MM7 login under the names of the settings. */
export function mm7Settings({ username, password, inbound }: Mm7Login): Record<string, string> {
  return { username, password, 'inbound.username': inbound.username, 'inbound.password': inbound.password };
}

const simulator: KindSimulator = {
  portSetting: 'simulatorMm7Port',
  options: ({ preferredPort, localUrl }) => ({
    mm7: {
      preferredPort,
      username: sandboxMm7Login.username,
      password: sandboxMm7Login.password,
      gateway: () => {
        const url = localUrl();
        return url === null ? null : { url: `${url}/carriers/${simulated.carrierId}/mm7`, ...sandboxMm7Login.inbound };
      },
    },
  }),
  client: ({ mm7 }) => ({ address: { url: mm7.url }, login: mm7Settings(sandboxMm7Login) }),
};

export const mm7: CarrierKind<Mm7CarrierRecord, Mm7Profile> = {
  ...plainKind,
  name: 'mm7',
  title: 'MM7',
  carries: 'MMS over HTTP',
  takes: mm7Takes,
  settings: [
    ...inGroup('connection', { url: also(carrierUrl, { hidden: true }), ...mmsPatience }),
    ...inGroup('identity', {
      username: withDefault(userName, ''),
      password: password(mmsPasswordCharactersMax, 'username'),
      vaspId: withDefault(word, ''),
      vasId: withDefault(word, ''),
      serviceCode: withDefault(word, ''),
    }),
    ...inGroup('limits', mmsLimits),
    ...inGroup('encoding', {
      schema: withDefault(oneOf(...mm7Schemas), 'REL-6-MM7-1-4'),
      version: also(mmsVersion, { derived: { usually: null } }),
      ...mmsReports,
    }),
    ...inGroup('tls', { ...mmsTrust, clientCertificate: certificates, clientKey: privateKey('clientCertificate') }),
    ...inGroup('inbound', {
      'inbound.username': withDefault(userName, ''),
      'inbound.password': password(mmsPasswordCharactersMax, 'inbound.username'),
      'inbound.addresses': withDefault(addresses, []),
      'inbound.clientCertSha256': withDefault(listOf(certificateDigest, 0, 16), []),
    }),
  ],
  // MM7Version cannot be derived from the release in the schema's name.
  complete: (profile) => ({ ...profile, version: profile.version ?? mm7Dialect(profile.schema as Mm7Schema).version }),
  warnings: ({ url, inbound }) => {
    const { username, addresses, clientCertSha256 } = inbound;
    const closed = username === '' && addresses.length === 0 && clientCertSha256.length === 0;
    return [
      ...(url.startsWith('https:') ? [] : ['its url is not https: use it over a private line (VPN) only']),
      ...(closed ? ['inbound is empty: its delivery reports and messages are refused'] : []),
    ];
  },
  peer: ({ url, tlsVerify, caCertificate }) => `${url} ${tlsVerify} ${caCertificate}`,
  usesTls: ({ url }) => url.startsWith('https:'),
  asksForReceipts: ({ deliveryReport }) => deliveryReport,
  asksForCertificate: ({ inbound }) => inbound.clientCertSha256.length > 0,
  httpPaths: ['mm7'],
  simulated,
  simulator,
  open: () => import('./adapter.ts').then(({ adapter }) => adapter),
};
