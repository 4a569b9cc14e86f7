/**
 * Example events on demand, to test an integration without a telephone. They go through the event log, marked
 * `triggered`.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId, Ids } from '../../kernel/ids.ts';
import { consentScope } from '../../messaging/consent/consent-rules.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import type { Directory } from '../../model/directory.ts';
import type { EventType } from '../../model/event-type.ts';
import type { Environment, SendingNumber } from '../../model/records.ts';
import { describedEvents } from '../../model/webhook-schema.ts';

type Data = Record<string, unknown>;

export interface ExampleEvents {
  /** Stores an example of this type; returns its id. */
  trigger(owner: { accountId: AccountId; environment: Environment }, type: EventType): Promise<string>;
}

export interface ExampleEventParts {
  store: Pick<EventStore, 'addEvents'>;
  directory: () => Directory;
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'next' | 'message'>;
  /** New events are in the log. */
  nudge(): void;
}

/** `data` of the documented example of each type. */
const exampleOf: ReadonlyMap<EventType, Data> = new Map(
  describedEvents.map(({ type, example }) => [type, example.data]),
);

export function createExampleEvents(parts: ExampleEventParts): ExampleEvents {
  const { store, directory, clock, ids } = parts;

  /** A number that can send, if there is one. */
  function ownNumber({ accountId, environment }: Parameters<ExampleEvents['trigger']>[0]): SendingNumber | undefined {
    const own = directory().records.numbers.filter(
      (number) => number.accountId === accountId && number.environment === environment,
    );
    return own.find((number) => number.smsEnabled && number.campaignId !== null) ?? own[0];
  }

  return {
    trigger: async (owner, type) => {
      const at = clock.now();
      const eventId = ids.next('evt_');
      const number = ownNumber(owner);
      const data = {
        ...withTimes(exampleOf.get(type), new Date(at).toISOString()),
        ...(type.startsWith('message.') && { messageId: ids.message() }),
        ...(number !== undefined && about(type, number)),
        // Decides the receivers, because the example's records do not exist.
        environment: owner.environment,
        triggered: true,
      };
      await store.addEvents([{ eventId, accountId: owner.accountId, type, at, data }]);
      parts.nudge();
      return eventId;
    },
  };
}

/** Replaces the example's times, which are those of the documentation. */
function withTimes(data: Data = {}, now: string): Data {
  const isTime = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, isTime(value) ? now : value]));
}

/** Puts the customer's own number where this event type has one. */
function about(type: EventType, number: SendingNumber): Data {
  const digits = number.number;
  if (type === 'message.received') return { to: digits };
  if (type.startsWith('message.')) return { from: digits };
  if (!type.startsWith('contact.')) return {};
  const scope = consentScope(number);
  return { number: digits, scope, campaignId: scope.startsWith('campaign:') ? number.campaignId : null };
}
