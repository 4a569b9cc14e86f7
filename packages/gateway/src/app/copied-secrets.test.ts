/** A sealed secret that was copied from one record to another in the store: it is refused and named. */
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../test/props/chance.ts';
import { movedClock } from '../../../../test/props/clock.ts';
import { buildDirectory } from '../carriers/directory.ts';
import { machineRandom as random } from '../kernel/machine.ts';
import { createSealer, SealingRefused } from '../kernel/sealing.ts';
import { keyOf } from '../kernel/sealing-fixture.ts';
import { Secret } from '../kernel/secret.ts';
import type { User } from '../model/people.ts';
import { noRecords } from '../model/records.ts';
import { createAttempts } from '../subjects/people/attempts.ts';
import { createSecondFactor } from '../subjects/people/second-factor.ts';
import { applyFile } from '../subjects/records/apply.ts';
import { unsealedCarrier } from '../subjects/records/carrier-secrets.ts';
import { judgeCarrier } from '../subjects/records/form.ts';
import { recordsFile, smppOf } from '../subjects/records/records-fixture.ts';
import { createEndpointService } from '../subjects/webhooks/endpoints.ts';
import { openDestination } from '../subjects/webhooks/notify/destination.ts';
import { totpCodes } from './people.ts';
import { storeOnDisk, userWith } from './sealed-records-fixture.ts';

const sealer = createSealer(keyOf(1));
const refusal = (what: string) => `The secret ${what} does not open: it was sealed with another key or for another`;

describe('the passwords of two carriers, swapped', () => {
  async function swapped() {
    const store = await storeOnDisk();
    const carrier = (id: string, password: string) => ({ id, host: `${id}.example`, system_id: 'x', password });
    const file = recordsFile({ carriers: [carrier('east', 'pass-e'), carrier('west', 'pass-w')] });
    const apply = (more = {}) =>
      applyFile(file, { store, sealer, clock: movedClock(), random: steadyRandom(), env: {}, ...more });
    await apply();
    const { carriers } = await store.records();
    const [east, west] = ['east', 'west'].map((id) => carriers.find(({ carrierId }) => carrierId === id)!);
    const put = [
      { ...east!, smpp: { ...smppOf(east), password: smppOf(west).password } },
      { ...west!, smpp: { ...smppOf(west), password: smppOf(east).password } },
    ];
    await store.putRecords({ ...noRecords(), carriers: put as typeof carriers });
    return { store, apply, carriers: put as typeof carriers };
  }

  it('reach no carrier', async () => {
    const { carriers } = await swapped();
    for (const carrier of carriers) {
      const what = `smpp.password of carrier ${carrier.carrierId}`;
      expect(() => unsealedCarrier(carrier, sealer)).toThrow(refusal(what));
    }
  });

  it('end an apply that does not seal them anew', async () => {
    const { apply, store } = await swapped();
    await expect(apply()).rejects.toThrow(refusal('smpp.password of carrier east'));
    expect((await apply({ reseal: true })).lines).toEqual([
      '~ carrier east password changed',
      '~ carrier west password changed',
    ]);
    const passwords = (await store.records()).carriers.map((one) => smppOf(unsealedCarrier(one, sealer)).password);
    expect(passwords.toSorted()).toEqual(['pass-e', 'pass-w']);
  });

  it('must be written anew in the form of the portal', async () => {
    const { store } = await swapped();
    const onRecord = await store.records();
    expect(judgeCarrier({ id: 'east', window: 5 }, { onRecord, sealer })).toMatchObject({
      ok: false,
      fields: { password: 'Write the password that belongs to this name.' },
    });
    expect(judgeCarrier({ id: 'east', password: 'pass-e' }, { onRecord, sealer })).toMatchObject({ ok: true });
  });
});

it.each(['secrets', 'header'] as const)(
  'the %s of two webhook endpoints, swapped, sign and send nothing',
  async (field) => {
    const store = await storeOnDisk();
    let directory = buildDirectory(await store.records());
    let made = 0;
    const service = createEndpointService({
      store,
      sealer,
      clock: movedClock(),
      directory: () => directory,
      refreshDirectory: async () => {
        directory = buildDirectory(await store.records());
      },
      ids: { next: (prefix) => `${prefix}${++made}` },
      createSecret: () => new Secret(`whsec_${made}`),
      checkUrl: async () => ({ ok: true }),
      liveNeedsHttps: () => true,
      isUsableHeader: () => true,
    });
    const owner = { accountId: 'acc_one', environment: 'live' } as const;
    for (const value of ['one', 'two']) {
      await service.create(owner, { url: 'https://shop.example/hook', header: { name: 'X-Shop', value } });
    }
    const [one, two] = service.list(owner);
    await service.change(owner, two!.endpointId, { header: { name: 'X-Shop', value: 'three' } });
    await service.rotate(owner, two!.endpointId, 1);
    const openSecret = (...sealed: Parameters<typeof sealer.open>) => new Secret(sealer.open(...sealed));
    const second = service.get(owner, two!.endpointId)!;
    for (const endpoint of [one!, second]) expect(() => openDestination(endpoint, openSecret)).not.toThrow();
    const endpoints = [
      { ...one!, [field]: second[field] },
      { ...second, [field]: one![field] },
    ];
    await store.putRecords({ ...noRecords(), endpoints });
    for (const endpoint of (await store.records()).endpoints) {
      const what = `${field === 'header' ? 'header' : 'secret'} of endpoint ${endpoint.endpointId}`;
      expect(() => openDestination(endpoint, openSecret)).toThrow(refusal(what));
    }
  },
);

it('the second factors of two users, swapped, let nobody in', async () => {
  const store = await storeOnDisk();
  const clock = movedClock();
  const factor = createSecondFactor({
    clock,
    random,
    store,
    sealer,
    codes: totpCodes,
    attempts: createAttempts({ clock }),
  });
  const put = (user: User) => store.changePeople([{ rules: [], writes: [{ write: 'user', user }], audit: [] }]);
  const read = async (userId: string) => (await store.users({ userId }))[0]!;
  const code = (secret: string) =>
    new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: OtpSecret.fromBase32(secret) }).generate({
      timestamp: clock.now(),
    });
  const secrets: Record<string, string> = {};
  for (const userId of ['usr_ada', 'usr_eve']) {
    await put(userWith(userId, null));
    const session = { idHash: userId, sessionId: userId } as never;
    const person = { user: await read(userId), session, origin: { address: '', agent: '', requestId: null } };
    const { secret } = factor.begin(person);
    secrets[userId] = secret;
    expect(await factor.finish(person, code(secret))).toMatchObject({ kind: 'done' });
  }
  clock.set(clock.now() + 60_000);
  const [ada, eve] = [await read('usr_ada'), await read('usr_eve')];
  expect(factor.take(ada, code(secrets.usr_ada!))).toMatchObject({ with: 'totp' });
  await put({ ...ada, totp: eve.totp });
  await put({ ...eve, totp: ada.totp });
  const victim = await read('usr_ada');
  expect(() => factor.take(victim, code(secrets.usr_eve!))).toThrow(SealingRefused);
  expect(() => factor.take(victim, code(secrets.usr_eve!))).toThrow(refusal('totp of user usr_ada'));
});
