/** Shared by the tests of sealed records: a store on disk, and records with secrets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { mm4 as mm4Kind } from '../carriers/mm4/kind.ts';
import { mm7 as mm7Kind } from '../carriers/mm7/kind.ts';
import { smpp as smppKind } from '../carriers/smpp/kind.ts';
import { machineClock } from '../kernel/machine.ts';
import type { User } from '../model/people.ts';
import type { CarrierRecord, Endpoint } from '../model/records.ts';
import { sandboxInboxEndpoint } from '../subjects/records/sandbox-records.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';

/** Removed after the test that opened it. */
export async function storeOnDisk(): Promise<Store> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heliograph-sealed-'));
  const store = await openStore({ dataDir, role: 'node', clock: machineClock });
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  return store;
}

/** One carrier of each kind, with every secret. */
export function carriersWith(seal: (text: string) => string): CarrierRecord[] {
  const [overSmpp, overMm7, overMm4] = [smppKind.simulated!, mm7Kind.simulated!, mm4Kind.simulated!];
  const { smpp } = overSmpp;
  const { mm7 } = overMm7;
  const { mm4 } = overMm4;
  const inbound = { ...mm7.inbound, username: 'them', password: seal('mm7 in') };
  const carriers = [
    { ...overSmpp, carrierId: 'smsc', smpp: { ...smpp, password: seal('smpp') } },
    {
      ...overMm7,
      carrierId: 'mm7c',
      mm7: { ...mm7, password: seal('mm7'), clientKey: seal('mm7 key'), inbound },
    },
    { ...overMm4, carrierId: 'mm4c', mm4: { ...mm4, password: seal('mm4') } },
  ];
  return carriers;
}

export function endpointWith(seal: (text: string) => string): Endpoint {
  return {
    ...sandboxInboxEndpoint,
    endpointId: 'ep_1',
    createdAt: 0,
    header: { name: 'X-Shop', value: seal('header') },
    secrets: [
      { secret: seal('new secret'), expiresAt: null },
      { secret: seal('old secret'), expiresAt: 1 },
    ],
  };
}

export function userWith(userId: string, totp: User['totp']): User {
  return {
    userId,
    accountId: 'acc_one',
    email: `${userId}@shop.example`,
    name: userId,
    role: 'Viewer',
    operator: false,
    passwordHash: '',
    totp,
    passkeys: [],
    identity: null,
    recoveryHashes: [],
    timeZone: null,
    language: null,
    singleKeys: true,
    createdAt: 0,
    disabledAt: null,
    lastSignInAt: null,
    version: 0,
  };
}
