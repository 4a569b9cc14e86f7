/** The seeded sandbox: created at the first start, unchanged at the next, and a lost file costs only the old pair. */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { sandboxCarrierLogin } from '../../carriers/smpp/kind.ts';
import type { SmppCarrierRecord } from '../../carriers/smpp/profile.ts';
import { machineClock } from '../../kernel/machine.ts';
import { carrierSecretPlace } from '../../kernel/sealed-place.ts';
import { hashCredential, parseCredential } from '../../model/credential.ts';
import { type Endpoint, noRecords } from '../../model/records.ts';
import { applyFile } from './apply.ts';
import { crossCheck } from './cross-check.ts';
import { readFirstSteps } from './first-steps.ts';
import { inboxSecrets } from './inbox-endpoint.ts';
import { memoryRecords, newFolder, recordsFile, sealer, simulatorAt, smppOf } from './records-fixture.ts';
import { type SeedParts, seedRecords, seedSandbox, withoutSandbox } from './seed.ts';

function setUp() {
  const store = memoryRecords();
  const dataDir = newFolder();
  const clock = movedClock();
  const parts: SeedParts = {
    dataDir,
    sealer,
    random: steadyRandom(),
    clock,
    carriers: simulatorAt(2775),
    baseUrl: 'http://localhost:8088',
  };
  const seed = (more: Partial<SeedParts> = {}) => seedSandbox(store, { ...parts, ...more });
  return { store, clock, parts, seed, file: join(dataDir, 'first-steps.json') };
}

const place = carrierSecretPlace('sim-carrier', 'smpp.password');

