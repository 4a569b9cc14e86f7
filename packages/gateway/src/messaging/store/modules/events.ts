/** The event log. */
import type { EventType } from '../../../model/event-type.ts';
import { allDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { accountEvents, addEvents, eventPosition, eventsAfter } from '../operations/events.ts';

export const eventStore = storeModule({
  name: 'events',
  writes: { addEvents: { run: addEvents, events: true } },
  reads: {
    eventsAfter: {
      run: eventsAfter,
      // Memory holds no other event of a message than `sent`.
      needs: ({ types = null }: { types?: readonly EventType[] | null }) =>
        types === null || types.includes('message.sent') ? 'newest' : 'nothing',
    },
    accountEvents: { run: accountEvents },
    eventPosition: { run: eventPosition },
  },
  verbs: (on) => ({ addEvents: allDone(on.addEvents) }),
});

export interface EventStore extends StoreOf<typeof eventStore> {}
