/**
 * Which writes are answered from memory, depending on what is known of the database, and when that knowledge expires.
 */
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../model/delivery.ts';
import type { WriteCall } from '../../../store/catalogue.ts';
import { acceptItem, settlement, start } from '../../../store/contract/fixture.ts';
import type { Claimed } from '../operations/claim.ts';
import { MessageBuffer } from './buffer.ts';

const token = 7;
const empty: Claimed = { requests: [], deliveries: [] };
const accept = (...items: unknown[]): WriteCall => ({ kind: 'accept', items });
const claim = (limit: number, lane = 'c1'): WriteCall => ({
  kind: 'claim',
  items: [{ lane, limit, now: start, token }],
});

function useBuffer() {
  const database = { early: false, looks: 0 };
  const read = <T>(): T => {
    database.looks += 1;
    return database.early as T;
  };
  const buffer = new MessageBuffer({ read }, token);
  /** Commits the group with the database's answer; returns which calls queried the database. */
  const commit = (calls: WriteCall[], answer: unknown = empty) => {
    const sorted = buffer.sort(calls, start)!;
    const results = calls.map(({ items }, call) =>
      items.map((_, place) => (sorted.places[call]!.includes(place) ? answer : undefined)),
    );
    const text = buffer.take(calls, sorted, results);
    return { queried: sorted.places.map(({ length }) => length > 0), evicted: sorted.evicted.size, results, text };
  };
  const texts = (count: number) => Array.from({ length: count }, () => acceptItem(start, {}));
  /** A lane with texts in memory and, as far as known, none in the database. */
  const dry = () => {
    commit([accept(...texts(10))]);
    expect(commit([claim(2)]).queried).toEqual([true]);
    expect(commit([claim(2)]).queried).toEqual([false]);
  };
  return { buffer, database, commit, texts, dry };
}

describe('a claim', () => {
  it('queries the database once, and then memory while that has enough', () => {
    const { commit, dry } = useBuffer();
    dry();
    expect(commit([claim(2)]).results[0]![0]).toMatchObject({ deliveries: [{ lane: 'c1' }, { lane: 'c1' }] });
    expect(commit([claim(9)]).queried).toEqual([true]);
  });

  it.each(['leaving', 'forgetDatabase', 'an accept that memory does not take'] as const)(
    'asks again after %s',
    (what) => {
      const { buffer, commit, texts, dry } = useBuffer();
      dry();
      if (what === 'leaving') buffer.leaving(buffer.oldest(10, 'any'));
      else if (what === 'forgetDatabase') buffer.forgetDatabase();
      else
        commit([accept({ ...texts(1)[0]!, held: { until: start, code: 'QUIET_HOURS', detail: 'It is quiet now.' } })], {
          kind: 'stored',
        });
      expect(commit([claim(2)]).queried).toEqual([true]);
    },
  );

  it('does not ask again when what left had ended', () => {
    const { buffer, commit, texts } = useBuffer();
    const atOnce = texts(1)[0]!;
    atOnce.deliveries[0]!.sending = true;
    commit([accept(atOnce, ...texts(5))]);
    commit([claim(2)]);
    commit([settled(atOnce)]);
    buffer.leaving(buffer.oldest(1, 'ended'));
    expect(commit([claim(2)]).queried).toEqual([false]);
  });
});

describe('a settlement', () => {
  it('stays in memory until a receipt waits for its part in the database', () => {
    const { buffer, database, commit, texts } = useBuffer();
    const items = texts(4);
    for (const { deliveries } of items) deliveries[0]!.sending = true;
    commit([accept(...items)]);
    const answers = () => commit([settled(items.pop()!)], ['sent']);
    expect(answers()).toMatchObject({ queried: [false], evicted: 0 });
    expect(answers()).toMatchObject({ queried: [false], evicted: 0 });
    expect(database.looks).toBe(1);
    // Receipts need a transaction that flushes everything.
    database.early = true;
    buffer.forgetDatabase();
    expect(answers()).toMatchObject({ queried: [true], evicted: 1, text: null });
  });
});

function settled({ deliveries: [delivery] }: ReturnType<typeof acceptItem>): WriteCall {
  const own = { messageId: delivery!.messageId, attempt: 1, lane: 'c1' } as Claim;
  return { kind: 'settle', items: [settlement(own, start)] };
}
