import { describe, expect, it } from 'vitest';
import { createIds, eventId, firstIdAt, idTime, isMessageId } from './ids.ts';
import { machineRandom } from './machine.ts';

function idsAt(times: number[]) {
  let i = 0;
  return createIds(
    { now: () => times[Math.min(i++, times.length - 1)]!, monotonicMs: () => 0, after: () => () => {} },
    machineRandom,
  );
}

describe('ids', () => {
  it('have a prefix and 26 characters of base 32', () => {
    expect(idsAt([1_700_000_000_000]).message()).toMatch(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('of messages differ from others by their form', () => {
    const ids = idsAt([1_700_000_000_000]);
    expect(isMessageId(ids.message())).toBe(true);
    const id = ids.message();
    for (const other of [ids.request(), id.slice(0, -1), `${id}0`, id.toLowerCase(), `${id}\n`, id.replace('msg_', '')])
      expect([other, isMessageId(other)]).toEqual([other, false]);
  });

  it('grow strictly, within one millisecond and when the clock steps back', () => {
    const ids = idsAt([1_700_000_000_000, 1_700_000_000_000, 1_699_999_999_000, 1_700_000_000_001]);
    const made = Array.from({ length: 20_000 }, () => ids.message());
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
  });

  it('contain the time they were made at', () => {
    expect(idTime(idsAt([1_700_000_000_123]).message())).toBe(1_700_000_000_123);
    for (const none of ['', 'msg_1', 'msg_8ZZZZZZZZZ0000000000000000', 'msg_01jd8z6qf20000000000000000']) {
      expect(idTime(none)).toBeNull();
    }
  });

  it('of a time begin where the first of that time does', () => {
    const now = 1_700_000_000_000;
    const id = idsAt([now]).message();
    expect(id.startsWith(firstIdAt('msg_', now + 0.5))).toBe(true);
    expect([firstIdAt('msg_', now) < id, id < firstIdAt('msg_', now + 1)]).toEqual([true, true]);
    expect([firstIdAt('msg_', -5), firstIdAt('evt_', 33)]).toEqual(['msg_0000000000', 'evt_0000000011']);
  });

  it('make version 7 UUIDs in lower case with the time in front', () => {
    const uuid = idsAt([0x0192f1c27a51]).uuidv7();
    expect(uuid).toMatch(/^0192f1c2-7a51-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('have chance at every place that is not spoken for', () => {
    const ids = createIds({ now: () => 0x0192f1c27a51, monotonicMs: () => 0, after: () => () => {} }, machineRandom);
    const seen = (make: () => string) => {
      const made = Array.from({ length: 2_000 }, make);
      return Array.from(made[0]!, (_, place) => new Set(made.map((id) => id[place])).size);
    };
    const uuid = seen(ids.uuidv7);
    expect(uuid.map((count) => (count === 16 ? 'x' : count)).join('')).toBe('111111111111111xxx14xxx1xxxxxxxxxxxx');
  });

  it('derive an event id from message and sequence', () => {
    expect(eventId('msg_01ABC', 3)).toBe('evt_01ABC_3');
  });
});
