/**
 * The newest call of each key pair that its IP list refused, from the request log. The API answers such a call like
 * any other unauthorized one, so only the portal explains it.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { ApiKey, Environment } from '../../model/records.ts';
import type { RequestLogStore } from '../request-log/store/module.ts';
import { keyStatus } from './key-service.ts';

export interface AddressRefusal {
  at: EpochMs;
  address: string;
}

/** The most refusals read in each environment, newest first. */
const lookedAt = 500;

/** By key id, for valid pairs. `allows`: whether a list contains an address, by the lists as they are now. */
export async function addressRefusals(
  keys: readonly ApiKey[],
  {
    store,
    now,
    allows,
  }: {
    store: Pick<RequestLogStore, 'requests'>;
    now: EpochMs;
    allows(allowedIps: readonly string[], address: string): boolean;
  },
): Promise<ReadonlyMap<string, AddressRefusal>> {
  const listed = keys.filter((key) => key.allowedIps.length > 0 && keyStatus(key, now) === 'active');
  const sides = Map.groupBy(listed, ({ accountId, environment }) => `${accountId} ${environment}`);
  const found = await Promise.all(
    [...sides.values()].map(async (side) => {
      const { accountId, environment } = side[0]!;
      const byId = new Map(side.map((key) => [key.keyId, key]));
      const calls = await store.requests(searchOf(accountId, environment));
      return calls.filter(({ keyId, address }) => {
        const key = byId.get(keyId);
        return key !== undefined && !allows(key.allowedIps, address);
      });
    }),
  );
  // Newest come first, so reverse: the last entry wins.
  return new Map(
    found
      .flat()
      .reverse()
      .map(({ keyId, at, address }) => [keyId, { at, address }]),
  );
}

function searchOf(accountId: AccountId, environment: Environment): Parameters<RequestLogStore['requests']>[0] {
  return {
    accountId,
    environment,
    statusFrom: 400,
    statusTo: 499,
    reason: 'NOT_AUTHORIZED',
    keyId: null,
    path: null,
    before: null,
    after: null,
    limit: lookedAt,
  };
}
