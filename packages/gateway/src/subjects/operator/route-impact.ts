/** Compares routing of sent messages under other rules: which go elsewhere, which nowhere. Pure. */
import type { MessageId } from '../../kernel/ids.ts';
import type { CarrierRecord, Environment, MessageKind, Route, TakenBy } from '../../model/records.ts';
import type { LocalTime } from '../../model/route-hours.ts';
import { type RouteQuery, rankedRoutes, sharing } from '../../model/routing.ts';

export interface TriedMessage {
  messageId: MessageId;
  from: string;
  to: string;
  kind: MessageKind;
  environment: Environment;
  /** The campaign as the rules see it. */
  campaignId: string | null;
  local: LocalTime;
}

/** A carrier for such a message, and its share of them (0 to 1); null: no carrier, the message is refused. */
export interface Way {
  carrierId: string | null;
  share: number;
}

export interface RouteImpact {
  /** Number of messages examined. */
  looked: number;
  /** Messages with the same routing. */
  same: number;
  /** Messages with another routing, the most frequent first. */
  moves: { before: Way[]; after: Way[]; count: number; examples: TriedMessage[] }[];
}

const examplesMax = 5;

export function routeImpact(
  messages: readonly TriedMessage[],
  {
    before,
    after,
    carriers,
    takenBy,
  }: { before: readonly Route[]; after: readonly Route[]; carriers: readonly CarrierRecord[]; takenBy: TakenBy },
): RouteImpact {
  const takes = (carrier: CarrierRecord | undefined, kind: MessageKind): boolean =>
    carrier?.enabled === true && takenBy(carrier).includes(kind);
  const byId = new Map(carriers.map((carrier) => [carrier.carrierId, carrier]));
  const ways = [rankedRoutes(before), rankedRoutes(after)].map(
    (ranked) => (message: TriedMessage) => waysOf(ranked, message, (id, kind) => takes(byId.get(id), kind)),
  );
  const moves = new Map<string, RouteImpact['moves'][number]>();
  let same = 0;
  for (const message of messages) {
    const [was, is] = ways.map((way) => way(message)) as [Way[], Way[]];
    const name = JSON.stringify([was, is]);
    if (JSON.stringify(was) === JSON.stringify(is)) {
      same += 1;
      continue;
    }
    const move = moves.get(name) ?? { before: was, after: is, count: 0, examples: [] };
    moves.set(name, move);
    move.count += 1;
    if (move.examples.length < examplesMax) move.examples.push(message);
  }
  return { looked: messages.length, same, moves: [...moves.values()].sort((a, b) => b.count - a.count) };
}

/** The first carrier of each sharing rule that is enabled and takes the kind; whether it is up does not count here. */
function waysOf(
  ranked: readonly Route[],
  query: RouteQuery,
  takes: (carrierId: string, kind: MessageKind) => boolean,
): Way[] {
  const equals = sharing(ranked, query);
  if (equals.length === 0) return [{ carrierId: null, share: 1 }];
  const total = equals.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Map<string | null, number>();
  for (const { carrierIds, weight } of equals) {
    const first = carrierIds.find((id) => takes(id, query.kind)) ?? null;
    weights.set(first, (weights.get(first) ?? 0) + weight);
  }
  return [...weights]
    .map(([carrierId, weight]) => ({ carrierId, share: weight / total }))
    .sort((a, b) => ((a.carrierId ?? '') < (b.carrierId ?? '') ? -1 : 1));
}
