import { describe, expect, it } from 'vitest';
import type { TimelineEvent, Told } from './message-data';
import { entriesOf, spanText } from './timeline';

const event = (state: string, second: number, sequence: number): TimelineEvent => ({
  ...{ eventId: `evt_${sequence}`, sequence, state, code: null, carrier: null, carrierCode: null, detail: null },
  occurredAt: new Date(second * 1_000).toISOString(),
});

describe('the timeline', () => {
  it('tells waits, tries again, and who was told of what', () => {
    const events = [event('queued', 0, 2), event('sending', 1, 3), event('queued', 2, 4), event('sent', 254, 5)];
    const told = { eventId: 'evt_5', updatedAt: events[3]!.occurredAt } as Told;
    const shown = entriesOf(events, [told]).map((entry) =>
      entry.kind === 'event' ? `${entry.event.state}${entry.again ? ' again' : ''}` : entry.kind,
    );
    expect(shown).toEqual(['queued', 'sending', 'queued again', 'gap', 'sent', 'webhook']);
  });

  it.each([
    [412, '0.4 s'],
    [12_400, '12 s'],
    [252_000, '4 m 12 s'],
    [3_900_000, '1 h 5 m'],
    [200_000_000, '2 d 7 h'],
  ])('writes %i ms as %s', (ms, text) => expect(spanText(ms)).toBe(text));
});
