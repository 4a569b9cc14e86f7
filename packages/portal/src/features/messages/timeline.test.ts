import '../../language/english';

import { describe, expect, it } from 'vitest';
import type { MessageWaiting } from '../../api/routes/messages-answers';
import type { Link, Routed, StoryDelivery, TimelineEvent } from './message-data';
import { type Around, entriesOf, isHeldBack, isOfCarrier, spanText, waitingText } from './timeline';

const event = (state: string, second: number, sequence: number): TimelineEvent => ({
  eventId: `evt_${sequence}`,
  sequence,
  state,
  code: null,
  carrier: null,
  carrierCode: null,
  detail: null,
  occurredAt: new Date(second * 1_000).toISOString(),
});

describe('the timeline', () => {
  it('shows waits, retries and notifications', () => {
    const events = [event('queued', 0, 2), event('sending', 1, 3), event('queued', 2, 4), event('sent', 254, 5)];
    const delivery = { eventId: 'evt_5', updatedAt: events[3]!.occurredAt } as StoryDelivery;
    const shown = entriesOf(events, [delivery]).map((entry) =>
      entry.kind === 'event' ? `${entry.event.state}${entry.again ? ' again' : ''}` : entry.kind,
    );
    expect(shown).toEqual(['queued', 'sending', 'queued again', 'gap', 'sent', 'webhook']);
  });

  const up: Link = { running: true, up: true, since: new Date(0).toISOString(), paused: false };
  const around = (more: Partial<Around> = {}): Around => ({
    carrierName: 'One',
    link: up,
    routed: null,
    waiting: null,
    time: (at) => at.slice(11, 19),
    nowMs: 0,
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

  const waits = (why: MessageWaiting['why'], more: Partial<MessageWaiting> = {}): MessageWaiting => ({
    why,
    carrier: { carrierId: 'c1', name: 'One' },
    since: null,
    until: null,
    code: null,
    perSecond: null,
    also: [],
    ...more,
  });

  it('says at once what it waits for now, and of what is under way only after a while', () => {
    const now = (waiting: MessageWaiting | null, nowMs = 1_000) => gaps([queued(null)], { nowMs, waiting });
    expect(now(waits('paused', { since: new Date(0).toISOString() }))).toEqual(['One is paused since 00:00:00']);
    expect(now(waits('turn'))).toEqual([]);
    expect(now(waits('turn'), 6_000)).toEqual(['nothing is in its way; it goes when those before it have gone']);
    expect(now(null)).toEqual([]);
    expect(now(null, 40_000)).toEqual(['in the queue of its carrier; the reason is not on record']);
    expect(gaps([event('delivered', 0, 5)], { nowMs: 99_000, waiting: waits('paused') })).toEqual([]);
  });

  it.each([
    [waits('down'), 'One is down: none of its connections is up'],
    [waits('off', { carrier: null }), 'its carrier is switched off'],
    [waits('rate', { perSecond: 1 }), 'the limit of One is reached, 1 segment a second'],
    [waits('quiet', { until: 'x' }), 'the company’s quiet hours hold it until x (minute)'],
    [waits('quiet'), 'the company’s quiet hours hold it'],
    [waits('campaign', { until: 'x' }), 'the limit of its campaign for a minute is reached; it goes on at x (second)'],
    [waits('media'), 'its media are not ready yet'],
    [waits('media', { until: 'x' }), 'its media are not ready; they are tried again at x (second)'],
    [
      waits('media', { also: [{ why: 'paused', since: 'x', until: null, code: null }] }),
      'its media are not ready yet; and One is paused since x (minute)',
    ],
    [waits('time', { until: 'x' }), 'it is not due before x (second)'],
    [waits('person'), 'it may have left already, so a person decides whether it is sent'],
    [waits('retry', { until: 'x', code: 'ESME_RTHROTTLED' }), 'it is tried again at x (second), after ESME_RTHROTTLED'],
  ])('puts %j into words', (waiting, text) => {
    expect(waitingText(waiting, 0, (at, form = 'minute') => `${at} (${form})`)).toBe(text);
  });

  it('leads to its carrier where that is among the reasons', () => {
    const also = (why: MessageWaiting['why']) => [{ why, since: null, until: null, code: null }];
    expect(isOfCarrier(waits('paused'))).toBe(true);
    expect(isOfCarrier(waits('media', { also: also('down') }))).toBe(true);
    expect(isOfCarrier(waits('media', { also: also('quiet') }))).toBe(false);
    expect(isOfCarrier(waits('person'))).toBe(false);
  });

  it('lets an event that says why it waits speak for itself', () => {
    const detail = 'Held by the company’s quiet hours until 8.';
    expect(isHeldBack({ ...queued('QUIET_HOURS'), detail })).toBe(true);
    expect(isHeldBack({ ...queued('QUIET_HOURS'), detail: null })).toBe(false);
    expect(isHeldBack({ ...queued('CARRIER_UNAVAILABLE'), detail })).toBe(false);
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
