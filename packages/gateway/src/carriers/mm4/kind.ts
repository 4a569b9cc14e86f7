/** MM4 (3GPP TS 23.140 §8.4): an MMSC that exchanges MMS as mail over SMTP, with an SMTP server on our side. */
import { addresses, host, oneOf, onOff, wholeNumber, withDefault } from '../../kernel/property.ts';
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
} from '../mms-settings.ts';
import { also, inGroup, password, tcpPort, upToAnHour } from '../setting.ts';
import type { KindSimulator } from '../simulated.ts';
import { type Mm4CarrierRecord, type Mm4Profile, mm4Takes } from './profile.ts';

/** Its listener takes any free port, and the simulator learns which. */
const simulated: Mm4CarrierRecord = {
  carrierId: 'sim-mm4',
  environment: 'sandbox',
  name: 'Simulated carrier (MM4)',
  kind: 'mm4',
  enabled: true,
  mm4: {
    ...simulatedMms,
    host: '',
    port: 0,
    tls: 'none',
    domain: 'mms.carrier.example',
    ownDomain: 'mms.sandbox.example',
    version: '6.10.0',
    acknowledgement: true,
    ackTimeoutMs: 300_000,
    connections: 2,
    inbound: { host: '127.0.0.1', port: 0, addresses: ['127.0.0.1'], requireTls: false },
  },
};

const simulator: KindSimulator = {
  portSetting: 'simulatorMm4Port',
  options: ({ preferredPort, listening }) => ({
    mm4: { preferredPort, ownDomain: simulated.mm4.domain, peerDomain: simulated.mm4.ownDomain, gateway: listening },
  }),
  client: ({ mm4: { host, port } }) => ({ address: { host, port }, login: {} }),
};

export const mm4: CarrierKind<Mm4CarrierRecord, Mm4Profile> = {
  ...plainKind,
  name: 'mm4',
  title: 'MM4',
  carries: 'MMS over SMTP',
  takes: mm4Takes,
  settings: [
    ...inGroup('connection', {
      host,
      port: withDefault(tcpPort, 25),
      connections: withDefault(wholeNumber(1, 32), 2),
      ...mmsPatience,
    }),
    ...inGroup('identity', {
      domain: host,
      ownDomain: host,
      username: withDefault(userName, ''),
      password: password(mmsPasswordCharactersMax, 'username'),
    }),
    ...inGroup('limits', mmsLimits),
    ...inGroup('encoding', {
      version: withDefault(mmsVersion, '6.10.0'),
      ...mmsReports,
      readReports: withDefault(onOff, true),
      acknowledgement: withDefault(onOff, true),
      ackTimeoutMs: also(withDefault(upToAnHour, 300_000), {
        unit: 'ms',
        needs: { setting: 'acknowledgement', is: [true] },
      }),
    }),
    ...inGroup('tls', {
      tls: withDefault(oneOf('none', 'opportunistic', 'starttls', 'implicit'), 'starttls'),
      ...mmsTrust,
    }),
    ...inGroup('inbound', {
      'inbound.host': withDefault(host, '127.0.0.1'),
      'inbound.port': withDefault(wholeNumber(0, 65_535), 0),
      'inbound.addresses': withDefault(addresses, []),
      'inbound.requireTls': withDefault(onOff, false),
    }),
  ],
  warnings: ({ tls, username, acknowledgement, inbound }) => {
    const closed = inbound.addresses.length === 0;
    const unanswered = acknowledgement ? ', and so are its acknowledgements, which are waited for' : '';
    return [
      ...(tls === 'none' || tls === 'opportunistic'
        ? [
            `with tls "${tls}" ${username === '' ? 'messages' : 'its password and messages'} may travel in the clear: use it over a private line (VPN) only`,
          ]
        : []),
      ...(closed ? [`inbound.addresses is empty: its delivery reports and messages are refused${unanswered}`] : []),
      ...(!closed && inbound.port === 0 ? ['inbound.port is 0: it listens on another port after each start'] : []),
    ];
  },
  peer: ({ host: name, port, tls, tlsVerify, caCertificate }) => `${name}:${port} ${tls} ${tlsVerify} ${caCertificate}`,
  usesTls: ({ tls }) => tls !== 'none',
  asksForReceipts: ({ deliveryReport }) => deliveryReport,
  listens: true,
  listensOn: ({ inbound }) => (inbound.port === 0 ? null : inbound.port),
  simulated,
  simulator,
  open: () => import('./adapter.ts').then(({ adapter }) => adapter),
};
