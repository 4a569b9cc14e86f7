/** Warnings about a carrier's settings, one line each. */
import { kindOf } from '../../carriers/kinds.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';

export function carrierWarnings(carrier: CarrierRecord): string[] {
  return kindOf(carrier)
    .warnings(profileOf(carrier))
    .map((warning) => `carrier ${carrier.carrierId}: ${warning}`);
}