describe('seedSandbox', () => {
  it('leaves a sandbox in which a text can be sent, and each refusal be seen', async () => {
    const { store, seed } = setUp();
    const steps = await seed();
    const records = store.now();
    expect(crossCheck(records)).toEqual([]);
    const directory = buildDirectory(records);
    const key = directory.keyByBearerHash(hashCredential(steps.bearerToken));
    expect(key).toMatchObject({ environment: 'sandbox', accountId: 'sandbox', revokedAt: null });
    expect(directory.keyByAuthHash(hashCredential(steps.authToken))).toBe(key);
    expect(parseCredential(steps.bearerToken)).toMatchObject({ environment: 'sandbox', kind: 'bearer' });
    const status = (number: string) => directory.campaign(directory.number(number)?.campaignId ?? '')?.status;
    expect(directory.number('12025550199')).toMatchObject({
      smsEnabled: true,
      mmsEnabled: true,
      campaignId: 'SBX-DEMO',
    });
    expect(status('12025550199')).toBe('approved');
    expect(directory.number('12025550198')?.smsEnabled).toBe(false);
    expect(directory.number('12025550197')).toMatchObject({ smsEnabled: true, campaignId: null });
    expect(status('12025550196')).toBe('suspended');
    const query = { environment: 'sandbox', from: steps.from, to: steps.handsets[0]!, kind: 'SMS', at: 0 } as const;
    expect(directory.carriersFor(query, 0)).toEqual(['sim-carrier']);
    const smpp = smppOf(directory.carrier('sim-carrier'));
    expect(smpp).toMatchObject({ host: '127.0.0.1', port: 2775, binds: 2, system_id: sandboxCarrierLogin.system_id });
    expect(sealer.open(smpp.password, place)).toBe(sandboxCarrierLogin.password);
  });

  it('writes the first steps for their owner alone', async () => {
    const { seed, file, parts } = setUp();
    const steps = await seed();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(steps);
    expect(readFirstSteps(parts.dataDir)).toEqual(steps);
    expect(steps).toMatchObject({
      baseUrl: 'http://localhost:8088',
      from: '12025550199',
      smpp: { host: '127.0.0.1', port: 2775 },
    });
    expect(steps.handsets).toHaveLength(10);
  });

  it('changes nothing at the next start but what has moved', async () => {
    const { store, seed, file } = setUp();
    const first = await seed();
    const before = store.now();
    chmodSync(file, 0o644);
    expect(await seed()).toEqual(first);
    expect(store.now()).toEqual(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const moved = await seed({ carriers: simulatorAt(40_000), baseUrl: 'http://localhost:1' });
    expect(moved).toEqual({ ...first, baseUrl: 'http://localhost:1', smpp: { host: '127.0.0.1', port: 40_000 } });
    expect(smppOf(store.now().carriers[0]).port).toBe(40_000);
    expect(store.now().apiKeys).toEqual(before.apiKeys);
  });

  it('keeps what the operator changed', async () => {
    const { store, seed, parts } = setUp();
    await seed();
    const numbers = [{ number: '12025550198', account: 'sandbox', environment: 'sandbox', smsEnabled: true }];
    await applyFile(recordsFile({ numbers }), { ...parts, store });
    await seed();
    expect(buildDirectory(store.now()).number('12025550198')?.smsEnabled).toBe(true);
  });

  it.each(['lost', 'damaged', 'foreign'])(
    'makes a new pair and revokes the old one when the file is %s',
    async (fate) => {
      const { store, seed, file, clock } = setUp();
      const old = await seed();
      if (fate === 'lost') rmSync(file);
      else writeFileSync(file, fate === 'damaged' ? '{"bearerTo' : JSON.stringify({ ...old, authToken: 'at_other' }));
      clock.set(clock.now() + 5_000);
      const steps = await seed();
      expect(steps.bearerToken).not.toBe(old.bearerToken);
      const directory = buildDirectory(store.now());
      expect(directory.keyByBearerHash(hashCredential(old.bearerToken))?.revokedAt).toBe(clock.now());
      expect(directory.keyByBearerHash(hashCredential(steps.bearerToken))?.revokedAt).toBeNull();
      expect(await seed()).toEqual(steps);
    },
  );

  it('makes a new pair when the old one was revoked or has expired', async () => {
    const { store, seed, clock } = setUp();
    const first = await seed();
    await store.putRecords({ ...store.now(), apiKeys: [{ ...store.now().apiKeys[0]!, revokedAt: clock.now() }] });
    const second = await seed();
    expect(second.bearerToken).not.toBe(first.bearerToken);
    const live = store.now().apiKeys.find((key) => key.revokedAt === null)!;
    await store.putRecords({ ...store.now(), apiKeys: [{ ...live, expiresAt: clock.now() }] });
    expect((await seed()).bearerToken).not.toBe(second.bearerToken);
  });

  it('leaves alone what a person made by rotating the seeded pair', async () => {
    const { store, seed } = setUp();
    await seed();
    const [seeded] = store.now().apiKeys;
    const rotated = { ...seeded!, keyId: 'key_rotated', bearerHash: 'b', authHash: 'a', createdBy: 'ada@example.com' };
    await store.putRecords({ ...store.now(), apiKeys: [rotated] });
    await seed();
    expect(store.now().apiKeys.find(({ keyId }) => keyId === 'key_rotated')?.revokedAt).toBeNull();
    expect(seeded!.bearerHint).toEqual({ prefix: expect.stringMatching(/^bt_sbx_/), last4: expect.any(String) });
  });

  it('does without a simulator password whose key is gone, but not without its folder', async () => {
    const { store, seed, parts } = setUp();
    await seed();
    const [carrier] = store.now().carriers;
    const smpp = { ...smppOf(carrier), password: 'hs1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' };
    await store.putRecords({ ...store.now(), carriers: [{ ...carrier, kind: 'smpp', smpp } as SmppCarrierRecord] });
    await seed();
    expect(sealer.open(smppOf(store.now().carriers[0]).password, place)).toBe(sandboxCarrierLogin.password);
    await expect(seed({ dataDir: join(parts.dataDir, 'missing') })).rejects.toThrow('ENOENT');
    mkdirSync(join(parts.dataDir, 'folder', 'first-steps.json'), { recursive: true });
    await expect(seed({ dataDir: join(parts.dataDir, 'folder') })).rejects.toThrow('EISDIR');
  });

  it('works on the real store and survives its restart', async () => {
    const { parts } = setUp();
    const options = { dataDir: parts.dataDir, role: 'node', clock: machineClock } as const;
    const one = await openStore(options);
    const first = await seedSandbox(one, parts);
    await one.close();
    const two = await openStore(options);
    try {
      const version = await two.recordsVersion();
      expect(await seedSandbox(two, parts)).toEqual(first);
      expect(await two.recordsVersion()).toBe(version);
    } finally {
      await two.close();
    }
  });
});

describe('the endpoint of the webhook inbox', () => {
  const inboxUrl = 'http://127.0.0.1:4711/inbox';
  const endpointOf = (store: ReturnType<typeof setUp>['store']) => store.now().endpoints[0]!;

  it('is seeded with a secret of its own, sealed', async () => {
    const { store, seed, clock } = setUp();
    await seed({ inboxUrl });
    const { secrets, ...endpoint } = endpointOf(store);
    expect(endpoint).toMatchObject({
      endpointId: 'ep_sandbox_inbox',
      accountId: 'sandbox',
      environment: 'sandbox',
      name: 'Webhook inbox',
      url: inboxUrl,
      types: null,
      format: 'standard',
      createdAt: clock.now(),
      disabled: null,
    });
    expect(secrets).toHaveLength(1);
    expect(secrets[0]!.secret).not.toContain('whsec_');
    expect(inboxSecrets(store.now(), sealer, clock.now())).toEqual([
      { secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/), expiresAt: null },
    ]);
    expect(crossCheck(store.now())).toEqual([]);
  });

  it('changes nothing at the next start but its address', async () => {
    const { store, seed, clock } = setUp();
    await seed({ inboxUrl });
    const first = store.now();
    clock.set(clock.now() + 5_000);
    await seed({ inboxUrl });
    expect(store.now()).toEqual(first);
    await seed({ inboxUrl: 'http://127.0.0.1:1/inbox' });
    expect(endpointOf(store)).toEqual({ ...first.endpoints[0], url: 'http://127.0.0.1:1/inbox' });
  });

  it('is enabled again after failures, but not after a person', async () => {
    const { store, seed } = setUp();
    await seed({ inboxUrl });
    const change = async (more: Partial<Endpoint>) => {
      await store.putRecords({ ...noRecords(), endpoints: [{ ...endpointOf(store), ...more }] });
      await seed({ inboxUrl });
      return endpointOf(store);
    };
    expect(await change({ disabled: { at: 1, why: 'failing' } })).toMatchObject({ disabled: null });
    expect(await change({ disabled: { at: 1, why: 'gone' } })).toMatchObject({ disabled: null });
    const byHand = { at: 1, why: 'by hand' } as const;
    expect(await change({ disabled: byHand, types: ['message.received'] })).toMatchObject({
      disabled: byHand,
      types: ['message.received'],
    });
    expect(await change({ deletedAt: 7, url: '' })).toMatchObject({ deletedAt: 7, url: '' });
  });

  it('gets a new secret when the old one cannot be read or runs out, and forgets none in force', async () => {
    const { store, seed, clock } = setUp();
    await seed({ inboxUrl });
    const [old] = endpointOf(store).secrets;
    const [plain] = inboxSecrets(store.now(), sealer, clock.now());
    const put = async (secrets: Endpoint['secrets']) => {
      await store.putRecords({ ...noRecords(), endpoints: [{ ...endpointOf(store), secrets }] });
      await seed({ inboxUrl });
      return inboxSecrets(store.now(), sealer, clock.now());
    };
    const gone = await put([{ secret: 'hs1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', expiresAt: null }]);
    expect(gone).toHaveLength(1);
    expect(gone[0]!.secret).not.toBe(plain!.secret);
    const rotating = await put([{ ...old!, expiresAt: clock.now() + 1 }]);
    expect(rotating).toHaveLength(2);
    expect(rotating[1]).toEqual({ ...plain, expiresAt: clock.now() + 1 });
    clock.set(clock.now() + 1);
    expect(inboxSecrets(store.now(), sealer, clock.now())).toEqual([rotating[0]]);
  });

  it('is not seeded without an inbox, and has no secrets then', async () => {
    const { store, seed, clock } = setUp();
    await seed();
    expect(store.now().endpoints).toEqual([]);
    expect(inboxSecrets(store.now(), sealer, clock.now())).toEqual([]);
  });
});

