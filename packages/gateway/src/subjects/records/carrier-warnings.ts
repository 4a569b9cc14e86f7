/** Warnings about a carrier's settings, one line each. */
import { kindOf } from '../../carriers/kinds.ts';
import { type CarrierRecord, profileOf } from '../../model/records.ts';

export function carrierWarnings(carrier: CarrierRecord): string[] {
  const profile = profileOf(carrier);
  const lendsNothing = profile.lendRate === true && profile.messagesPerSecond === 0;
  return [
    ...kindOf(carrier).warnings(profile),
    ...(lendsNothing ? ['lendRate changes nothing: messagesPerSecond is 0, so there is no rate to lend'] : []),
  ].map((warning) => `carrier ${carrier.carrierId}: ${warning}`);
}
