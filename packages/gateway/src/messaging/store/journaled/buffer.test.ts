/**
 * Which writes are answered from memory, depending on what is known of the database, and when that knowledge expires.
 */
import { describe, expect, it } from 'vitest';
import type { LaneId } from '../../../kernel/ids.ts';
import type { Claim } from '../../../model/delivery.ts';
import type { WriteCall } from '../../../store/catalogue.ts';
import { acceptItem, receipt, settlement, start } from '../../../store/contract/fixture.ts';
import { rowsMany, stepRows } from '../../../store/hook.ts';
import { runSync } from '../../../store/query.ts';
import type { Claimed } from '../operations/claim.ts';
import type { ReceiptOutcome } from '../operations/receipts.ts';
import { MessageBuffer } from './buffer.ts';

const token = 7;
const empty: Claimed = { requests: [], deliveries: [] };
const accept = (...items: unknown[]): WriteCall => ({ kind: 'accept', items });
const claim = (limit: number, lane = 'c1', now = start): WriteCall => ({
  kind: 'claim',
  items: [{ lane, limit, now, token }],
});

function useBuffer() {
  const database = { early: false, oldest: null as number | null, looks: 0 };
  const sort = (calls: readonly WriteCall[]) =>
    runSync(buffer.sort(calls, { now: start }), ({ statement }) => {
      database.looks += 1;
      if (statement.name !== 'select_next_due_queued') return database.early ? [{}] : [];
      return database.oldest === null ? [] : [{ due_at: database.oldest }];
    });
  const buffer = new MessageBuffer(token);
  /** Commits the group with the database's answer; returns which calls queried the database. */
  const commit = (calls: WriteCall[], answer: unknown = empty) => {
    const sorted = sort(calls)!;
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
  return { buffer, database, commit, sort, texts, dry };
}

describe('a claim', () => {
  it('queries the database once, and then memory while that has enough', () => {
    const { commit, dry } = useBuffer();
    dry();
    expect(commit([claim(2)]).results[0]![0]).toMatchObject({ deliveries: [{ lane: 'c1' }, { lane: 'c1' }] });
    expect(commit([claim(9)]).queried).toEqual([true]);
  });

  it.each(['leaving', 'forgetDatabase', 'an accept that memory does not take', 'a settlement there'] as const)(
    'asks again after %s',
    (what) => {
      const { buffer, commit, texts, dry } = useBuffer();
      dry();
      if (what === 'leaving') buffer.leaving(buffer.oldest(10, 'any'));
      else if (what === 'forgetDatabase') buffer.forgetDatabase();
      else if (what === 'a settlement there') commit([settled(texts(1)[0]!)], ['queued']);
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

describe('with many due in the database, a claim', () => {
  /** As many as it wants. */
  const found = (limit: number) => ({ requests: [], deliveries: Array.from({ length: limit }, () => ({})) });

  function useFull() {
    const world = useBuffer();
    world.commit([claim(2)], found(2));
    world.commit([accept(...world.texts(10))]);
    return world;
  }

  it('takes the oldest from there, and leaves in memory what is younger', () => {
    const { database, commit } = useFull();
    database.oldest = start - 1;
    for (const _ of [1, 2]) expect(commit([claim(2)], found(2))).toMatchObject({ queried: [true], evicted: 0 });
  });

  it('takes from memory what is older, and looks once how long that holds', () => {
    const { database, commit } = useFull();
    database.oldest = start + 1;
    for (const _ of [1, 2]) expect(commit([claim(2)])).toMatchObject({ queried: [false] });
    expect(database.looks).toBe(1);
  });

  it('takes the last that memory has together with what is due after it', () => {
    const { database, commit } = useFull();
    database.oldest = start + 1;
    commit([claim(7)]);
    expect(commit([claim(5, 'c1', start + 1)], found(5))).toMatchObject({ queried: [true], evicted: 3 });
  });

  it('has the other lanes of what it moved there ask again', () => {
    const { database, commit, texts } = useFull();
    database.oldest = start + 1;
    expect(commit([claim(1, 'c2')]).queried).toEqual([true]);
    const both = acceptItem(start, { recipients: ['14155550101', '14155550102'] });
    both.deliveries[1]!.lane = 'c2' as LaneId;
    commit([claim(10)]);
    commit([accept(both, ...texts(2).map((item) => inLane(item, 'c2')))]);
    commit([claim(12, 'c1', start + 1)], found(12));
    expect(commit([claim(1, 'c2')]).queried).toEqual([true]);
  });

  it('asks there again for what came there since and is older', () => {
    const { buffer, database, commit } = useFull();
    database.oldest = start + 1;
    commit([claim(2)]);
    buffer.leaving(buffer.oldest(10, 'any'));
    database.oldest = start;
    expect(commit([claim(2)], found(2))).toMatchObject({ queried: [true], evicted: 0 });
  });
});

describe('an accept, with very many waiting in memory,', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(14155550100 + index));

  it('goes to the database, unless it is sent at once', () => {
    const { commit, texts } = useBuffer();
    commit([accept(acceptItem(start, { recipients: numbers(rowsMany) }))]);
    const atOnce = texts(1)[0]!;
    atOnce.deliveries[0]!.sending = true;
    expect(commit([accept(...texts(1)), accept(atOnce)]).queried).toEqual([true, false]);
  });

  it('stays in memory when it is the last that does', () => {
    const { commit, texts } = useBuffer();
    commit([accept(acceptItem(start, { recipients: numbers(rowsMany - 1) }))]);
    expect(commit([accept(...texts(1))]).queried).toEqual([false]);
  });

  it('stays in memory when all of them have ended', () => {
    const { commit, texts } = useBuffer();
    const many = acceptItem(start, { recipients: numbers(rowsMany) });
    for (const delivery of many.deliveries) delivery.sending = true;
    commit([accept(many)]);
    expect(commit([settled(many)]).queried).toEqual([false]);
    expect(commit([accept(...texts(1))]).queried).toEqual([false]);
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
    database.early = true;
    buffer.forgetDatabase();
    expect(answers()).toMatchObject({ queried: [true], evicted: 1, text: null });
  });
});

describe('a receipt', () => {
  const came = (fields: Partial<ReturnType<typeof receipt>> = {}): WriteCall => ({
    kind: 'receipts',
    items: [receipt(start, fields)],
  });
  const outcome = (matched: boolean): ReceiptOutcome => ({ matched, moves: [] });
  const to = (...recipients: string[]) => acceptItem(start, { recipients });

  it('moves to the database all that is for its handset, and nothing else', () => {
    const { buffer, commit, sort } = useBuffer();
    const both = to('14155550101', '14155550102');
    const again = to('14155550101');
    const twice = to('14155550101', '14155550101');
    commit([accept(both, to('14155550103'), again, twice, to('14155550104'))]);
    const sorted = sort([came({ to: '14155550101' })])!;
    expect(sorted.places).toEqual([[0]]);
    expect([...sorted.evicted].map(({ item }) => item)).toEqual([both, again, twice]);
    buffer.drop([...sorted.evicted]);
    for (const handset of ['14155550101', '14155550102']) {
      expect(commit([came({ to: handset })], outcome(true))).toMatchObject({ queried: [true], evicted: 0, text: null });
    }
    expect(commit([came({ to: '14155550104' })], outcome(true)).evicted).toBe(1);
  });

  it('takes with it the answer that comes in the same group', () => {
    const { commit } = useBuffer();
    const [own, other] = [to('14155550101'), to('14155550102')];
    for (const { deliveries } of [own, other]) deliveries[0]!.sending = true;
    commit([accept(own, other)]);
    const group = [settled(own), settled(other), came({ to: '14155550101' })];
    expect(commit(group, outcome(true)).queried).toEqual([true, false, true]);
  });

  it('may be about anything only when it has an id and no handset', () => {
    const { buffer, sort } = useBuffer();
    const told = [came(), came({ to: null, idKeys: [] }), came({ to: null }), accept(to('14155550101'))];
    expect(told.map((call) => buffer.concernFew([call]))).toEqual([true, true, false, true]);
    expect(buffer.concernFew(told)).toBe(false);
    expect(told.map((call) => sort([call]) !== null)).toEqual([true, true, false, true]);
  });

  it('may be about many only step by step', () => {
    const { buffer, commit } = useBuffer();
    commit([accept(...Array.from({ length: stepRows }, () => to('14155550101')), to('14155550102'))]);
    expect(buffer.concernFew([came({ to: '14155550101' })])).toBe(true);
    expect(buffer.concernFew([came({ to: '14155550101' }), came({ to: '14155550102' })])).toBe(false);
    expect(buffer.concernFew([came({ to: '14155550102' })])).toBe(true);
  });

  it.each([
    ['receipts', true, 1],
    ['receipts', false, 2],
    ['earlyReceipts', false, 2],
    ['lookUpReceipts', false, 1],
  ])('(%s) that was matched: %s, lets answers look %d times whether one waits for them', (kind, matched, looks) => {
    const { database, commit, texts } = useBuffer();
    const items = texts(2);
    for (const { deliveries } of items) deliveries[0]!.sending = true;
    commit([accept(...items)]);
    commit([settled(items[0]!)]);
    commit([{ ...came({ to: '14155550109' }), kind }], outcome(matched));
    commit([settled(items[1]!)]);
    expect(database.looks).toBe(looks);
  });
});

function inLane(item: ReturnType<typeof acceptItem>, lane: string) {
  for (const delivery of item.deliveries) delivery.lane = lane as LaneId;
  return item;
}

function settled({ deliveries }: ReturnType<typeof acceptItem>): WriteCall {
  const claims = deliveries.map(({ messageId }) => ({ messageId, attempt: 1, lane: 'c1' }) as Claim);
  return { kind: 'settle', items: claims.map((own) => settlement(own, start)) };
}
