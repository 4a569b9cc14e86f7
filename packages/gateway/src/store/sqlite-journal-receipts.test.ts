/**
 * Receipts beside a journal: whatever comes when, they do what they do to a store that has every message in its
 * database, and move only the messages they may be about.
 */
import { describe, expect, it } from 'vitest';
import { dice } from '../../../../test/props/chance.ts';
import type { Settlement } from '../model/delivery.ts';
import { acceptItem, type ItemFields, receipt, settlement, start } from './contract/fixture.ts';
import { anonymous, framesOf, recovered, statesOf, timelineOf, useCrashing } from './journal/crash-fixture.ts';

const world = useCrashing();
const ways = ['receipts', 'knownReceipts', 'lookUpReceipts', 'earlyReceipts'] as const;
type Way = (typeof ways)[number];
const handsets = ['14155550101', '14155550102', '14155550103'];

type Step =
  | { what: 'accept'; nth: number; recipients: string[] }
  | { what: 'settle'; nth: number; place: number; fields: Partial<Settlement> }
  | { what: 'receipt'; by: Way; id: string; to: string | null; state: 'delivered' | 'undelivered' | 'interim' }
  | { what: 'crash' };

/** What comes in one turn, and so shares a group: an acceptance, a crash, or answers and receipts, if any. */
function turns(seed: number): Step[][] {
  const fraction = dice(seed);
  const below = (count: number) => Math.floor(fraction() * count);
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const idOf = (nth: number, place: number) => `id-${nth}-${place}`;
  const open: { nth: number; place: number }[] = [];
  const made: Step[][] = [];
  let accepted = 0;

  function answer(): Step[] {
    const [own] = open.splice(below(open.length), 1);
    if (own === undefined) return [];
    const parts = [{ part: 1, carrierMessageId: idOf(own.nth, own.place) }];
    const fields: Partial<Settlement> =
      fraction() < 0.85 ? { parts } : { to: 'uncertain', code: 'UNCERTAIN', parts: [], dueAt: start + 3_600_000 };
    return [{ what: 'settle', ...own, fields }];
  }

  function report(): Step {
    const id = fraction() < 0.9 ? idOf(below(accepted + 1), below(2)) : 'unknown';
    const state = one(['delivered', 'delivered', 'undelivered', 'interim'] as const);
    const by = fraction() < 0.5 ? 'receipts' : one(ways);
    return { what: 'receipt', by, id, to: fraction() < 0.85 ? one(handsets) : null, state };
  }

  for (let turn = 0; turn < 60; turn += 1) {
    if (fraction() < 0.4) {
      const recipients = fraction() < 0.7 ? [one(handsets)] : [one(handsets), one(handsets)];
      for (const place of recipients.keys()) open.push({ nth: accepted, place });
      made.push([{ what: 'accept', nth: accepted, recipients }]);
      accepted += 1;
    } else if (fraction() < 0.05) made.push([{ what: 'crash' }]);
    else {
      const answers = Array.from({ length: below(3) }, answer).flat();
      made.push([...answers, ...Array.from({ length: below(3) }, report)]);
    }
  }
  return made;
}

/** Runs the turns; `fields` for each acceptance. Returns everything that can be seen afterwards. */
async function run(seed: number, fields: (nth: number) => ItemFields) {
  const ids: string[][] = [];
  const results: unknown[] = [];

  function begun(step: Step): Promise<unknown> {
    switch (step.what) {
      case 'accept': {
        const item = acceptItem(world.clock.now(), { recipients: step.recipients, ...fields(step.nth) });
        for (const delivery of item.deliveries) delivery.sending = true;
        ids[step.nth] = item.deliveries.map(({ messageId }) => messageId);
        return world.store.accept([item]);
      }
      case 'settle': {
        const own = { messageId: ids[step.nth]![step.place]!, attempt: 1, lane: 'c1' } as never;
        return world.store.settle([settlement(own, world.clock.now(), step.fields)]);
      }
      case 'receipt':
        return world.store[step.by]([
          receipt(world.clock.now(), { carrierMessageId: step.id, to: step.to, state: step.state }),
        ]);
      case 'crash':
        return world.goOn(world.crash()).then(() => recovered(world.store));
    }
  }

  for (const turn of turns(seed)) {
    world.clock.set(world.clock.now() + 1);
    results.push(await Promise.all(turn.map(begun)));
  }
  const views = await Promise.all(ids.flat().map((id) => world.store.message('acc1', id)));
  return anonymous({ results, views, unmatched: await world.store.unmatchedReceipts(1_000) });
}

describe('receipts', () => {
  it.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'do the same to messages in memory and in the database, seed %d',
    async (seed) => {
      const plain = await run(seed, () => ({}));
      world.clock.set(start);
      await world.goOn(world.fresh());
      const keyed = await run(seed, (nth) => ({ key: { key: `k${nth}`, bodyHash: 'aa', answer: '' } }));
      expect(plain).toEqual(keyed);
    },
  );

  it.each(ways)('leave in memory and journal what is for other handsets: %s', async (way) => {
    // More that have ended before it than such a transaction takes along.
    const others: string[] = [];
    for (let nth = 0; nth < 40; nth += 1) others.push(...(await world.accept({ to: handsets[1]! })));
    const [own] = await world.accept({ to: handsets[0]! });
    for (const claim of await world.claim(41)) {
      await world.settle(claim, { parts: [{ part: 1, carrierMessageId: `of-${claim.to}` }] });
    }
    await world.store[way]([receipt(start, { carrierMessageId: `of-${handsets[0]}`, to: handsets[0]! })]);
    expect(framesOf(world.folder).length).toBeGreaterThan(4);
    const copy = await world.open(world.crash());
    expect(await statesOf(copy, [own!, ...others])).toEqual(['delivered', ...others.map(() => 'sent')]);
    expect(await timelineOf(copy, own!)).toEqual(['accepted', 'queued', 'sending', 'sent', 'delivered']);
  });
});
