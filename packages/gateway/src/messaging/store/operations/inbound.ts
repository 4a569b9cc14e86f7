/**
 * Stores replies: parts become one message in any order, and a repeated part is recognised. A text that only looks
 * like a redelivery is stored with `dupRisk`; nothing that could be new is dropped.
 */
import { createHash } from 'node:crypto';
import { dayMs } from '../../../kernel/clock.ts';
import type { MessageId } from '../../../kernel/ids.ts';
import { writeExtras } from '../../../model/message-extras.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { InboundItem } from '../items.ts';
import {
  deleteInboundParts,
  type InboundPartRow,
  insertInboundParts,
  markInboundStored,
  selectInboundSet,
} from '../statements/inbound.ts';
import type { Transition } from '../transition.ts';
import { noReference, setReference } from './concat-reference.ts';
import { applyKeywords, type KeywordResult } from './keywords.ts';
import { joinParts, writeReceived } from './received.ts';

/** How long a stored part is remembered to recognise its redelivery. */
export const redeliveryWindowMs = dayMs;

type PartKey = Pick<InboundPartRow, 'sender' | 'recipient' | 'reference' | 'total' | 'message_id'>;

/** The pending writes of this transaction. */
interface Plan {
  /** All known parts by set, including those of this batch. */
  sets: Map<string, InboundPartRow[]>;
  added: Set<InboundPartRow>;
  dropped: PartKey[];
  /** Messages to store, each with its parts. */
  messages: { ids: InboundPartRow; parts: InboundPartRow[] }[];
}

/** The result of one item; its message is the completed one, or null. */
export interface InboundOutcome extends KeywordResult {
  messageId: MessageId | null;
}

export function* inbound(items: readonly InboundItem[], context: WriteContext): Operation<InboundOutcome[]> {
  const rows = items.map(asRow);
  const plan = yield* loadSets(rows);
  const messageIds = rows.map((row) => place(plan, row));
  yield* writePlan(plan, context);
  const acting = [...items.keys()].filter(
    (index) => items[index]!.consent && messageIds[index] === items[index]!.messageId,
  );
  const keywords = acting.map((index) => {
    const { part, consent, messageId, accountId } = items[index]!;
    return { ...part, command: consent!, messageId, accountId, dupRisk: rows[index]!.dup_risk === 1 };
  });
  const results = new Map((yield* applyKeywords(keywords, context)).map((result, index) => [acting[index], result]));
  return messageIds.map((messageId, index) => ({ messageId, ...(results.get(index) ?? { change: null, lanes: [] }) }));
}

/** Delivers sets with missing parts after the time limit, marked; deletes sets that contain only redeliveries. */
export function* storeIncomplete(waiting: readonly InboundPartRow[], context: WriteContext): Operation<Transition[]> {
  const plan = yield* loadSets(waiting);
  for (const set of plan.sets.values()) flush(plan, set);
  yield* writePlan(plan, context);
  return plan.messages.map(({ ids }) => ({
    messageId: ids.message_id,
    accountId: ids.account_id,
    from: null,
    state: 'received',
    code: null,
    carrier: ids.carrier,
  }));
}

function* loadSets(rows: readonly InboundPartRow[]): Operation<Plan> {
  const params = new Map(rows.map((row) => [setOf(row), { ...row, since: row.received_at - redeliveryWindowMs }]));
  const known = yield* run(selectInboundSet, [...params.values()]);
  const sets = new Map([...params.keys()].map((key) => [key, [] as InboundPartRow[]]));
  for (const row of known) sets.get(setOf(row))!.push(row);
  return { sets, added: new Set(), dropped: [], messages: [] };
}

function place(plan: Plan, row: InboundPartRow): string | null {
  const set = plan.sets.get(setOf(row))!;
  const rival = set.find((other) => other.waiting === 1 && other.sequence === row.sequence);
  if (rival?.body_hash === row.body_hash) return null;
  let flushed: string | null = null;
  // Replaces an unneeded redelivered part; parts of an incomplete text never mix with the next text.
  if (rival?.dup_risk === 1) drop(plan, set, rival);
  else if (rival) flushed = flush(plan, set);
  const again = set.some((other) => other.sequence === row.sequence && other.body_hash === row.body_hash);
  row.dup_risk = again ? 1 : 0;
  set.push(row);
  plan.added.add(row);
  const parts = set.filter(isWaiting);
  // New parts completed by a redelivered one may belong to two texts: the sweep joins them if nothing else arrives.
  const clear = parts.every((part) => part.dup_risk === row.dup_risk);
  if (parts.length < row.total || !clear) return flushed;
  finish(plan, row, parts);
  return row.message_id;
}

/** Ends the wait of a set: stores a message, with gaps if necessary, or nothing if all parts were redelivered. */
function flush(plan: Plan, set: InboundPartRow[]): string | null {
  const parts = set.filter(isWaiting);
  if (parts.every((part) => part.dup_risk === 1)) {
    for (const part of parts) drop(plan, set, part);
    return null;
  }
  const ids = parts.at(-1)!;
  finish(plan, ids, parts);
  return ids.message_id;
}

function drop(plan: Plan, set: InboundPartRow[], part: InboundPartRow): void {
  set.splice(set.indexOf(part), 1);
  if (!plan.added.delete(part)) plan.dropped.push(part);
}

function finish(plan: Plan, ids: InboundPartRow, parts: InboundPartRow[]): void {
  plan.messages.push({ ids, parts: parts.map((part) => ({ ...part })) });
  for (const part of parts) Object.assign(part, { waiting: 0, text: null, octets: null, extras: null });
}

function isWaiting(row: InboundPartRow): boolean {
  return row.waiting === 1;
}

function* writePlan(plan: Plan, context: WriteContext): Operation<void> {
  const stored = plan.messages.flatMap(({ parts }) => parts);
  const added = new Set([...plan.added].map((row) => row.message_id));
  yield* run(deleteInboundParts, plan.dropped);
  yield* run(
    markInboundStored,
    stored.filter((part) => !added.has(part.message_id)),
  );
  yield* run(insertInboundParts, [...plan.added]);
  yield* writeReceived(
    plan.messages.map(({ ids, parts }) => joinParts(ids, parts)),
    context,
  );
}

function setOf(row: Omit<PartKey, 'message_id'>): string {
  return JSON.stringify([row.sender, row.recipient, row.reference, row.total]);
}

function asRow({ part, accountId, messageId, requestId }: InboundItem): InboundPartRow {
  const { concat } = part;
  const joined = concat !== null && concat.total > 1 && concat.sequence >= 1 && concat.sequence <= concat.total;
  const octets = part.octets ? Buffer.from(part.octets).toString('base64') : null;
  // As JSON: a surrogate pair or a grapheme may be split between two parts, and half of it is not valid text.
  const text = part.text === null ? null : JSON.stringify(part.text);
  return {
    sender: part.from,
    recipient: part.to,
    reference: joined ? setReference(concat) : noReference,
    total: joined ? concat.total : 1,
    message_id: messageId,
    request_id: requestId,
    account_id: accountId,
    carrier: part.carrier,
    sequence: joined ? concat.sequence : 1,
    body_hash: createHash('sha256')
      .update(JSON.stringify([part.carrier, text, octets]))
      .digest('hex'),
    text,
    octets,
    extras: writeExtras(part.extras ?? {}),
    encoding: part.encoding,
    dup_risk: 0,
    waiting: 1,
    received_at: part.receivedAt,
  };
}
