/**
 * Finds rules for a message kind that none of their carriers takes: such a message matches the rule and is refused,
 * although a later rule would fit. Pure.
 */
import { recordVersion } from '../../kernel/record-version.ts';
import type { CarrierRecord, MessageKind, Route, TakenBy } from '../../model/records.ts';

export interface UntakenKinds {
  routeId: string;
  prefix: string;
  kinds: MessageKind[];
}

/**
 * Checks rules that are not stored in this form. Disabled carriers count: they are not a fault of the rule. A kind that
 * no carrier of the environment takes is not reported.
 */
export function untakenKinds(
  rules: readonly Route[],
  known: { routes: readonly Route[]; carriers: readonly CarrierRecord[]; takenBy: TakenBy },
): UntakenKinds[] {
  const onRecord = new Set(known.routes.map(recordVersion));
  return rules
    .filter((rule) => !onRecord.has(recordVersion(rule)))
    .map((rule) => ({ routeId: rule.routeId, prefix: rule.prefix, kinds: untaken(rule, known) }))
    .filter(({ kinds }) => kinds.length > 0);
}

function untaken(
  { environment, kind, carrierIds }: Route,
  { carriers, takenBy }: { carriers: readonly CarrierRecord[]; takenBy: TakenBy },
): MessageKind[] {
  const taken = (some: readonly CarrierRecord[]) => new Set(some.flatMap(takenBy));
  const there = carriers.filter((carrier) => carrier.environment === environment);
  const own = taken(there.filter(({ carrierId }) => carrierIds.includes(carrierId)));
  const kinds: readonly MessageKind[] = kind === null ? ['SMS', 'MMS'] : [kind];
  return kinds.filter((one) => taken(there).has(one) && !own.has(one));
}
