/** Loads the adapters of all kinds of carrier with their protocol libraries, which only a running gateway needs. */
import type { CarrierRecord } from '../domain/records.ts';
import type { Carrier } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import { carrierKinds, kindOf } from './kinds.ts';

/** Starts no carrier. The record's secrets are in plain. */
export type OpenCarrier = (record: CarrierRecord, deps: CarrierDeps) => Carrier;

export async function loadAdapters(): Promise<OpenCarrier> {
  const loaded = await Promise.all(carrierKinds.map(async (kind) => [kind, await kind.open()] as const));
  const adapters = new Map(loaded);
  return (record, deps) => adapters.get(kindOf(record))!.create(record, deps);
}
