/** An entry owns the fields that it names: the rest stays as set in the portal, and removals need a confirmation. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import type { Mm7CarrierRecord } from '../../carriers/mm7/profile.ts';
import type { SmppCarrierRecord } from '../../carriers/smpp/profile.ts';
import { testCertificate as certificate, otherCertificate, testKey as privateKey } from '../../http/tls-fixture.ts';
import { carrierSecretPlace } from '../../kernel/sealed-place.ts';
import { type Account, noRecords } from '../../model/records.ts';
import { type ApplyParts, applyFile, ConfirmationNeeded } from './apply.ts';
import { unsealedCarrier } from './carrier-secrets.ts';
import type { RecordLists } from './kinds.ts';
import { memoryRecords, newFolder, recordsFile, sealer } from './records-fixture.ts';

const rate = { from: '2026-01-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' };
const later = { ...rate, from: '2027-01-01' };

/** Names only the required fields. */
const bare = {
  accounts: [
    { id: 'A1', name: 'Acme' },
    { id: 'A2', name: 'Other' },
  ],
  campaigns: [{ id: 'C1', account: 'A1', status: 'approved' }],
  numbers: [{ number: '12025550111', account: 'A1' }],
  keys: [{ id: 'K1', account: 'A1', generate: true }],
  carriers: [
    { id: 'smsc', host: 'smsc.example', system_id: 'x', password: 'one' },
    { id: 'mmsc', kind: 'mm7', url: 'https://mmsc.example/mm7', username: 'us', password: 'two' },
  ],
  routes: [{ id: 'all', carriers: ['smsc'] }],
};

async function setUp() {
  const store = memoryRecords();
  const clock = movedClock();
  const parts = { store, sealer, clock, random: steadyRandom(), env: { PW: 'three' } };
  const apply = (content: unknown, more: Partial<ApplyParts> = {}) =>
    applyFile(recordsFile(content), { ...parts, ...more });
  await apply(bare);
  const put = (change: (records: RecordLists) => Partial<RecordLists>) =>
    store.putRecords({ ...noRecords(), ...change(store.now()) });
  return { store, clock, apply, put };
}

/** Settings that the portal can make on the records of `bare`. */
async function setInPortal({ put }: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  await put(({ accounts, campaigns, numbers, apiKeys, carriers, routes }) => ({
    accounts: [
      {
        ...(accounts[0] as Account),
        destinations: ['US', 'CA', 'DE'],
        uncertainPolicy: 'hold',
        smartEncoding: true,
        requestsPerSecond: 5,
        rates: [rate, later],
        supportContact: 'help@acme.example',
        timeZone: 'Europe/Berlin',
        quietHours: { from: '21:00', to: '08:00' },
      },
    ],
    campaigns: [{ ...campaigns[0]!, name: 'Orders', helpText: 'Acme: for help contact help@acme.example.' }],
    numbers: [{ ...numbers[0]!, campaignId: 'C1', mmsEnabled: false, messagesPerSecond: 3, name: 'Shop' }],
    apiKeys: [
      {
        ...apiKeys[0]!,
        scopes: ['send'],
        allowedIps: ['192.0.2.0/24'],
        dailyCap: 9,
        expiresAt: 2_000_000_000_000,
        countsWith: 'K0',
      },
    ],
    carriers: carriers.map((carrier) =>
      carrier.kind === 'mm7'
        ? {
            ...carrier,
            mm7: {
              ...(carrier as Mm7CarrierRecord).mm7,
              caCertificate: certificate.trim(),
              clientCertificate: certificate.trim(),
              clientKey: sealer.seal(privateKey.trim(), carrierSecretPlace(carrier.carrierId, 'mm7.clientKey')),
              inbound: {
                ...(carrier as Mm7CarrierRecord).mm7.inbound,
                username: 'them',
                password: sealer.seal('in', carrierSecretPlace(carrier.carrierId, 'mm7.inbound.password')),
                addresses: ['192.0.2.7'],
              },
            },
          }
        : carrier.kind === 'smpp'
          ? {
              ...carrier,
              name: 'East',
              smpp: { ...(carrier as SmppCarrierRecord).smpp, binds: 4, longMessage: 'sar' as const },
            }
          : carrier,
    ),
    routes: [{ ...routes[0]!, prefix: '1', weight: 7, hours: { days: ['mon'], from: '08:00', to: '20:00' } }],
  }));
}

