/**
 * Tests of the judge of webhooks: it must see each difference between arrivals, feed and timelines, and report no false
 * ones.
 */
import { describe, expect, it } from 'vitest';
import { type EventEvidence, judgeEvents } from './event-judge.ts';
import type { LoggedEvent } from './event-log.ts';
import type { LoggedMessage } from './message-log.ts';
import { type Arrival, bodyHash } from './webhook-sink.ts';

const nothing = { missing: [], invented: [], feedDiffers: [], changed: [], forged: [], finals: [] };

function message(messageId: string, ...states: string[]): LoggedMessage {
  const events = states.map((state, index) => ({
    eventId: `evt_${messageId}_${index + 1}`,
    sequence: index + 1,
    state,
    code: null,
  }));
  return { messageId, to: '1', text: '', state: states.at(-1)!, code: null, dupRisk: false, events };
}

function event(messageId: string, state: string, sequence: number): LoggedEvent {
  const data = { messageId, sequence };
  return { id: `evt_${messageId}_${sequence}`, type: `message.${state}`, timestamp: 'then', data };
}

const carrierUp: LoggedEvent = { id: 'evt_up', type: 'carrier.up', timestamp: 'then', data: { carrierId: 'smsc' } };

function arrivalOf({ id, ...body }: LoggedEvent, changes: Partial<Arrival> = {}): Arrival {
  const { messageId = null, sequence = null } = body.data as { messageId?: string; sequence?: number };
  const hash = bodyHash(JSON.stringify(body));
  return { id, type: body.type, messageId, sequence, bodyHash: hash, genuine: true, ...changes };
}

/** One delivered message, one reply, and a carrier that came up: each arrived, in the feed and on record. */
function whole(): EventEvidence & { arrivals: Arrival[]; feed: LoggedEvent[]; messages: LoggedMessage[] } {
  const feed = [event('a', 'sent', 3), event('a', 'delivered', 4), event('b', 'received', 1), carrierUp];
  const messages = [message('a', 'queued', 'sending', 'sent', 'delivered'), message('b', 'received')];
  return { feed, messages, arrivals: feed.map((each) => arrivalOf(each)) };
}

describe('the judge of webhooks', () => {
  it('finds nothing wrong when all agree, also with repeats and in another order', () => {
    const { feed, messages, arrivals } = whole();
    const verdict = judgeEvents({ feed, messages, arrivals: [arrivals[1]!, ...arrivals] });
    expect(verdict).toEqual({ ...nothing, messages: 2, events: 4, repeated: 1 });
  });

  it('sees an event that never arrived', () => {
    const { feed, messages, arrivals } = whole();
    expect(judgeEvents({ feed, messages, arrivals: arrivals.slice(1) })).toMatchObject({
      ...nothing,
      missing: ['evt_a_3 message.sent a 3'],
    });
    expect(judgeEvents({ feed, messages, arrivals: arrivals.slice(0, 3) }).missing).toEqual(['evt_up carrier.up']);
    const withoutFinal = arrivals.filter(({ type }) => type !== 'message.delivered');
    expect(judgeEvents({ feed, messages, arrivals: withoutFinal }).finals).toHaveLength(1);
  });

  it('sees a state that the message never had, and an unknown event', () => {
    const { feed, messages, arrivals } = whole();
    const invented = [arrivalOf(event('a', 'failed', 3)), arrivalOf({ ...carrierUp, id: 'evt_down' })];
    const verdict = judgeEvents({ feed, messages, arrivals: [...arrivals, ...invented] });
    expect(verdict.invented).toEqual(['evt_a_3', 'evt_down']);
  });

  it('sees a final state under two ids, and two final states', () => {
    const { feed, messages, arrivals } = whole();
    for (const second of [event('a', 'delivered', 5), event('a', 'undelivered', 5)]) {
      expect(judgeEvents({ feed, messages, arrivals: [...arrivals, arrivalOf(second)] }).finals).toHaveLength(1);
    }
  });

  it('sees a feed that lacks an event, has one more, or has one twice', () => {
    const { feed, messages, arrivals } = whole();
    const differs = (other: LoggedEvent[]) => judgeEvents({ feed: other, messages, arrivals }).feedDiffers;
    expect(differs(feed.slice(1))).toEqual(['evt_a_3']);
    expect(differs([...feed, event('a', 'held', 9)])).toEqual(['evt_a_9']);
    expect(differs([...feed, feed[0]!])).toHaveLength(1);
  });

  it('sees a body that differs between attempts or from the feed, and a false signature', () => {
    const { feed, messages, arrivals } = whole();
    const again = { ...arrivals[0]!, bodyHash: 'another' };
    expect(judgeEvents({ feed, messages, arrivals: [...arrivals, again] }).changed).toEqual(['evt_a_3']);
    expect(judgeEvents({ feed, messages, arrivals: [again!, ...arrivals.slice(1)] }).changed).toEqual(['evt_a_3']);
    const forged = { ...arrivals[2]!, genuine: false };
    expect(judgeEvents({ feed, messages, arrivals: [...arrivals, forged] }).forged).toEqual(['evt_b_1']);
  });
});
