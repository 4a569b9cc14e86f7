/** Counts recent refusals of carriers over a bounded number of events. Read-only. */
import { readOutcomeCode } from '../../../model/reason.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { CarrierErrors } from '../receipt-match-items.ts';
import { selectCarrierErrors, selectOldestLooked } from '../statements/receipt-match.ts';

const look = 50_000;

/** The most frequent ones first, over all accounts, among the newest 50,000 events. */
export function* carrierErrors(limit: number): Operation<CarrierErrors> {
  const rows = yield* run(selectCarrierErrors, [{ look, limit }]);
  const [oldest] = yield* run(selectOldestLooked, [{ look }]);
  return {
    looked: oldest?.found ?? 0,
    since: oldest?.at ?? null,
    errors: rows.map(({ carrier, state, code, carrier_code, found, last }) => ({
      carrier,
      state,
      code: readOutcomeCode(code),
      carrierCode: carrier_code,
      count: found,
      lastAt: last,
    })),
  };
}