describe('a field that an entry does not name', () => {
  it('stays as the portal set it, of every kind of record', async () => {
    const world = await setUp();
    await setInPortal(world);
    const before = world.store.now();
    expect((await world.apply(bare)).lines).toEqual([]);
    expect(world.store.now()).toEqual(before);
  });

  it('stays too when the entry changes another one', async () => {
    const world = await setUp();
    await setInPortal(world);
    const { lines } = await world.apply({
      accounts: [{ id: 'A1', supportContact: 'call us' }],
      numbers: [{ number: '12025550111', messagesPerSecond: 4 }],
      keys: [{ id: 'K1', burst: 7 }],
      carriers: [
        { id: 'smsc', window: 11 },
        { id: 'mmsc', inbound: { addresses: ['192.0.2.7', '192.0.2.8'] } },
      ],
      routes: [{ id: 'all', priority: 1 }],
    });
    expect(lines).toEqual([
      '~ account A1 supportContact: help@acme.example → call us',
      '~ number 12025550111 messagesPerSecond: 3 → 4',
      '~ key K1 burst: 100 → 7',
      '~ carrier smsc window: 10 → 11',
      '~ carrier mmsc inbound.addresses: [192.0.2.7] → [192.0.2.7, 192.0.2.8]',
      '~ route all priority: 100 → 1',
    ]);
    const mm7 = unsealedCarrier(world.store.now().carriers[1]!, sealer) as Mm7CarrierRecord;
    expect(mm7.mm7).toMatchObject({ password: 'two', clientKey: privateKey.trim(), inbound: { password: 'in' } });
  });

  it('stays when the portal sets it in the very moment in which the file is applied', async () => {
    const { store, put } = await setUp();
    let times = 0;
    const busy = (often: number) => ({
      ...store,
      records: async () => {
        const read = await store.records();
        if (times++ < often) {
          await put(({ accounts }) => ({ accounts: [{ ...accounts[0]!, supportContact: `call ${times}` }] }));
        }
        return read;
      },
    });
    const file = recordsFile({ accounts: [{ id: 'A1', name: 'Acme Ltd' }] });
    const parts = { sealer, clock: movedClock(), random: steadyRandom(), env: {} };
    await applyFile(file, { ...parts, store: busy(2) });
    expect(store.now().accounts[0]).toMatchObject({ name: 'Acme Ltd', supportContact: 'call 2' });
    times = 0;
    const again = recordsFile({ accounts: [{ id: 'A1', name: 'Acme Inc' }] });
    await expect(applyFile(again, { ...parts, store: busy(99) })).rejects.toThrow('the records change all the time');
    expect(store.now().accounts[0]).toMatchObject({ name: 'Acme Ltd' });
  });

  it('is still required in an entry that is not on record yet', async () => {
    const { apply } = await setUp();
    await expect(apply({ accounts: [{ id: 'A3' }] })).rejects.toThrow('accounts[0] (A3): "name" is missing');
    await expect(apply({ carriers: [{ id: 'new' }] })).rejects.toThrow('carriers[0] (new): "host" is missing');
  });

  it('takes its default again by null, and a field without one does not', async () => {
    const world = await setUp();
    await setInPortal(world);
    const { lines } = await world.apply(
      {
        accounts: [{ id: 'A1', destinations: null, smartEncoding: null, timeZone: null }],
        carriers: [
          { id: 'smsc', binds: null, passwordEnv: 'PW' },
          { id: 'mmsc', username: null, clientCertificateFile: null, caCertificateFile: null, inbound: null },
        ],
        routes: [{ id: 'all', hours: null, weight: null }],
      },
      { confirmed: true },
    );
    expect(lines).toEqual([
      '- account A1 destinations: [US, CA, DE] → [US, CA], timeZone: Europe/Berlin → none',
      '~ account A1 smartEncoding: true → false',
      '~ carrier smsc binds: 4 → 1, password changed',
      expect.stringMatching(
        /^- carrier mmsc (?=.*caCertificate changed)(?=.*clientCertificate changed)(?=.*clientKey changed)(?=.*username: us → "")(?=.*inbound.username: them → "")(?=.*inbound.addresses: \[192.0.2.7\] → \[\])/,
      ),
      '- route all hours: {"days":["mon"],"from":"08:00","to":"20:00"} → none',
      '~ route all weight: 7 → 1',
    ]);
    await expect(world.apply({ accounts: [{ id: 'A1', name: null }] })).rejects.toThrow('name is null; allowed');
    await expect(world.apply({ numbers: [{ number: '12025550111', account: null }] })).rejects.toThrow(
      'account is null',
    );
  });

  it('is reported in words where it contradicts the named fields', async () => {
    const world = await setUp();
    await setInPortal(world);
    const folder = newFolder();
    writeFileSync(join(folder, 'other.pem'), otherCertificate);
    const file = recordsFile({ carriers: [{ id: 'mmsc', clientCertificateFile: 'other.pem' }] }, folder);
    const parts = { store: world.store, sealer, clock: movedClock(), random: steadyRandom(), env: {} };
    await expect(applyFile(file, parts)).rejects.toThrow(
      /carrier mmsc: clientKeyFile: the one on record is not the key of that certificate$/,
    );
  });

  it('grows with what it bounds: countries that a file allows are allowed', async () => {
    const world = await setUp();
    await world.apply({ accounts: [{ id: 'A1', destinationsMax: ['US', 'CA'] }] });
    await world.apply({ accounts: [{ id: 'A1', destinations: ['US', 'CA', 'DE'] }] });
    expect(world.store.now().accounts[0]).toMatchObject({ destinationsMax: ['US', 'CA', 'DE'] });
    await expect(world.apply({ accounts: [{ id: 'A1', destinationsMax: ['US'] }] })).rejects.toThrow(
      'its destinations have CA, DE; allowed by destinationsMax: US',
    );
  });

  it('goes with what it belongs to: MMS with SMS', async () => {
    const world = await setUp();
    await setInPortal(world);
    const number = (smsEnabled: boolean) => ({ numbers: [{ number: '12025550111', smsEnabled }] });
    await world.apply(number(false), { confirmed: true });
    expect(world.store.now().numbers[0]).toMatchObject({ smsEnabled: false, mmsEnabled: false });
    await world.apply(number(true));
    expect(world.store.now().numbers[0]).toMatchObject({ smsEnabled: true, mmsEnabled: true });
  });
});

