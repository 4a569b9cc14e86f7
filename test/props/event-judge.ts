/**
 * The judge of webhooks: compares what arrived at the customer's server, the event feed and the timelines of the
 * messages. The three must agree, with each event under one id and with one body.
 */
import type { LoggedEvent } from './event-log.ts';
import type { LoggedMessage } from './message-log.ts';
import { type Arrival, bodyHash } from './webhook-sink.ts';

export interface EventEvidence {
  /** Complete requests, as recorded by the customer's server. */
  arrivals: readonly Arrival[];
  /** The feed, oldest first. */
  feed: readonly LoggedEvent[];
  /** All messages on record in the gateway, in both directions. */
  messages: readonly LoggedMessage[];
}

/** Each list names faults; all are empty when the three agree. */
export interface EventVerdict {
  messages: number;
  /** Different events that arrived. */
  events: number;
  /** Arrivals of an event beyond its first. */
  repeated: number;
  /** In a timeline or the feed, but never arrived. */
  missing: string[];
  /** Arrived, but in neither the timelines nor the feed. */
  invented: string[];
  /** In the feed and in no timeline, or the reverse, or twice in the feed. */
  feedDiffers: string[];
  /** Ids with more than one body across their arrivals and the feed. */
  changed: string[];
  /** Ids that arrived with a false signature. */
  forged: string[];
  /**
   * Messages without exactly one final event, with a final event for another state, or with events for a state they
   * never had.
   */
  finals: string[];
}

/** States that send an event to the customer (docs/webhooks.md). */
const notifiedStates: readonly string[] = [
  ...['received', 'sent', 'delivered', 'undelivered', 'failed', 'expired', 'unconfirmed', 'held', 'canceled'],
];
/** Final states (docs/state-machine.md). */
const final: readonly string[] = ['received', 'delivered', 'undelivered', 'failed', 'expired', 'canceled'];

export function judgeEvents({ arrivals, feed, messages }: EventEvidence): EventVerdict {
  const arrived = new Map(arrivals.map((arrival) => [arrival.id, fact(arrival)]));
  const shown = new Map(feed.map((event) => [event.id, factOf(event)]));
  const onRecord = timelineFacts(messages);
  const ofMessages = [...shown.keys()].filter((id) => shown.get(id)!.startsWith('message.'));
  const known = new Map([...shown, ...onRecord]);
  return {
    messages: messages.length,
    events: arrived.size,
    repeated: arrivals.length - arrived.size,
    missing: [...known].filter(([id]) => !arrived.has(id)).map(([id, what]) => `${id} ${what}`),
    invented: arrivals.filter((arrival) => known.get(arrival.id) !== fact(arrival)).map(({ id }) => id),
    feedDiffers: [
      ...ofMessages.filter((id) => onRecord.get(id) !== shown.get(id)),
      ...[...onRecord.keys()].filter((id) => !shown.has(id)),
      ...feed.slice(shown.size).map(() => 'an event is in the feed twice'),
    ],
    changed: changedBodies(arrivals, feed),
    forged: arrivals.filter(({ genuine }) => !genuine).map(({ id }) => id),
    finals: wrongFinals(arrivals, messages),
  };
}

/** An event's content as one string, equal for the same event in every source. */
function fact({ type, messageId, sequence }: Pick<Arrival, 'type' | 'messageId' | 'sequence'>): string {
  return messageId === null ? type : `${type} ${messageId} ${sequence}`;
}

function factOf({ type, data }: LoggedEvent): string {
  return type.startsWith('message.') ? `${type} ${data.messageId} ${data.sequence}` : type;
}

function timelineFacts(messages: readonly LoggedMessage[]): Map<string, string> {
  return new Map(
    messages.flatMap(({ messageId, events }) =>
      events
        .filter(({ state }) => notifiedStates.includes(state))
        .map(({ eventId, state, sequence }) => [eventId, fact({ type: `message.${state}`, messageId, sequence })]),
    ),
  );
}

function changedBodies(arrivals: readonly Arrival[], feed: readonly LoggedEvent[]): string[] {
  const bodies = new Map(feed.map(({ id, ...body }) => [id, bodyHash(JSON.stringify(body))]));
  const changed = new Set<string>();
  for (const arrival of arrivals) {
    const first = bodies.get(arrival.id) ?? arrival.bodyHash;
    bodies.set(arrival.id, first);
    if (first !== arrival.bodyHash) changed.add(arrival.id);
  }
  return [...changed];
}

function wrongFinals(arrivals: readonly Arrival[], messages: readonly LoggedMessage[]): string[] {
  const finals = new Map<string, Map<string, string>>();
  for (const { id, type, messageId } of arrivals) {
    const state = type.slice('message.'.length);
    if (messageId === null || !final.includes(state)) continue;
    const ofMessage = finals.get(messageId) ?? new Map<string, string>();
    finals.set(messageId, ofMessage.set(id, state));
  }
  return messages
    .filter(({ messageId, state }) => {
      const wanted = final.includes(state) ? [state] : [];
      return [...(finals.get(messageId)?.values() ?? [])].join() !== wanted.join();
    })
    .map(
      ({ messageId, state }) => `${messageId} is ${state}, told: ${[...(finals.get(messageId) ?? [])].join(' and ')}`,
    );
}
