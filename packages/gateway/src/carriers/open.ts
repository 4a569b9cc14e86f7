/** Which adapter serves which kind of carrier: one line each. Never starts one. */
import type { CarrierRecord } from '../domain/records.ts';
import type { Carrier } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import { createMm4Carrier } from './mm4-carrier.ts';
import { createMm7Carrier } from './mm7-carrier.ts';
import { createSmppCarrier } from './smpp-carrier.ts';

export function openCarrier(record: CarrierRecord, deps: CarrierDeps): Carrier {
  switch (record.kind) {
    case 'smpp':
      return createSmppCarrier(record, deps);
    case 'mm7':
      return createMm7Carrier(record, deps);
    case 'mm4':
      return createMm4Carrier(record, deps);
  }
}
