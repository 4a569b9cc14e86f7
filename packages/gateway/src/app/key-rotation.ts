/**
 * Replaces `secret.key`: opens every sealed secret with the old key and seals it with the new one. Safe to interrupt:
 * the new key file exists from before the first change until after the last, and a restart continues.
 */
import { existsSync, linkSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { withCarrierSecrets } from '../carriers/settings.ts';
import type { Clock, Random } from '../kernel/clock.ts';
import { createPrivateFile } from '../kernel/private-file.ts';
import type { SealedPlace } from '../kernel/sealed-place.ts';
import {
  createSealer,
  isBound,
  newKeyText,
  nextKeyPath,
  opened,
  readKey,
  type Sealer,
  SealingRefused,
} from '../kernel/sealing.ts';
import { syncPath } from '../kernel/sync-path.ts';
import type { Records } from '../model/records.ts';
import { withEndpointSecrets, withUserSecrets } from '../model/sealed-records.ts';
import type { Store } from './store.ts';

export interface KeyRotation {
  keyFile: string;
  /** Where the old key is kept, for backups made with it. */
  oldKeyFile: string;
  /** Re-encrypted secrets. */
  resealed: number;
  /** Secrets that neither key decrypts; they do not change. */
  lost: number;
}

/** The most users of a company that the store returns at once. */
const usersMax = 1_000;

export interface RotationParts {
  store: Pick<Store, 'records' | 'editRecords' | 'users' | 'changePeople'>;
  keyFile: string;
  random: Random;
  clock: Pick<Clock, 'now'>;
}

/** No gateway may be running. Throws SealingRefused for an unusable key. */
export async function rotateKey({ store, keyFile, random, clock }: RotationParts): Promise<KeyRotation> {
  const old = createSealer(readKey(keyFile));
  const nextFile = nextKeyPath(keyFile);
  if (!existsSync(nextFile)) createPrivateFile(nextFile, newKeyText(random));
  const reseal = resealer(old, createSealer(readKey(nextFile)));
  await resealRecords(store, reseal);
  await resealUsers(store, reseal);
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const oldKeyFile = `${keyFile}.old-${stamp}Z`;
  linkSync(keyFile, oldKeyFile);
  renameSync(nextFile, keyFile);
  syncPath(dirname(keyFile));
  return { keyFile, oldKeyFile, resealed: reseal.resealed, lost: reseal.lost };
}

interface Resealer {
  one(sealed: string, place: SealedPlace): string;
  resealed: number;
  lost: number;
}

function resealer(old: Sealer, next: Sealer): Resealer {
  const counts = { resealed: 0, lost: 0 };
  const one = (sealed: string, place: SealedPlace): string => {
    const done = opened(next, sealed, place);
    // An earlier run has done this already; an earlier version did it without binding the secret to its record.
    if (done !== null && isBound(sealed)) return sealed;
    const text = done ?? opened(old, sealed, place);
    if (text === null) counts.lost += 1;
    else counts.resealed += 1;
    return text === null ? sealed : next.seal(text, place);
  };
  return Object.assign(counts, { one });
}

async function resealRecords(store: RotationParts['store'], reseal: Resealer): Promise<void> {
  const { version, ...records }: Records = await store.records();
  const { carriers, endpoints } = records;
  const put = {
    carriers: carriers.map((carrier) => withCarrierSecrets(carrier, reseal.one)),
    endpoints: endpoints.map((endpoint) => withEndpointSecrets(endpoint, reseal.one)),
  };
  if ((await store.editRecords({ version, put, dropRoutes: [], audit: [] })) === null) {
    throw new SealingRefused('The records were changed meanwhile. Run it again: npx helio rotate-key');
  }
}

async function resealUsers(store: RotationParts['store'], reseal: Resealer): Promise<void> {
  const { accounts } = await store.records();
  const queries = [{ operators: true as const }, ...accounts.map(({ accountId }) => ({ accountId }))];
  for (const query of queries) {
    const users = await store.users(query);
    if (users.length >= usersMax) {
      throw new SealingRefused(
        `More than ${usersMax} users are in one company: their second factors cannot be sealed anew.`,
      );
    }
    for (const user of users) {
      const changed = withUserSecrets(user, reseal.one);
      if (changed.totp?.secret === user.totp?.secret) continue;
      const rules = [{ rule: 'unchanged' as const, userId: user.userId, version: user.version }];
      const change = { rules, writes: [{ write: 'user' as const, user: changed }], audit: [] };
      if ((await store.changePeople([change]))[0] !== null) {
        throw new SealingRefused('A user was changed meanwhile. Run it again: npx helio rotate-key');
      }
    }
  }
}
