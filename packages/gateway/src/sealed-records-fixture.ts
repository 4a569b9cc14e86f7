/** What the tests of sealed records share: a store on disk, and records with secrets in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { User } from './domain/people.ts';
import type { CarrierRecord, Endpoint } from './domain/records.ts';
import { machineClock } from './machine.ts';
import {
  sandboxCarrier,
  sandboxInboxEndpoint,
  sandboxMm4Carrier,
  sandboxMm7Carrier,
} from './records/sandbox-records.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

/** Gone with the test that opened it. */
export async function storeOnDisk(): Promise<Store> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heliograph-sealed-'));
  const store = await openStore({ dataDir, role: 'node', clock: machineClock });
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  return store;
}

/** One of each kind, with every secret there is. */
export function carriersWith(seal: (text: string) => string): CarrierRecord[] {
  const { smpp } = sandboxCarrier;
  const { mm7 } = sandboxMm7Carrier;
  const { mm4 } = sandboxMm4Carrier;
  const inbound = { ...mm7.inbound, username: 'them', password: seal('mm7 in') };
  const carriers = [
    { ...sandboxCarrier, carrierId: 'smsc', smpp: { ...smpp, password: seal('smpp') } },
    {
      ...sandboxMm7Carrier,
      carrierId: 'mm7c',
      mm7: { ...mm7, password: seal('mm7'), clientKey: seal('mm7 key'), inbound },
    },
    { ...sandboxMm4Carrier, carrierId: 'mm4c', mm4: { ...mm4, password: seal('mm4') } },
  ];
  return carriers;
}

export function endpointWith(seal: (text: string) => string): Endpoint {
  return {
    ...sandboxInboxEndpoint,
    ...{ endpointId: 'ep_1', createdAt: 0, header: { name: 'X-Shop', value: seal('header') } },
    secrets: [
      { secret: seal('new secret'), expiresAt: null },
      { secret: seal('old secret'), expiresAt: 1 },
    ],
  };
}

export function userWith(userId: string, totp: User['totp']): User {
  return {
    ...{ userId, accountId: 'acc_one', email: `${userId}@shop.example`, name: userId, role: 'Viewer', operator: false },
    ...{ passwordHash: '', totp, recoveryHashes: [], timeZone: null, language: null, singleKeys: true },
    ...{ createdAt: 0, disabledAt: null, lastSignInAt: null, version: 0 },
  };
}
