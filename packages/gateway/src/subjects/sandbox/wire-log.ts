/**
 * The wire log between gateway and simulated carrier: the newest entries, for each pair of number and handset and
 * overall, bounded in count and bytes.
 */
import { createWaiters, noPair, type Said } from '@heliograph/sandbox';
import type { SenderFilter } from '@heliograph/sandbox/handsets';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { type Wire, type WireEntry, wirePageMax } from '../../model/sandbox-wire.ts';

export interface WireLimits {
  entriesPerPairMax: number;
  entriesMax: number;
  /** Octets stored of one entry. */
  bytesMax: number;
  textCharactersMax: number;
  waitersMax: number;
}

export const defaultWireLimits: WireLimits = {
  entriesPerPairMax: 500,
  entriesMax: 5_000,
  bytesMax: 1_024,
  textCharactersMax: 160,
  waitersMax: 200,
};

export interface WireLog extends Wire {
  add(message: Said): void;
  endWaits(): void;
}

type Kept = Omit<WireEntry, 'hex'> & { bytes: Buffer };

const unknown = {
  sequence: null,
  status: null,
  ...noPair,
  messageId: null,
  data_coding: null,
  esm_class: null,
  text: null,
};
const nothing = Buffer.alloc(0);
const everySender: SenderFilter = () => true;
/** Key of waits for any entry. */
const anywhere = '';

export function createWireLog(
  { clock, ids }: { clock: Clock; ids: Pick<Ids, 'next'> },
  limits: WireLimits = defaultWireLimits,
): WireLog {
  /** The pair that was quiet longest comes first. */
  const pairs = new Map<string, Kept[]>();
  const waiters = createWaiters(clock, limits.waitersMax);
  let count = 0;
  let ended = false;

  function add({ bytes = nothing, ...fields }: Said): void {
    const entry: Kept = {
      ...unknown,
      ...fields,
      id: ids.next('pdu_'),
      at: clock.now(),
      text: fields.text == null ? null : cut(fields.text, limits.textCharactersMax),
      sizeBytes: bytes.length,
      bytes: Buffer.from(bytes.subarray(0, limits.bytesMax)),
    };
    const { own, handset } = entry;
    const key = `${own} ${handset}`;
    const kept = pairs.get(key) ?? [];
    kept.push(entry);
    count++;
    if (kept.length > limits.entriesPerPairMax) {
      kept.shift();
      count--;
    }
    pairs.delete(key);
    pairs.set(key, kept);
    makeRoom();
    waiters.wake(anywhere, own ?? '');
    if (handset !== null) waiters.wake(handset, own ?? '');
  }

  function makeRoom(): void {
    for (const [key, kept] of pairs) {
      if (count <= limits.entriesMax) return;
      count -= kept.length;
      pairs.delete(key);
    }
  }

  function page(handset: string | null, after: string | undefined, isOwn: SenderFilter): WireEntry[] {
    const found: Kept[] = [];
    for (const kept of pairs.values()) {
      const [first] = kept;
      if (first === undefined || !concerns(first, handset, isOwn)) continue;
      found.push(...(after === undefined ? kept : kept.filter(({ id }) => id > after)));
    }
    found.sort((a, b) => (a.id < b.id ? -1 : 1));
    const shown = after === undefined ? found.slice(-wirePageMax) : found.slice(0, wirePageMax);
    return shown.map(({ bytes, ...entry }) => ({ ...entry, hex: bytes.toString('hex') }));
  }

  return {
    add,
    list: async ({ handset, after, waitMs, isOwn = everySender, signal }) => {
      const now = page(handset, after, isOwn);
      if (now.length > 0 || waitMs <= 0 || ended || signal?.aborted) return now;
      const waited = waiters.wait(handset ?? anywhere, (own) => own === '' || isOwn(own), waitMs, signal);
      if (waited === 'full') return waited;
      await waited;
      return page(handset, after, isOwn);
    },
    endWaits: () => {
      ended = true;
      waiters.wakeAll();
    },
  };
}

function concerns(entry: Kept, handset: string | null, isOwn: SenderFilter): boolean {
  if (entry.own === null) return true;
  return isOwn(entry.own) && (handset === null || entry.handset === handset);
}

function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`;
}
