/**
 * Finds the part that a receipt belongs to, by carrier, id and handset; an exact id wins over other spellings of it.
 * Two candidates count as no match.
 */
import { dayMs } from '../../../kernel/clock.ts';
import type { MessageId } from '../../../kernel/ids.ts';
import type { Receipt } from '../../../model/delivery.ts';
import { partNumbers, type Spanned } from '../../../model/spans.ts';
import { type Operation, run } from '../../../store/query.ts';
import { selectDeliveries } from '../statements/deliveries.ts';
import {
  type CandidateRow,
  insertParts,
  selectCandidates,
  selectInDoubt,
  selectNameless,
  selectPartNumbers,
  selectUnconfirmed,
} from '../statements/parts.ts';

/** The message part that a receipt refers to. */
export interface MatchedPart {
  messageId: MessageId;
  part: number;
}

/**
 * Parts handed over longer ago are ignored: carriers reuse ids after months. Well above the longest validity (48 h) and
 * the wait for a receipt (72 h) together.
 */
const matchWindowMs = 14 * dayMs;

/**
 * A message whose validity ended while it was uncertain can be proven for this long; until then it is as likely as any
 * other.
 */
export const provableMs = 72 * 3_600_000;

/** The part of each receipt; null if none or more than one fits. */
export function* matchById(receipts: readonly Receipt[]): Operation<(MatchedPart | null)[]> {
  const params = receipts.flatMap((receipt, position) =>
    receipt.idKeys.map((id_key) => ({
      position,
      carrier: receipt.carrier,
      id_key,
      since: receipt.receivedAt - matchWindowMs,
    })),
  );
  const candidates = Map.groupBy(yield* run(selectCandidates, params), (row) => row.position);
  return receipts.map((receipt, position) => chooseCandidate(receipt, candidates.get(position) ?? []));
}

/** The only candidate of the most exact form that has any; null if that form has two. */
export function chooseCandidate(
  receipt: Pick<Receipt, 'carrierMessageId' | 'idKeys' | 'to'>,
  found: readonly Omit<CandidateRow, 'position'>[],
): MatchedPart | null {
  const candidates = found.filter((row) => receipt.to === null || row.recipient === receipt.to);
  const exact = candidates.filter((row) => row.carrier_message_id === receipt.carrierMessageId);
  const forms = [exact, ...receipt.idKeys.map((key) => candidates.filter((row) => row.id_key === key))];
  const best = forms.find((form) => form.length > 0) ?? [];
  return best.length === 1 ? { messageId: best[0]!.message_id, part: best[0]!.part } : null;
}

/**
 * For receipts with an unknown id: the only delivery to this handset whose hand-over got no answer (even if its
 * validity has ended since), provided that nothing is being sent to the handset now and no part was sent without an id.
 * It is proven only if exactly one of its parts is missing (or all, if one id stands for all), which is then recorded
 * under the receipt's id; a delivery is proven once.
 */
export function* matchByProof(receipts: readonly Receipt[]): Operation<(MatchedPart | null)[]> {
  const params = receipts.flatMap(({ carrier, to, receivedAt }, position) =>
    to ? [{ position, carrier, id_key: '', recipient: to, since: receivedAt - provableMs }] : [],
  );
  const unproven = [...(yield* run(selectUnconfirmed, params))];
  for (const select of selectInDoubt) unproven.push(...(yield* run(select, params)));
  if (unproven.length === 0) return receipts.map(() => null);

  const nameless = new Set((yield* run(selectNameless, params)).map((row) => row.position));
  const byPosition = Map.groupBy(unproven, (row) => row.position);
  const missing = yield* missingParts([...new Set(unproven.map((row) => row.message_id))]);
  const taken = new Set<string>();
  const matches = receipts.map(({ ofWhole = false }, position) => {
    const [found, ...others] = byPosition.get(position) ?? [];
    if (!found || others.length > 0 || found.state === 'sending' || nameless.has(position)) return null;
    const { absent, partCount } = missing.get(found.message_id)!;
    const spans = ofWhole ? partCount : 1;
    if (absent.length !== spans || taken.has(found.message_id)) return null;
    taken.add(found.message_id);
    return { messageId: found.message_id, part: absent[0]!, spans };
  });
  yield* run(
    insertParts,
    matches.flatMap((match, position) => (match ? [provenPart(match, receipts[position]!)] : [])),
  );
  return matches;
}

/** The parts of each message without an id. */
function* missingParts(messageIds: readonly string[]): Operation<Map<string, { absent: number[]; partCount: number }>> {
  const params = messageIds.map((message_id) => ({ message_id }));
  const rows = yield* run(selectDeliveries, params);
  const known = Map.groupBy(yield* run(selectPartNumbers, params), (row) => row.message_id);
  return new Map(
    rows.map((row) => {
      const numbers = (known.get(row.message_id) ?? []).flatMap(partNumbers);
      const partCount = Math.max(1, row.segments);
      const all = Array.from({ length: partCount }, (_, index) => index + 1);
      return [row.message_id, { absent: all.filter((part) => !numbers.includes(part)), partCount }];
    }),
  );
}

/** A part handed over without an answer, under the id of its receipt. */
export function provenPart({ messageId, part, spans = 1 }: MatchedPart & Spanned, receipt: Receipt) {
  return {
    message_id: messageId,
    part,
    spans,
    carrier: receipt.carrier,
    carrier_message_id: receipt.carrierMessageId,
    id_key: receipt.idKeys[0] ?? '',
    recipient: receipt.to,
    at: receipt.receivedAt,
  };
}
