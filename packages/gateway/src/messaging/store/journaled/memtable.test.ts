/**
 * The table of messages not yet in the database: the journal's entries give the same table regardless of who applies
 * them.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Settlement } from '../../../model/delivery.ts';
import { acceptItem, hour, type ItemFields, minute, settlement, start } from '../../../store/contract/fixture.ts';
import type { SmsItem } from '../items.ts';
import { unfoldClaims } from '../operations/claim.ts';
import { type Entry, Memtable } from './memtable.ts';

const token = 5;

function filled(...fields: ItemFields[]): { table: Memtable; items: SmsItem[] } {
  const table = new Memtable();
  const items = fields.map((one) => acceptItem(start, one));
  for (const item of items) table.accept(item, token);
  return { table, items };
}

const idsOf = (items: readonly SmsItem[]) => items.flatMap(({ deliveries }) => deliveries.map((one) => one.messageId));
const claimed = (table: Memtable, limit = 100, { lane = 'c1', now = start } = {}) =>
  unfoldClaims(table.claim(lane, limit, now, token));
const sent = (messageId: string, fields: Partial<Settlement> = {}) =>
  ({ ...settlement({ messageId, attempt: 1, lane: 'c1' } as never, start), ...fields }) satisfies Settlement;

describe('claims', () => {
  it('give each delivery once, oldest first, never more than requested', () => {
    const { table, items } = filled({}, { recipients: ['14155550101', '14155550102'] }, {});
    const [first, second, third, fourth] = idsOf(items);
    expect(claimed(table, 0)).toEqual([]);
    expect(claimed(table, 2).map(({ messageId }) => messageId)).toEqual([first, second]);
    expect(table.waiting('c1')).toBe(2);
    expect(claimed(table).map(({ messageId }) => messageId)).toEqual([third, fourth]);
    expect(claimed(table)).toEqual([]);
    expect([table.waiting('c1'), table.rows]).toEqual([0, 4]);
  });

  it('say all that a carrier has to be given', () => {
    const { table, items } = filled({ text: 'Grüße', recipients: ['14155550101', '14155550102'], segments: 2 });
    items[0]!.message.wireText = 'Gruesse';
    const { messageId, expiresAt } = items[0]!.deliveries[1]!;
    const [, second] = claimed(table);
    expect(second).toEqual({
      messageId,
      expiresAt,
      accountId: 'acc1',
      lane: 'c1',
      attempt: 1,
      dupRisk: false,
      to: '14155550102',
      segments: 2,
      concatReference: 7,
      partsAccepted: [],
      keyId: 'key1',
      from: '15550001111',
      text: 'Gruesse',
      messageType: 'SMS',
      acceptedAt: start,
    });
  });

  it('name a request once for all its deliveries', () => {
    const { table } = filled({ recipients: ['14155550101', '14155550102'] }, {});
    const { requests, deliveries } = table.claim('c1', 10, start, token);
    expect(requests).toHaveLength(2);
    expect(deliveries.map(({ request }) => request)).toEqual([0, 0, 1]);
  });

  it('keep lanes apart', () => {
    const { table, items } = filled({ lane: 'c1' }, { lane: 'c2' }, { lane: 'c1' });
    const [one, two, three] = idsOf(items);
    expect([table.waiting('c1'), table.waiting('c2'), table.waiting('c3')]).toEqual([2, 1, 0]);
    expect(claimed(table, 10, { lane: 'c2' }).map(({ messageId }) => messageId)).toEqual([two]);
    expect(claimed(table, 10, { lane: 'c3' })).toEqual([]);
    expect(claimed(table).map(({ messageId }) => messageId)).toEqual([one, three]);
  });

  it('pass over what is past its validity, which stays for the sweep', () => {
    const { table, items } = filled({ expiresAt: start + minute }, {}, { expiresAt: start + minute + 1 });
    const [, second, third] = idsOf(items);
    const claims = claimed(table, 10, { now: start + minute });
    expect(claims.map(({ messageId }) => messageId)).toEqual([second, third]);
    expect([table.waiting('c1'), table.rows]).toEqual([0, 3]);
    expect(table.all()[0]!.tries).toEqual([null]);
  });

  it('never give out what was sending at once', () => {
    const table = new Memtable();
    const item = acceptItem(start, { recipients: ['14155550101', '14155550102'] });
    item.deliveries[0]!.sending = true;
    table.accept(item, token);
    expect(table.waiting('c1')).toBe(1);
    expect(claimed(table).map(({ to }) => to)).toEqual(['14155550102']);
    expect(table.all()[0]!.tries).toEqual([
      { at: start, token, end: null },
      { at: start, token, end: null },
    ]);
  });

  it('go on with new ones when all that waited was taken', () => {
    const { table } = filled({}, {});
    claimed(table);
    const item = acceptItem(start, {});
    table.accept(item, token);
    expect(claimed(table).map(({ messageId }) => messageId)).toEqual(idsOf([item]));
  });
});

describe('settlements', () => {
  it('are current for the first try of this node while it is under way', () => {
    const { table, items } = filled({}, {});
    const [first, second] = idsOf(items);
    expect(table.isCurrent(sent(first!), token)).toBe(false);
    claimed(table, 1);
    expect(table.isCurrent(sent(first!), token)).toBe(true);
    expect(table.isCurrent(sent(first!), token - 1)).toBe(false);
    expect(table.isCurrent(sent(first!, { attempt: 2 }), token)).toBe(false);
    expect(table.isCurrent(sent(second!), token)).toBe(false);
    expect(table.isCurrent(sent('msg_unknown'), token)).toBe(false);
    table.settle(sent(first!), start);
    expect(table.isCurrent(sent(first!), token)).toBe(false);
  });

  it('end the try, not before it began', () => {
    const { table, items } = filled({});
    const [messageId] = idsOf(items);
    claimed(table, 1, { now: start + 10 });
    const settlement = sent(messageId!);
    table.settle(settlement, start + 5);
    expect(table.all()[0]!.tries).toEqual([{ at: start + 10, token, end: { at: start + 10, settlement } }]);
  });

  it('end a request with the last of its deliveries', () => {
    const { table, items } = filled({ recipients: ['14155550101', '14155550102'] });
    const [first, second] = idsOf(items);
    claimed(table);
    table.settle(sent(first!), start);
    expect(table.oldest(10, 'ended')).toEqual([]);
    table.settle(sent(second!), start);
    expect(table.oldest(10, 'ended').map(({ item }) => item)).toEqual(items);
  });
});

describe('the oldest', () => {
  it('come first, with about so many deliveries together', () => {
    const { table, items } = filled({ recipients: ['14155550101', '14155550102'] }, {}, {});
    const oldest = (rows: number) => table.oldest(rows, 'any').map(({ item }) => items.indexOf(item));
    expect([oldest(0), oldest(1), oldest(2), oldest(3), oldest(100)]).toEqual([[], [0], [0], [0, 1], [0, 1, 2]]);
    const [first, , third] = idsOf(items);
    claimed(table, 3);
    table.settle(sent(third!), start);
    table.settle(sent(first!), start);
    expect(table.oldest(100, 'ended').map(({ item }) => items.indexOf(item))).toEqual([1]);
  });

  it('say since when something waits', () => {
    const table = new Memtable();
    expect(table.oldestAt()).toBe(Number.POSITIVE_INFINITY);
    for (const at of [start + 7, start + 9]) table.accept(acceptItem(at, {}), token);
    expect(table.oldestAt()).toBe(start + 7);
    table.drop(table.oldest(1, 'any'));
    expect(table.oldestAt()).toBe(start + 9);
  });
});

describe('what is dropped', () => {
  it('is known no more, nor given out, nor counted', () => {
    const { table, items } = filled({ recipients: ['14155550101', '14155550102'] }, {}, { lane: 'c2' });
    const [first, second, third] = idsOf(items);
    claimed(table, 1);
    table.drop(table.oldest(1, 'any'));
    expect([table.rows, table.waiting('c1'), table.waiting('c2')]).toEqual([2, 1, 1]);
    expect([first, second].map((messageId) => table.requestOf(messageId!))).toEqual([undefined, undefined]);
    expect(table.requestOf(third!)?.item).toBe(items[1]);
    expect(table.isCurrent(sent(first!), token)).toBe(false);
    expect(claimed(table).map(({ messageId }) => messageId)).toEqual([third]);
    table.drop(table.all());
    expect([table.rows, table.all(), table.oldest(10, 'ended')]).toEqual([0, [], []]);
    expect(claimed(table, 10, { lane: 'c2' })).toEqual([]);
  });

  describe('takes no memory any more', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const dropOldest = (table: Memtable) => table.drop(table.oldest(1, 'any'));

    it.each([
      ['of which nothing is claimed', 0, dropOldest],
      ['of which nothing is claimed and that is never empty', 1, dropOldest],
      [
        'that is claimed from and never empty',
        1,
        (table: Memtable) => {
          claimed(table, 1);
          dropOldest(table);
        },
      ],
    ])('in a lane %s', async (_, waiting, pass) => {
      const table = new Memtable();
      const left: WeakRef<SmsItem>[] = [];
      const accept = () => {
        const item = acceptItem(start, {});
        left.push(new WeakRef(item));
        table.accept(item, token);
      };
      for (let count = 0; count < waiting; count += 1) accept();
      for (let count = 0; count < 5_000; count += 1) {
        accept();
        pass(table);
      }
      // A newly created weak reference keeps its target until the end of the turn.
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      expect([table.waiting('c1'), table.rows]).toEqual([waiting, waiting]);
      expect(left.filter((one) => one.deref() !== undefined).length).toBeLessThan(2_500);
    });
  });
});

describe('the entries of the journal', () => {
  /** Many requests, as frames and as the resulting table. */
  function lived(): { table: Memtable; entries: Entry[] } {
    const table = new Memtable();
    const entries: Entry[] = [];
    let seed = 1;
    const below = (limit: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    const open: string[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      const now = start + turn * 1_000;
      const accepted = Array.from({ length: below(4) }, () => {
        const recipients = Array.from({ length: 1 + below(3) }, (_, index) => `1415555010${index}`);
        const item = acceptItem(now, { recipients, lane: `c${below(2)}`, expiresAt: now + (below(2) ? hour : 5_000) });
        for (const delivery of item.deliveries) {
          if (below(4) > 0) continue;
          delivery.sending = true;
          open.push(delivery.messageId);
        }
        return item;
      });
      const settled = open
        .splice(0, below(4))
        .filter((messageId) => table.requestOf(messageId))
        .map((id) => sent(id));
      for (const item of accepted) table.accept(item, token);
      for (const one of settled) table.settle(one, now);
      const claims = table.claim(`c${below(2)}`, below(5), now, token).deliveries.map(({ messageId }) => messageId);
      open.push(...claims);
      entries.push({ now, token, accepted, settled, claimed: claims });
    }
    return { table, entries };
  }

  it('make the same table again', () => {
    const { table, entries } = lived();
    const again = new Memtable();
    for (const entry of entries) again.apply(JSON.parse(JSON.stringify(entry)) as Entry);
    expect(again.all()).toEqual(table.all());
    expect(again.oldest(1_000, 'ended')).toEqual(table.oldest(1_000, 'ended'));
    expect(table.all().length).toBeGreaterThan(50);
    expect(new Set(table.all().flatMap(({ tries }) => tries.map((one) => one && one.end !== null)))).toEqual(
      new Set([null, true, false]),
    );
  });

  it('keep the token of the node that wrote them', () => {
    const { table } = filled();
    const item = acceptItem(start, { recipients: ['14155550101', '14155550102'] });
    item.deliveries[0]!.sending = true;
    const claimedLater = item.deliveries[1]!.messageId;
    table.apply({ now: start, token: 3, accepted: [item], settled: [], claimed: [] });
    table.apply({ now: start + 1, token: 3, accepted: [], settled: [], claimed: [claimedLater] });
    expect(table.all()[0]!.tries.map((one) => one?.token)).toEqual([3, 3]);
    expect(table.waiting('c1')).toBe(0);
  });
});
