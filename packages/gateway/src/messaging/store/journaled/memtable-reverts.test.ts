/** What a transaction did to memory is undone when it is not stored: memory is as before, and goes on as before. */
import { expect, it } from 'vitest';
import { acceptItem, settlement, start } from '../../../store/contract/fixture.ts';
import { type Entry, Memtable, type Request } from './memtable.ts';

const token = 7;
const lanes = ['c1', 'c2'];

/** Equal numbers for an equal seed. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Everything that its users can learn from it. */
function facts(table: Memtable) {
  const ids = ({ item }: Request) => item.deliveries.map(({ messageId }) => messageId);
  return {
    requests: table.all().map((request) => [ids(request), structuredClone(request.tries), request.open, request.frame]),
    ended: new Set(table.oldest(1_000, 'ended').flatMap(ids)),
    rows: [table.rows, table.endedRows],
    queues: lanes.map((lane) => [table.waiting(lane), [...table.nextOf(lane, 1_000)].map(ids)]),
    handsets: [0, 1, 2].map((last) => new Set([...table.requestsTo(`1415555010${last}`)].flatMap(ids))),
  };
}

/** A group that memory takes, as the next frame: some texts, some claims, some answers. */
function takeGroup(table: Memtable, frame: number, random: (below: number) => number) {
  const open = table
    .all()
    .flatMap(({ item, tries }) => item.deliveries.filter((_, place) => tries[place] && !tries[place]?.end));
  const entry: Pick<Entry, 'accepted' | 'settled' | 'claimed'> = { accepted: [], settled: [], claimed: [] };
  for (let texts = random(4); texts > 0; texts -= 1) {
    const recipients = Array.from({ length: 1 + random(3) }, () => `1415555010${random(3)}`);
    const item = acceptItem(start + frame, { recipients, lane: lanes[random(2)]! });
    for (const delivery of item.deliveries) if (random(3) === 0) delivery.sending = true;
    table.accept(item, token, frame);
    entry.accepted.push(item);
  }
  for (const { messageId, lane } of open) {
    if (random(2) === 0) continue;
    const ended = settlement({ messageId, attempt: 1, lane } as never, start + frame);
    table.settle(ended, start + frame);
    entry.settled.push(ended);
  }
  for (const lane of lanes) {
    const { deliveries } = table.claim(lane, random(4), start + frame, token);
    entry.claimed.push(...deliveries.map(({ messageId }) => messageId));
  }
  return entry;
}

it.each(Array.from({ length: 40 }, (_, seed) => seed))('whatever it was, seed %i', (seed) => {
  const random = chance(seed);
  const table = new Memtable();
  for (let frame = 1; frame < 30; frame += 1) {
    const before = facts(table);
    const dropped = random(2) === 0 ? table.oldest(random(5), random(2) === 0 ? 'any' : 'ended') : [];
    table.drop(dropped);
    const taken = takeGroup(table, frame, random);
    if (random(2) === 0) continue;
    table.revert(taken);
    table.restore(dropped);
    expect(facts(table)).toEqual(before);
  }
  expect(table.rows).toBeGreaterThan(0);
});