describe('what takes something away', () => {
  const cases: [string, object, string][] = [
    ['a price', { accounts: [{ id: 'A1', rates: [later] }] }, '- account A1 rates: '],
    ['all prices', { accounts: [{ id: 'A1', rates: [] }] }, '- account A1 rates: '],
    [
      'a company that may send',
      { accounts: [{ id: 'A1', status: 'suspended' }] },
      '- account A1 status: active → suspended',
    ],
    ['a country', { accounts: [{ id: 'A1', destinations: ['US'] }] }, '- account A1 destinations: [US, CA, DE] → [US]'],
    [
      'a campaign of a number',
      { numbers: [{ number: '12025550111', campaign: null }] },
      '- number 12025550111 campaign: C1 → none',
    ],
    [
      'a number of a company',
      { numbers: [{ number: '12025550111', account: 'A2', campaign: null }] },
      '- number 12025550111 account: A1 → A2, campaign: C1 → none',
    ],
    [
      'SMS of a number',
      { numbers: [{ number: '12025550111', smsEnabled: false }] },
      '- number 12025550111 smsEnabled: true → false',
    ],
    ['an approval', { campaigns: [{ id: 'C1', status: 'expired' }] }, '- campaign C1 status: approved → expired'],
    ['a key pair', { keys: [{ id: 'K1', revoked: true }] }, '- key K1 revoked: false → true'],
    [
      'tokens in use',
      { keys: [{ id: 'K1', bearerToken: 'another-bearer-token-of-it', authToken: 'another-auth-token-of-it' }] },
      '- key K1 Bearer Token changed, Auth Token changed',
    ],
    ['a carrier', { carriers: [{ id: 'smsc', enabled: false }] }, '- carrier smsc enabled: true → false'],
    [
      'a carrier of a route',
      {
        routes: [{ id: 'all', carriers: ['other'] }],
        carriers: [{ id: 'other', host: 'o.example', system_id: 'x', password: 'one' }],
      },
      '- route all carriers: [smsc] → [other]',
    ],
  ];

  it.each(cases)('is refused without a confirmation: %s', async (_, content, expected) => {
    const world = await setUp();
    await setInPortal(world);
    const before = world.store.now();
    const error: unknown = await world.apply(content).catch((thrown: unknown) => thrown);
    if (!(error instanceof ConfirmationNeeded)) throw new Error(`not refused: ${error}`);
    expect(error.report.unconfirmed.lines.join('\n')).toContain(expected);
    expect(error.message).toContain(expected);
    expect(world.store.now()).toEqual(before);
    expect((await world.apply(content, { dryRun: true })).unconfirmed?.code).toBe(error.report.unconfirmed.code);

    await world.apply(content, { confirmed: true });
    expect((await world.apply(content)).lines).toEqual([]);
  });

  it('is confirmed in the file for exactly these changes', async () => {
    const world = await setUp();
    await setInPortal(world);
    const content = { numbers: [{ number: '12025550111', campaign: null }] };
    const { unconfirmed } = await world.apply(content, { dryRun: true });
    const confirm = unconfirmed!.code;
    await expect(world.apply({ ...content, confirm: '0123456789ab' })).rejects.toThrow(ConfirmationNeeded);
    await expect(world.apply({ ...content, accounts: [{ id: 'A1', rates: [] }], confirm })).rejects.toThrow(
      ConfirmationNeeded,
    );
    expect((await world.apply({ ...content, confirm })).lines).toHaveLength(1);
    expect((await world.apply({ ...content, confirm })).lines).toEqual([]);
    await expect(world.apply({ accounts: [{ id: 'A1', rates: [] }], confirm })).rejects.toThrow(ConfirmationNeeded);
    await expect(world.apply({ confirm: true })).rejects.toThrow('confirm is true; allowed: the code that helio apply');
  });

  it('is confirmed in the file whenever it is applied', async () => {
    const world = await setUp();
    const content = { keys: [{ id: 'K1', revoked: true }] };
    const { unconfirmed, changes } = await world.apply(content, { dryRun: true });
    expect(changes[0]!.fields).toMatchObject([{ word: 'revoked', before: false, after: true }]);
    world.clock.set(world.clock.now() + 60_000);
    expect((await world.apply({ ...content, confirm: unconfirmed!.code })).lines).toEqual([
      '- key K1 revoked: false → true',
    ]);
  });

  it('is confirmed in the file for these tokens and no others', async () => {
    const world = await setUp();
    const withTokens = (which: string) => ({
      keys: [{ id: 'K1', bearerToken: `${which}-bearer-token-of-it`, authToken: `${which}-auth-token-of-it` }],
    });
    const { unconfirmed } = await world.apply(withTokens('second'), { dryRun: true });
    const confirm = unconfirmed!.code;
    await expect(world.apply({ ...withTokens('third'), confirm })).rejects.toThrow(ConfirmationNeeded);
    expect((await world.apply({ ...withTokens('second'), confirm })).lines).toHaveLength(1);
  });

  it('never needs one for something new, a change of value, or what was not there', async () => {
    const { apply } = await setUp();
    await apply({
      accounts: [{ id: 'A1', name: 'Acme Ltd', rates: [rate] }],
      numbers: [{ number: '12025550111', campaign: 'C1' }],
      routes: [{ id: 'all', carriers: ['smsc'], prefix: '1202' }],
    });
    const { lines } = await apply({ accounts: [{ id: 'A1', rates: [{ ...rate, smsPerSegment: '0.01' }] }] });
    expect(lines).toEqual([expect.stringMatching(/^~ account A1 rates: /)]);
  });
});

