/** The rule and carrier of a message, in one short line that opens the details. Pure. */

import { labelsOf } from '../../language/labels';
import type { Routed } from './message-data';

const labels = labelsOf('story');

/** Rules and their carriers, with the fallbacks that accept such a message. */
export function shortRoute({ rules, carrier, agrees }: Routed): string {
  const [rule] = rules;
  if (rule === undefined) return carrier === null ? labels.noRule : `${labels.noRule} ${labels.differs(carrier.name)}`;
  const ids = rules.map(({ routeId }) => routeId);
  if (!agrees) return `${labels.short(ids, null, [])} ${labels.differs(carrier?.name ?? labels.notYet)}`;
  const usable = rules.flatMap(({ carriers }) => carriers.filter(({ enabled, takesKind }) => enabled && takesKind));
  // With several rules it is unknown which applies until the message is sent.
  const first = carrier ?? (rules.length === 1 ? usable[0] : undefined);
  if (first === undefined) return labels.short(ids, labels.notYet, []);
  const others = usable.filter(({ carrierId }) => carrierId !== first.carrierId).map(({ name }) => name);
  return labels.short(ids, first.name, [...new Set(others)]);
}

/** The same with all details of the rules. */
export function longRoute({ rules, carrier, agrees }: Routed): string {
  const [rule, ...others] = rules;
  const name = carrier?.name ?? labels.notYet;
  if (rule === undefined) return labels.noRule;
  if (!agrees) return labels.itsRule(rule);
  return others.length > 0 ? labels.oneOf(rules, name) : labels.routed(rule, name);
}
