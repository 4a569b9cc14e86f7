/** Loads the adapters of the configured kinds, with their protocol libraries; some are megabytes. */
import type { CarrierRecord } from '../model/records.ts';
import type { Carrier } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import type { CarrierAdapter, CarrierKind } from './kind.ts';
import { kindOf } from './kinds.ts';

export interface Adapters {
  /** Must have resolved before a carrier of the record's kind is opened. */
  load(records: Iterable<CarrierRecord>): Promise<void>;
  /** Creates a carrier without starting it. The record's secrets are in plain text. */
  open(record: CarrierRecord, deps: CarrierDeps): Carrier;
}

export function createAdapters(): Adapters {
  const loaded = new Map<CarrierKind, CarrierAdapter>();
  return {
    async load(records) {
      const missing = new Set([...records].map(kindOf).filter((kind) => !loaded.has(kind)));
      await Promise.all([...missing].map(async (kind) => loaded.set(kind, await kind.open())));
    },
    open: (record, deps) => loaded.get(kindOf(record))!.create(record, deps),
  };
}
