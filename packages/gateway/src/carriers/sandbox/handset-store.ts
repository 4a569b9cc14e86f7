/**
 * The texts the handsets hold. Everything is bounded: texts per handset, texts and handsets in all, waiting calls. It
 * never sends anything.
 */
import type { Clock } from '../../domain/clock.ts';
import {
  type HandsetMessage,
  type HandsetSummary,
  type Handsets,
  handsetListMax,
  handsetPageMax,
  type SenderFilter,
  sandboxPinnedHandsets,
} from '../../domain/sandbox.ts';
import { createWaiters } from './waiters.ts';

export interface HandsetLimits {
  /** Older texts of a handset make room for newer. */
  textsPerHandsetMax: number;
  /** The handset that was quiet longest goes first, with its texts; pinned ones stay. */
  handsetsMax: number;
  textsMax: number;
  /** Calls that wait for a text at one time. */
  waitersMax: number;
  /** Texts in one answer. */
  pageMax: number;
}

export const defaultHandsetLimits: HandsetLimits = {
  textsPerHandsetMax: 1_000,
  handsetsMax: 10_000,
  textsMax: 50_000,
  waitersMax: 1_000,
  pageMax: handsetPageMax,
};

export interface HandsetStore extends Pick<Handsets, 'list' | 'messages'> {
  add(message: HandsetMessage): void;
  /** The sender of the latest text that `isOwn` allows, or null. */
  lastSender(number: string, isOwn?: SenderFilter): string | null;
  /** Answers everyone who waits; from then on nobody does. */
  endWaits(): void;
}

const everySender: SenderFilter = () => true;

export function createHandsetStore(clock: Clock, limits: HandsetLimits = defaultHandsetLimits): HandsetStore {
  /** The handset that was quiet longest first. */
  const handsets = new Map<string, HandsetMessage[]>(sandboxPinnedHandsets.map((number) => [number, []]));
  const waiters = createWaiters(clock, limits.waitersMax);
  let texts = 0;
  let ended = false;

  function makeRoom(): void {
    for (const [number, held] of handsets) {
      if (handsets.size <= limits.handsetsMax && texts <= limits.textsMax) return;
      texts -= held.length;
      if (sandboxPinnedHandsets.includes(number)) held.length = 0;
      else handsets.delete(number);
    }
  }

  function add(message: HandsetMessage): void {
    const held = handsets.get(message.to) ?? [];
    held.push(message);
    texts++;
    if (held.length > limits.textsPerHandsetMax) {
      held.shift();
      texts--;
    }
    handsets.delete(message.to);
    handsets.set(message.to, held);
    makeRoom();
    waiters.wake(message.to, message.from);
  }

  function page(number: string, after: string, isOwn: SenderFilter): HandsetMessage[] {
    const held = handsets.get(number) ?? [];
    const found: HandsetMessage[] = [];
    for (let i = firstAfter(held, after); i < held.length && found.length < limits.pageMax; i++) {
      if (isOwn(held[i].from)) found.push(held[i]);
    }
    return found;
  }

  return {
    add,
    list: (isOwn = everySender) => summaries(handsets, isOwn),
    messages: async (number, { after = '', waitMs, isOwn = everySender, signal }) => {
      const now = page(number, after, isOwn);
      if (now.length > 0 || waitMs <= 0 || ended || signal?.aborted) return now;
      const waited = waiters.wait(number, isOwn, waitMs, signal);
      if (waited === 'full') return waited;
      await waited;
      return page(number, after, isOwn);
    },
    lastSender: (number, isOwn = everySender) =>
      handsets.get(number)?.findLast(({ from }) => isOwn(from))?.from ?? null,
    endWaits: () => {
      ended = true;
      waiters.wakeAll();
    },
  };
}

/** Index of the first text whose id is greater; ids grow. */
function firstAfter(held: readonly HandsetMessage[], after: string): number {
  let low = 0;
  let high = held.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (held[middle].id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

function summaries(handsets: ReadonlyMap<string, HandsetMessage[]>, isOwn: SenderFilter): HandsetSummary[] {
  const rows: HandsetSummary[] = [];
  for (const [number, held] of handsets) {
    const own = held.filter(({ from }) => isOwn(from));
    if (own.length === 0 && !sandboxPinnedHandsets.includes(number)) continue;
    rows.push({ number, messages: own.length, lastReceivedAt: own.at(-1)?.receivedAt ?? null });
  }
  rows.sort((a, b) => (b.lastReceivedAt ?? 0) - (a.lastReceivedAt ?? 0) || (a.number < b.number ? -1 : 1));
  return rows.slice(0, handsetListMax);
}
