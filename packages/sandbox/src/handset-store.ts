/**
 * The messages of the handsets, from all protocols. Everything is bounded: messages per handset, messages and handsets
 * in total, bytes of media, waiting calls.
 */

import {
  type HandsetMessage,
  type HandsetSummary,
  type Handsets,
  handsetListMax,
  handsetPageMax,
  type MmsVia,
  type SenderFilter,
} from './handsets.ts';
import type { Clock } from './machine.ts';
import { createMediaShelf, defaultMediaShelfLimits, type MediaShelfLimits } from './media-shelf.ts';
import { createWaiters } from './waiters.ts';

export interface HandsetLimits {
  /** Older messages of a handset are dropped for newer ones. */
  messagesPerHandsetMax: number;
  /** The handset that was idle longest is dropped first, with its messages; pinned ones stay. */
  handsetsMax: number;
  messagesMax: number;
  media: MediaShelfLimits;
  /** Calls that wait for a message at one time. */
  waitersMax: number;
  /** Messages in one answer. */
  pageMax: number;
}

export const defaultHandsetLimits: HandsetLimits = {
  messagesPerHandsetMax: 1_000,
  handsetsMax: 10_000,
  messagesMax: 50_000,
  media: defaultMediaShelfLimits,
  waitersMax: 1_000,
  pageMax: handsetPageMax,
};

export interface HandsetStore extends Pick<Handsets, 'list' | 'messages' | 'medium' | 'clear'> {
  /** `contents`: the bytes of its media, in their order. */
  add(message: HandsetMessage, contents?: readonly Buffer[]): void;
  /** The sender of the latest message that `isOwn` allows, or null. */
  lastSender(number: string, isOwn?: SenderFilter): string | null;
  /** The protocol of the latest MMS from `sender`, or null. */
  lastMmsVia(number: string, sender: string): MmsVia | null;
  /** Calls `listener` for every message that arrives. */
  onArrival(listener: ArrivalListener): void;
  /** Answers all waiting callers, and later ones at once. */
  endWaits(): void;
}

/** A message from `from` arrived at the handset `number`. */
export type ArrivalListener = (number: string, from: string) => void;

const everySender: SenderFilter = () => true;

/** `pinned`: handsets that exist before their first message. */
export function createHandsetStore(
  clock: Clock,
  pinned: readonly string[],
  limits: HandsetLimits = defaultHandsetLimits,
): HandsetStore {
  /** Ordered by the last message, the oldest first. */
  const handsets = new Map<string, HandsetMessage[]>(pinned.map((number) => [number, []]));
  const waiters = createWaiters(clock, limits.waitersMax);
  const shelf = createMediaShelf(limits.media);
  const listeners: ArrivalListener[] = [];
  let count = 0;
  let ended = false;

  function forget(messages: readonly HandsetMessage[]): void {
    count -= messages.length;
    for (const { media } of messages) for (const { mediaId } of media) shelf.drop(mediaId);
  }

  function makeRoom(): void {
    for (const [number, held] of handsets) {
      if (handsets.size <= limits.handsetsMax && count <= limits.messagesMax) return;
      forget(held);
      if (pinned.includes(number)) held.length = 0;
      else handsets.delete(number);
    }
  }

  function add(message: HandsetMessage, contents: readonly Buffer[] = []): void {
    const held = handsets.get(message.to) ?? [];
    held.push(message);
    count++;
    for (const [i, medium] of message.media.entries()) {
      const bytes = contents[i];
      if (bytes !== undefined) shelf.put(message.to, medium, bytes);
    }
    if (held.length > limits.messagesPerHandsetMax) forget(held.splice(0, 1));
    handsets.delete(message.to);
    handsets.set(message.to, held);
    makeRoom();
    waiters.wake(message.to, message.from);
    for (const listener of listeners) listener(message.to, message.from);
  }

  function page(number: string, after: string, isOwn: SenderFilter): HandsetMessage[] {
    const held = handsets.get(number) ?? [];
    const found: HandsetMessage[] = [];
    for (const message of held.slice(firstAfter(held, after))) {
      if (found.length >= limits.pageMax) break;
      if (isOwn(message.from)) found.push(message);
    }
    return found;
  }

  return {
    add,
    list: (isOwn = everySender) => summaries(handsets, pinned, isOwn),
    messages: async (number, { after = '', waitMs, isOwn = everySender, signal }) => {
      const now = page(number, after, isOwn);
      if (now.length > 0 || waitMs <= 0 || ended || signal?.aborted) return now;
      const waited = waiters.wait(number, isOwn, waitMs, signal);
      if (waited === 'full') return waited;
      await waited;
      return page(number, after, isOwn);
    },
    medium: (number, mediaId, isOwn = everySender) => {
      const got = handsets
        .get(number)
        ?.some(({ from, media }) => isOwn(from) && media.some((one) => one.mediaId === mediaId));
      return got ? shelf.get(number, mediaId) : null;
    },
    lastSender: (number, isOwn = everySender) =>
      handsets.get(number)?.findLast(({ from }) => isOwn(from))?.from ?? null,
    lastMmsVia: (number, sender) => {
      const via = handsets.get(number)?.findLast(({ from, kind }) => from === sender && kind === 'MMS')?.via;
      return via === undefined || via === 'smpp' ? null : via;
    },
    clear: (isOwn = everySender) => {
      for (const [number, held] of handsets) {
        const [own, others] = [held.filter(({ from }) => isOwn(from)), held.filter(({ from }) => !isOwn(from))];
        forget(own);
        if (others.length === 0 && !pinned.includes(number)) handsets.delete(number);
        else held.splice(0, held.length, ...others);
      }
    },
    onArrival: (listener) => {
      listeners.push(listener);
    },
    endWaits: () => {
      ended = true;
      waiters.wakeAll();
    },
  };
}

/** Index of the first message whose id is greater; ids grow. */
function firstAfter(held: readonly HandsetMessage[], after: string): number {
  let low = 0;
  let high = held.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (held[middle]!.id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

function summaries(
  handsets: ReadonlyMap<string, HandsetMessage[]>,
  pinned: readonly string[],
  isOwn: SenderFilter,
): HandsetSummary[] {
  const rows: HandsetSummary[] = [];
  for (const [number, held] of handsets) {
    const own = held.filter(({ from }) => isOwn(from));
    if (own.length === 0 && !pinned.includes(number)) continue;
    rows.push({ number, messages: own.length, lastReceivedAt: own.at(-1)?.receivedAt ?? null });
  }
  rows.sort((a, b) => (b.lastReceivedAt ?? 0) - (a.lastReceivedAt ?? 0) || (a.number < b.number ? -1 : 1));
  return rows.slice(0, handsetListMax);
}
