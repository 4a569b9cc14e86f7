/**
 * Secrets that an earlier version sealed without their record: they still open, and are sealed again for their record
 * when it is written.
 */
import { expect, it } from 'vitest';
import { withCarrierSecrets } from '../carriers/settings.ts';
import { type SealedPlace, totpPlace, webhookSecretPlace } from '../kernel/sealed-place.ts';
import { createSealer } from '../kernel/sealing.ts';
import { keyOf, sealedBefore } from '../kernel/sealing-fixture.ts';
import { noRecords } from '../model/records.ts';
import { withEndpointSecrets } from '../model/sealed-records.ts';
import { unsealedCarrier } from '../subjects/records/carrier-secrets.ts';
import { bindSecrets } from './bound-secrets.ts';
import { carriersWith, endpointWith, storeOnDisk, userWith } from './sealed-records-fixture.ts';
import type { Store } from './store.ts';

const sealer = createSealer(keyOf(1));
const open = (sealed: string, place: SealedPlace): string => sealer.open(sealed, place);
const before = {
  carriers: carriersWith(sealedBefore),
  endpoints: [endpointWith(sealedBefore)],
  user: userWith('usr_1', { secret: sealedBefore('totp'), lastStep: 0, since: 0 }),
};
const putUser = (user = before.user) => [{ rules: [], writes: [{ write: 'user' as const, user }], audit: [] }];

/** The data of the earlier version, and the store as the gateway opens it. */
async function upgraded() {
  const store = await storeOnDisk();
  await store.putRecords({ ...noRecords(), carriers: before.carriers, endpoints: before.endpoints });
  await store.changePeople(putUser());
  return { store, bound: bindSecrets(store, sealer) };
}

const byId = (a: { carrierId: string }, b: { carrierId: string }) => a.carrierId.localeCompare(b.carrierId);

async function opened(store: Store) {
  const { carriers, endpoints } = await store.records();
  const [user] = await store.users({ userId: 'usr_1' });
  return {
    carriers: carriers.map((carrier) => unsealedCarrier(carrier, sealer)).toSorted(byId),
    endpoints: endpoints.map((endpoint) => withEndpointSecrets(endpoint, open)),
    totp: open(user!.totp!.secret, totpPlace('usr_1')),
  };
}

/** The number of secrets sealed without their record, and for it. */
async function forms(store: Store): Promise<{ hs1: number; hs2: number }> {
  const text = JSON.stringify([await store.records(), await store.users({ userId: 'usr_1' })]);
  return { hs1: text.split('"hs1.').length - 1, hs2: text.split('"hs2.').length - 1 };
}

const plain = {
  carriers: carriersWith((text) => text).toSorted(byId),
  endpoints: [endpointWith((text) => text)],
  totp: 'totp',
};

it('open as they are, and reading writes nothing', async () => {
  const { store, bound } = await upgraded();
  expect(await opened(bound)).toEqual(plain);
  expect(await forms(store)).toEqual({ hs1: 9, hs2: 0 });
});

it('are sealed for their place when their record is written, and not before', async () => {
  const { store, bound } = await upgraded();
  const records = await bound.records();
  const [smsc] = records.carriers.filter(({ carrierId }) => carrierId === 'smsc');
  await bound.putRecords({ ...noRecords(), carriers: [{ ...smsc!, name: 'East' }] });
  expect(await forms(store)).toEqual({ hs1: 8, hs2: 1 });
  const edit = { version: records.version + 1, dropRoutes: [], audit: [] };
  await bound.editRecords({ ...edit, put: { endpoints: records.endpoints } });
  expect(await forms(store)).toEqual({ hs1: 5, hs2: 4 });
  await bound.editRecords({ ...edit, version: edit.version + 1, put: { carriers: records.carriers } });
  await bound.changePeople(putUser({ ...before.user, name: 'Ada' }));
  expect(await forms(store)).toEqual({ hs1: 0, hs2: 9 });
  expect(await opened(store)).toEqual(plain);
});

it('stay as they are when they do not open, and when they have a place already', async () => {
  const { store, bound } = await upgraded();
  const lost = carriersWith((text) => sealedBefore(text, keyOf(2)));
  const endpoints = [
    withEndpointSecrets(before.endpoints[0]!, (sealed, place) => sealer.seal(open(sealed, place), place)),
  ];
  await bound.putRecords({ ...noRecords(), carriers: lost, endpoints });
  const records = await store.records();
  expect(records.carriers.toSorted(byId)).toEqual(lost.toSorted(byId));
  expect(records.endpoints).toEqual(endpoints);
});

it('that have the place of another record are not sealed for this one', async () => {
  const { store, bound } = await upgraded();
  const foreign = sealer.seal('of another', webhookSecretPlace('ep_2'));
  const carriers = before.carriers.map((carrier) => withCarrierSecrets(carrier, () => foreign));
  await bound.putRecords({ ...noRecords(), carriers });
  expect((await store.records()).carriers.toSorted(byId)).toEqual(carriers.toSorted(byId));
});