describe('beside the seeding', () => {
  it('lets a records file name the company before anything listens', async () => {
    const { store, parts, seed } = setUp();
    await seedRecords(store);
    const numbers = [{ number: '12025550194', account: 'sandbox', environment: 'sandbox', campaign: 'SBX-DEMO' }];
    const { lines } = await applyFile(recordsFile({ numbers }), { ...parts, store });
    expect(lines).toEqual(['+ number 12025550194']);
    await seed();
    expect(store.now().routes).toHaveLength(2);
    expect(store.now().numbers).toHaveLength(6);
  });

  it('leaves no way into a sandbox that is off', async () => {
    const { store, seed, parts } = setUp();
    const steps = await seed({ inboxUrl: 'http://127.0.0.1:4711/inbox' });
    const live = { accounts: [{ id: 'A', name: 'A' }], numbers: [{ number: '12025550111', account: 'A' }] };
    await applyFile(recordsFile(live), { ...parts, store });
    const view = withoutSandbox(store.now());
    expect(buildDirectory(view).keyByBearerHash(hashCredential(steps.bearerToken))).toBeUndefined();
    expect(view).toMatchObject({
      version: store.now().version,
      apiKeys: [],
      campaigns: [],
      carriers: [],
      routes: [],
      brands: [],
      endpoints: [],
    });
    expect(view.numbers.map((number) => number.number)).toEqual(['12025550111']);
  });
});
