/**
 * Finds the part that a receipt belongs to, by carrier, id and handset; an exact id wins over other spellings of it.
 * Two candidates count as no match.
 */
import { dayMs, type EpochMs } from '../../../kernel/clock.ts';
import type { MessageId } from '../../../kernel/ids.ts';
import { carrierIdKeys } from '../../../model/carrier-id.ts';
import type { Receipt } from '../../../model/delivery.ts';
import { isSameHandset } from '../../../model/handset.ts';
import { partNumbers, type Spanned } from '../../../model/spans.ts';
import { type Operation, run } from '../../../store/query.ts';
import { recentFrom, selectDeliveries } from '../statements/deliveries.ts';
import {
  type CandidateRow,
  insertParts,
  periodMs,
  selectCandidates,
  selectInDoubt,
  selectPartNumbers,
  selectRivals,
  selectUnconfirmed,
  type UnprovenRow,
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

/** The parts that a receipt may be about, in the periods of their index. */
function matchWindow({ receivedAt }: Pick<Receipt, 'receivedAt'>): { period: number; since: EpochMs }[] {
  const since = receivedAt - matchWindowMs;
  const first = Math.floor(since / periodMs);
  return [first, first + 1].map((period) => ({ period, since }));
}

/** The part of each receipt; null if none or more than one fits. */
export function* matchById(receipts: readonly Receipt[]): Operation<(MatchedPart | null)[]> {
  const all = [...receipts.keys()];
  const recent = yield* candidatesOf(receipts, all, ({ receivedAt }) => recentFrom(receivedAt));
  const others = all.filter((position) => !recent.has(position));
  const older = yield* candidatesOf(receipts, others, () => '');
  return receipts.map((receipt, position) =>
    chooseCandidate(receipt, recent.get(position) ?? older.get(position) ?? []),
  );
}

/** By position. */
function* candidatesOf(
  receipts: readonly Receipt[],
  positions: readonly number[],
  first: (receipt: Receipt) => string,
): Operation<Map<number, CandidateRow[]>> {
  const params = positions.flatMap((position) => {
    const receipt = receipts[position]!;
    return receipt.idKeys.flatMap((id_key) =>
      matchWindow(receipt).map((window) => {
        return { position, carrier: receipt.carrier, id_key, ...window, first: first(receipt) };
      }),
    );
  });
  return Map.groupBy(yield* run(selectCandidates, params), (row) => row.position);
}

/**
 * The only candidate of the most exact form that has any; null if that form has two. The handset must be the same; with
 * the exact id the receipt may write it without its country code.
 */
export function chooseCandidate(
  receipt: Pick<Receipt, 'carrierMessageId' | 'idKeys' | 'to'>,
  found: readonly Omit<CandidateRow, 'position'>[],
): MatchedPart | null {
  const candidates = found.filter((row) => receipt.to === null || row.recipient === receipt.to);
  const exact = candidates.filter((row) => row.carrier_message_id === receipt.carrierMessageId);
  const forms = [exact, ...receipt.idKeys.map((key) => candidates.filter((row) => row.id_key === key))];
  const best = forms.find((form) => form.length > 0) ?? found.filter((row) => isOtherwiseSpelt(receipt, row));
  return best.length === 1 ? { messageId: best[0]!.message_id, part: best[0]!.part } : null;
}

function isOtherwiseSpelt(
  { carrierMessageId, to }: Pick<Receipt, 'carrierMessageId' | 'to'>,
  row: Omit<CandidateRow, 'position'>,
): boolean {
  return to !== null && row.carrier_message_id === carrierMessageId && isSameHandset(row.recipient, to);
}

/**
 * For receipts with an unknown id: the only delivery to this handset whose hand-over got no answer (even if its
 * validity has ended since), provided that the receipt can be about nothing else: nothing is being sent to the handset
 * now, the carrier has no copy of another message under an unknown id, and no part has this id in another reading or
 * was sent without one. It is proven only if exactly one of its parts is missing (or all, if one id stands for all),
 * which is then recorded under the receipt's id; a delivery is proven once.
 */
export function* matchByProof(receipts: readonly Receipt[]): Operation<(MatchedPart | null)[]> {
  const params = receipts.flatMap(({ carrier, to, receivedAt }, position) =>
    to ? [{ position, carrier, recipient: to, since: receivedAt - provableMs }] : [],
  );
  const unproven = [...(yield* run(selectUnconfirmed, params))];
  for (const select of selectInDoubt) unproven.push(...(yield* run(select, params)));
  const byPosition = Map.groupBy(unproven, (row) => row.position);
  const candidates = new Map([...byPosition].flatMap(([position, rows]) => onlyCandidate(position, rows)));
  if (candidates.size === 0) return receipts.map(() => null);

  const rivals = yield* withRivals([...candidates.keys()].map((position) => ({ position, ...receipts[position]! })));
  const missing = yield* missingParts([...new Set([...candidates.values()].map((row) => row.message_id))]);
  const taken = new Set<string>();
  const matches = receipts.map(({ ofWhole = false }, position) => {
    const found = candidates.get(position);
    if (!found || rivals.has(position)) return null;
    const { absent, partCount } = missing.get(found.message_id)!;
    const spans = ofWhole ? partCount : 1;
    // Once repeated, its receipt may be about an earlier copy of any part.
    if (found.isRepeated && spans !== partCount) return null;
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

interface Candidate {
  message_id: MessageId;
  /** The carrier may have an earlier copy of it. */
  isRepeated: boolean;
}

/** By position; none where two deliveries to the handset may be meant. */
function onlyCandidate(position: number, rows: readonly UnprovenRow[]): [number, Candidate][] {
  const [found, ...others] = rows.filter(({ state }) => state !== 'copy');
  if (!found || others.length > 0 || found.state === 'sending') return [];
  const copies = rows.filter(({ state }) => state === 'copy');
  if (copies.some(({ message_id }) => message_id !== found.message_id)) return [];
  return [[position, { message_id: found.message_id, isRepeated: copies.length > 0 }]];
}

/** The positions of receipts that may belong to a part on record. */
function* withRivals(receipts: readonly (Receipt & { position: number })[]): Operation<Set<number>> {
  const params = receipts.flatMap(({ position, carrier, carrierMessageId, idKeys, to, receivedAt }) => {
    const readings = [carrierMessageId, ...idKeys].flatMap((id) => carrierIdKeys(id, 'auto'));
    return [...new Set(['', ...idKeys, ...readings])].flatMap((id_key) =>
      matchWindow({ receivedAt }).map((window) => ({ position, carrier, id_key, recipient: to, ...window })),
    );
  });
  return new Set((yield* run(selectRivals, params)).map((row) => row.position));
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
