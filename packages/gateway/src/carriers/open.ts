/** Which adapter serves which kind of carrier: one line each. Never starts one. */
import type { CarrierRecord } from '../domain/records.ts';
import type { Carrier } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import { createSmppCarrier } from './smpp-carrier.ts';

export function openCarrier(record: CarrierRecord, deps: CarrierDeps): Carrier {
  switch (record.kind) {
    case 'smpp':
      return createSmppCarrier(record, deps);
  }
}
