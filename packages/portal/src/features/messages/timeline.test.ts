import { describe, expect, it } from 'vitest';
import type { Link, Routed, TimelineEvent, Told } from './message-data';
import { type Around, entriesOf, spanText } from './timeline';

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

  const up: Link = { running: true, up: true, since: new Date(0).toISOString(), paused: false };
  const around = (more: Partial<Around> = {}): Around => ({
    ...{ carrierName: 'One', link: up, routed: null, time: (at) => at.slice(11, 19), nowMs: 0 },
    ...more,
  });
  const gaps = (events: TimelineEvent[], more: Partial<Around> = {}) =>
    entriesOf(events, [], around(more)).flatMap((entry) => (entry.kind === 'gap' ? [entry.reason] : []));
  const queued = (code: string | null, carrierCode: string | null = null) => ({
    ...event('queued', 0, 4),
    code,
    carrierCode,
  });
  const sending = event('sending', 60, 5);

  it.each([
    [queued('CAMPAIGN_LIMIT'), 'paced by the limit of its campaign'],
    [queued('DAILY_CAP_REACHED'), 'the day’s limit of the brand was used up'],
    [queued('CARRIER_UNAVAILABLE', 'ESME_RTHROTTLED'), 'to be tried again after ESME_RTHROTTLED'],
    [queued('GATEWAY_ERROR'), 'to be tried again after GATEWAY_ERROR'],
    [queued(null), 'in the queue of its carrier; the reason is not on record'],
    [event('sent', 0, 4), 'for the receipt of the carrier'],
    [event('uncertain', 0, 4), 'for a receipt that tells whether it had left'],
    [event('held', 0, 4), 'for a person to decide'],
  ])('says why it waited after %j', (before, reason) => expect(gaps([before, sending])).toEqual([reason]));

  it('says that the carrier was down when it came up meanwhile, and only then', () => {
    const since = (second: number) => ({ link: { ...up, since: new Date(second * 1_000).toISOString() } });
    expect(gaps([queued(null), sending], since(50))).toEqual(['One was down until 00:00:50']);
    expect(gaps([queued(null), sending], since(70))).toEqual([
      'in the queue of its carrier; the reason is not on record',
    ]);
  });

  it('says what it waits for now', () => {
    const now = { nowMs: 40_000 };
    expect(gaps([queued(null)], { ...now, link: { ...up, up: false } })).toEqual(['One is down']);
    expect(gaps([queued(null)], { ...now, link: { ...up, paused: true } })).toEqual(['One is paused']);
    expect(gaps([queued('CAMPAIGN_LIMIT')], { ...now, link: { ...up, up: false } })).toEqual([
      'paced by the limit of its campaign',
    ]);
    const carrier = { carrierId: 'c1', enabled: true, takesKind: true, up: false, paused: false };
    const routed = { rules: [{ carriers: [carrier] }] } as unknown as Routed;
    expect(gaps([queued(null)], { ...now, link: null, routed })).toEqual(['c1 is down']);
    expect(gaps([queued(null)], { nowMs: 29_000 })).toEqual([]);
    expect(gaps([event('delivered', 0, 5)], { nowMs: 99_000 })).toEqual([]);
  });

  it('shows the rule behind what was accepted, when it is known', () => {
    const kinds = (routed: Routed | null) =>
      entriesOf([event('accepted', 0, 1), event('queued', 0, 2)], [], around({ routed })).map(({ kind }) => kind);
    expect(kinds({} as Routed)).toEqual(['event', 'routed', 'event']);
    expect(kinds(null)).toEqual(['event', 'event']);
  });

  it.each([
    [412, '0.4 s'],
    [12_400, '12 s'],
    [252_000, '4 m 12 s'],
    [3_900_000, '1 h 5 m'],
    [200_000_000, '2 d 7 h'],
  ])('writes %i ms as %s', (ms, text) => expect(spanText(ms)).toBe(text));
});
