import '../../language/english';

import { describe, expect, it } from 'vitest';
import type { CarrierKindShown, CarrierShown, KindSetting } from '../../api/routes/carriers';
import { applies, entriesOf, groupsOf, recordOf } from './carrier-settings';
import { lastSign, stateOf } from './carriers';

const live: NonNullable<CarrierShown['live']> = {
  tries: 0,
  refused: 0,
  throttled: 0,
  silentSince: null,
  status: { carrierId: 'car_a', up: true, binds: [], certificate: null, refusedCertificate: null },
  since: '',
  detail: 'bound',
  inFlight: 0,
  outPerSecond: 0,
  inPerSecond: 0,
  outHistory: [],
  accepted: 0,
  receipts: 0,
  reported: null,
  responseP95Ms: null,
};

const carrier: CarrierShown = {
  carrierId: 'mmsc',
  name: 'MMSC',
  kind: 'mm7',
  kindTitle: 'MM7',
  takes: ['MMS'],
  environment: 'live',
  enabled: true,
  isSimulated: false,
  settings: {
    url: 'https://a.example',
    window: 20,
    deliveryReport: true,
    inbound: { username: '', addresses: ['192.0.2.1'] },
  },
  secrets: { password: true },
  version: 'v',
  paused: false,
  live,
  queue: { waiting: 0, oldestAt: null },
  limit: '',
  usesTls: true,
  asksForReceipts: true,
  canRetry: false,
  node: null,
  log: null,
};

function field(name: string, type: KindSetting['type'], more: Partial<KindSetting> = {}): KindSetting {
  return {
    name,
    type,
    group: 'connection',
    secret: type === 'password',
    required: false,
    default: null,
    unit: null,
    min: null,
    max: null,
    choices: null,
    allowed: null,
    needs: null,
    description: null,
    ...more,
  };
}

const smpp: CarrierKindShown = {
  name: 'smpp',
  title: 'SMPP 3.4',
  carries: 'texts',
  takes: ['SMS'],
  fields: [
    ...[field('host', 'text', { required: true }), field('port', 'number', { default: 2_775 })],
    ...[field('password', 'password'), field('registered_delivery', 'flag', { default: true })],
    ...[field('acceptedIsFinal', 'flag', { default: false }), field('tls', 'flag', { group: 'tls', default: false })],
    field('tlsVerify', 'flag', { group: 'tls', default: true, needs: { setting: 'tls', is: [true] } }),
  ],
};

const mm7: CarrierKindShown = {
  name: 'mm7',
  title: 'MM7',
  carries: 'MMS over HTTP',
  takes: ['MMS'],
  fields: [
    ...[field('url', 'text'), field('password', 'password'), field('vasId', 'text', { default: '' })],
    ...[field('window', 'number', { default: 20 }), field('deliveryReport', 'flag', { default: true })],
    ...[field('inbound.username', 'text'), field('inbound.addresses', 'list', { default: [] })],
  ],
};

describe('the form of a carrier', () => {
  it('sends of a new one what was filled in', () => {
    const entries = { ...entriesOf(smpp, null), id: 'telco', host: ' smpp.example ', port: '2776', password: ' p ' };
    expect(recordOf(smpp, entries, null)).toEqual({
      kind: 'smpp',
      id: 'telco',
      enabled: true,
      host: 'smpp.example',
      port: 2776,
      password: ' p ',
      registered_delivery: true,
      acceptedIsFinal: false,
      tls: false,
      tlsVerify: true,
    });
  });

  it('sends of one on record what differs, inner fields in their place', () => {
    const before = entriesOf(mm7, carrier);
    expect(before).toMatchObject({ id: 'mmsc', password: '', 'inbound.addresses': '192.0.2.1', window: '20' });
    expect(recordOf(mm7, before, before)).toEqual({ kind: 'mm7', id: 'mmsc' });
    const after = { ...before, window: 'many', deliveryReport: false, 'inbound.addresses': '192.0.2.1, 192.0.2.2\n' };
    expect(recordOf(mm7, after, before)).toEqual({
      kind: 'mm7',
      id: 'mmsc',
      window: 'many',
      deliveryReport: false,
      inbound: { addresses: ['192.0.2.1', '192.0.2.2'] },
    });
  });

  it('lets a field be emptied', () => {
    const before = entriesOf(mm7, { ...carrier, settings: { ...carrier.settings, vasId: 'x' } });
    expect(recordOf(mm7, { ...before, vasId: '', 'inbound.addresses': '' }, before)).toMatchObject({
      vasId: '',
      inbound: { addresses: [] },
    });
  });
});

describe('the settings of a kind', () => {
  it('stand in the groups and the order of the gateway', () => {
    const names = groupsOf(smpp).map(([group, fields]) => [group, fields.length]);
    expect(names).toEqual([
      ['connection', 5],
      ['tls', 2],
    ]);
  });

  it('count only where the setting that they need is so', () => {
    const verify = smpp.fields.find(({ name }) => name === 'tlsVerify')!;
    expect(applies(verify, entriesOf(smpp, null))).toBe(false);
    expect(applies(verify, { ...entriesOf(smpp, null), tls: true })).toBe(true);
    expect(applies(smpp.fields[0]!, {})).toBe(true);
  });

  it('begin with their defaults where a field always shows a value, and a required choice with its first', () => {
    const choices = ['one', 'two'];
    const form = (more: Partial<KindSetting>) => ({ ...smpp, fields: [field('way', 'choice', { choices, ...more })] });
    expect(entriesOf(form({ default: 'two' }), null).way).toBe('two');
    expect(recordOf(form({}), entriesOf(form({}), null), null)).toMatchObject({ way: 'one' });
    expect(entriesOf(smpp, null)).toMatchObject({ port: '', registered_delivery: true });
  });
});

describe('the last sign of life', () => {
  it('is the enquire_link where nothing else came since, else what came', () => {
    const at = (second: number) => new Date(second * 1_000).toISOString();
    expect(lastSign([])).toBeNull();
    expect(lastSign([{ heardAt: at(9), enquireLinkAt: null }])).toEqual({ at: at(9), isLink: false });
    const quiet = { heardAt: at(5), enquireLinkAt: at(5) };
    expect(lastSign([{ heardAt: at(2), enquireLinkAt: at(1) }, quiet])).toEqual({ at: at(5), isLink: true });
    expect(lastSign([{ ...quiet, heardAt: at(8) }])).toEqual({ at: at(8), isLink: false });
  });
});

describe('the state of a carrier', () => {
  it('is one word', () => {
    const down = {
      ...live,
      status: { ...live.status, up: false, binds: [], certificate: null, refusedCertificate: null },
    };
    expect(stateOf(carrier)).toBe('up');
    expect(stateOf({ ...carrier, paused: true })).toBe('paused');
    expect(stateOf({ ...carrier, paused: true, live: down })).toBe('down');
    expect(stateOf({ ...carrier, live: { ...down, detail: null } })).toBe('connecting');
    expect(stateOf({ ...carrier, live: null })).toBe('connecting');
    expect(stateOf({ ...carrier, enabled: false, live: null })).toBe('disabled');
  });
});