describe('a start with a records file', () => {
  it('leaves out the entries that take something away, applies the others, and says so', async () => {
    const world = await setUp();
    await setInPortal(world);
    const { lines, unconfirmed } = await world.apply(
      {
        accounts: [
          { id: 'A1', name: 'Acme Ltd', rates: [] },
          { id: 'A2', name: 'Other Ltd' },
        ],
        numbers: [{ number: '12025550112', account: 'A1' }],
      },
      { leaveOut: true },
    );
    expect(lines).toEqual(['~ account A2 name: Other → Other Ltd', '+ number 12025550112']);
    expect(unconfirmed?.leftOut).toEqual([
      expect.stringMatching(/^- account A1 rates: /),
      '~ account A1 name: Acme → Acme Ltd',
    ]);
    expect(world.store.now().accounts[0]).toMatchObject({ name: 'Acme', rates: [rate, later] });
    expect(world.store.now().accounts[1]).toMatchObject({ name: 'Other Ltd' });
  });

  it('leaves all out where the others need what was left out', async () => {
    const world = await setUp();
    await setInPortal(world);
    const before = world.store.now();
    const { lines, generated, unconfirmed } = await world.apply(
      {
        numbers: [{ number: '12025550111', account: 'A2', campaign: null }],
        keys: [{ id: 'K2', account: 'A2', generate: true, numbers: ['12025550111'] }],
      },
      { leaveOut: true },
    );
    expect({ lines, generated }).toEqual({ lines: [], generated: [] });
    expect(unconfirmed?.leftOut).toHaveLength(2);
    expect(world.store.now()).toEqual(before);
  });
});
