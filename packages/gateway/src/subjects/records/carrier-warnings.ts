/** What a carrier's record allows and a person should know of before it surprises them: one line each. Refuses nothing. */
import { kindOf } from '../../carriers/kinds.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';

export function carrierWarnings(carrier: CarrierRecord): string[] {
  return kindOf(carrier)
    .warnings(profileOf(carrier))
    .map((warning) => `carrier ${carrier.carrierId}: ${warning}`);
}
