/**
 * Reads the intact frames of a damaged journal, across gaps, and lists what is missing. A message that waited at a gap
 * may have been sent: it counts as `sending` and becomes `uncertain` at the next start.
 */
import type { AccountId, MessageId, RequestId } from '../../../kernel/ids.ts';
import type { Look } from '../../../store/journal/look.ts';
import { type Entry, Memtable } from './memtable.ts';

export interface NamedRequest {
  requestId: RequestId;
  /** Null if the damaged bytes do not contain it. */
  accountId: AccountId | null;
}

export interface NamedMessage {
  messageId: MessageId;
  /** A later frame shows that the carrier accepted it. */
  sent: boolean;
}

/** Ids found in gaps, or named by intact frames; some may be in the database anyway. */
export interface Lost {
  /** Missing frames; null = unknown. */
  frames: number | null;
  /** Accepted in a damaged frame, as far as its bytes can be read. */
  requests: NamedRequest[];
  /** Named by a frame, but accepted in no intact one. */
  messages: NamedMessage[];
}

export interface Salvage {
  table: Memtable;
  frames: number;
  /** Intact frames that needed one bit repaired. */
  mended: number;
  /** Messages that may have been sent in a gap. */
  doubtful: number;
  lost: Lost;
}

export function salvage({ pieces }: Pick<Look, 'pieces'>): Salvage {
  const table = new Memtable();
  const lost: Lost = { frames: 0, requests: [], messages: [] };
  const named = new Map<string, NamedMessage>();
  const doubtful = new Set<string>();
  let last: Pick<Entry, 'now' | 'token'> = { now: 0, token: 0 };
  let frames = 0;
  let mended = 0;
  for (const piece of pieces) {
    if (piece.kind === 'gap') {
      lost.frames = lost.frames === null || piece.frames === null ? null : lost.frames + piece.frames;
      lost.requests.push(...requestsIn(piece.bytes));
      for (const messageId of table.beginAll(last.now, last.token)) doubtful.add(messageId);
      continue;
    }
    const entry = JSON.parse(piece.text) as Entry;
    frames += 1;
    if (piece.mended) mended += 1;
    last = entry;
    for (const message of applied(table, entry)) named.set(message.messageId, message);
    for (const { messageId } of entry.settled) doubtful.delete(messageId);
  }
  lost.messages = [...named.values()];
  return { table, frames, mended, doubtful: doubtful.size, lost };
}

/** Applies the entry; returns its messages that no intact frame accepted. */
function applied(table: Memtable, { now, token, accepted, settled, claimed }: Entry): NamedMessage[] {
  const unknown: NamedMessage[] = [];
  const isKnown = (messageId: MessageId) => table.requestOf(messageId) !== undefined;
  for (const item of accepted) table.accept(item, token);
  for (const settlement of settled) {
    const { messageId } = settlement;
    if (!isKnown(messageId)) {
      unknown.push({ messageId, sent: true });
      continue;
    }
    // The try had begun in a missing frame.
    table.begin(messageId, now, token);
    if (table.isCurrent(settlement, token)) table.settle(settlement, now);
  }
  for (const messageId of claimed) {
    if (!isKnown(messageId)) unknown.push({ messageId, sent: false });
    else table.begin(messageId, now, token);
  }
  return unknown;
}

/** Requests whose ids are readable in damaged frames. */
function requestsIn(bytes: Buffer): NamedRequest[] {
  const text = bytes.toString('latin1');
  return [...text.matchAll(/"requestId":"(req_\w{1,60})"(?:,"accountId":"([\w.-]{1,60})")?/g)].map(
    ([, requestId, accountId = null]) => ({ requestId: requestId!, accountId }),
  );
}
