/** A new secret key: afterwards it opens every sealed secret, regardless of where the rotation was interrupted. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { machineClock as clock, machineRandom as random } from '../kernel/machine.ts';
import { createPrivateFile } from '../kernel/private-file.ts';
import { carrierSecretPlace, totpPlace, webhookSecretPlace } from '../kernel/sealed-place.ts';
import { createSealer, loadSecretKey, newKeyText, readKey, type Sealer, SealingRefused } from '../kernel/sealing.ts';
import { sealedBefore } from '../kernel/sealing-fixture.ts';
import type { RotationParts } from './key-rotation.ts';
import { rotateKey } from './key-rotation.ts';

let dataDir: string;
let keyFile: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heliograph-rotate-'));
  keyFile = join(dataDir, 'secret.key');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const sealer = () => createSealer(loadSecretKey({ dataDir, keyFile: null, random }));

const places = [carrierSecretPlace('c1', 'smpp.password'), webhookSecretPlace('e1'), totpPlace('u1')] as const;

/** A store in memory that fails at the given write. */
function memory(own: Sealer, failsAt = Number.POSITIVE_INFINITY) {
  let writes = 0;
  const state = {
    carriers: [
      { carrierId: 'c1', kind: 'smpp', smpp: { password: own.seal('carrier', places[0]) } },
      { carrierId: 'c2', kind: 'smpp', smpp: { password: '' } },
    ],
    endpoints: [
      { endpointId: 'e1', url: 'https://hs1.example', secrets: [{ secret: own.seal('endpoint', places[1]) }] },
    ],
    users: [
      { userId: 'u1', version: 1, totp: { secret: own.seal('totp', places[2]), lastStep: 1 } },
      { userId: 'u2', version: 1, totp: null },
    ],
  };
  const write = () => {
    writes += 1;
    if (writes === failsAt) throw new Error('killed');
  };
  const store = {
    records: async () => ({ version: 1, accounts: [{ accountId: 'a1' }], ...state }),
    async editRecords({ put }: { put: Partial<typeof state> }) {
      write();
      Object.assign(state, put);
      return 2;
    },
    users: async (query: object) => ('accountId' in query ? state.users : []),
    async changePeople([{ writes }]: [{ writes: { user: { userId: string } }[] }]) {
      write();
      state.users = state.users.map((user) =>
        user.userId === writes[0]!.user.userId ? (writes[0]!.user as never) : user,
      );
      return [null];
    },
  } as unknown as RotationParts['store'];
  const plain = (by: Sealer) => [
    by.open(state.carriers[0]!.smpp.password, places[0]),
    by.open(state.endpoints[0]!.secrets[0]!.secret, places[1]),
    by.open(state.users[0]!.totp!.secret, places[2]),
  ];
  return { store, plain, state, healthy: () => (failsAt = Number.POSITIVE_INFINITY) };
}

const secrets = ['carrier', 'endpoint', 'totp'];

it('seals everything anew, and keeps the old key for backups', async () => {
  const before = sealer();
  const oldKey = readFileSync(keyFile, 'utf8');
  const { store, plain, state } = memory(before);
  const done = await rotateKey({ store, keyFile, random, clock });
  expect(done).toMatchObject({ resealed: 3, lost: 0, keyFile });
  expect(readFileSync(done.oldKeyFile, 'utf8')).toBe(oldKey);
  expect(readFileSync(keyFile, 'utf8')).not.toBe(oldKey);
  expect(plain(sealer())).toEqual(secrets);
  expect(() => before.open(state.carriers[0]!.smpp.password, places[0])).toThrow(SealingRefused);
  expect(state.endpoints[0]!.url).toBe('https://hs1.example');
  expect(readdirSync(dataDir)).toHaveLength(2);
});

it.each([1, 2])('that is killed at write %i refuses a start, and goes on when it is begun anew', async (failsAt) => {
  const { store, plain, healthy } = memory(sealer(), failsAt);
  await expect(rotateKey({ store, keyFile, random, clock })).rejects.toThrow('killed');
  expect(existsSync(`${keyFile}.new`)).toBe(true);
  expect(sealer).toThrow(/npx helio rotate-key/);
  healthy();
  await rotateKey({ store, keyFile, random, clock });
  expect(plain(sealer())).toEqual(secrets);
});

it('leaves what opens with neither key, and says how many', async () => {
  const { store, state } = memory(sealer());
  const lost = `${state.carriers[0]!.smpp.password.slice(0, -4)}AAAA`;
  state.carriers[0]!.smpp.password = lost;
  expect(await rotateKey({ store, keyFile, random, clock })).toMatchObject({ resealed: 2, lost: 1 });
  expect(state.carriers[0]!.smpp.password).toBe(lost);
});

it('seals for its place what a version before sealed without one, also what that version had sealed with the new key', async () => {
  const { store, plain, state } = memory(sealer());
  createPrivateFile(`${keyFile}.new`, newKeyText(random));
  state.carriers[0]!.smpp.password = sealedBefore('carrier', readKey(`${keyFile}.new`));
  state.endpoints[0]!.secrets[0]!.secret = sealedBefore('endpoint', readKey(keyFile));
  state.users[0]!.totp!.secret = sealedBefore('totp', readKey(keyFile));
  expect(await rotateKey({ store, keyFile, random, clock })).toMatchObject({ resealed: 3, lost: 0 });
  expect(plain(sealer())).toEqual(secrets);
  expect(JSON.stringify(state).match(/"hs\d\./g)).toEqual(['"hs2.', '"hs2.', '"hs2.']);
});

it('does not seal anew for a record what was copied into it from another', async () => {
  const { store, state } = memory(sealer());
  const copied = state.carriers[0]!.smpp.password;
  state.carriers[1]!.smpp.password = copied;
  expect(await rotateKey({ store, keyFile, random, clock })).toMatchObject({ resealed: 3, lost: 1 });
  expect(state.carriers[1]!.smpp.password).toBe(copied);
});
