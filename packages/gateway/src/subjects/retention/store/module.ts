/** Retention: delete by age, and erase one number. */
import { oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import {
  addErasure,
  erasable,
  erase,
  erasures,
  forgetEvents,
  forgetMessages,
  forgettable,
  forgettableEvents,
} from './operations.ts';

export const retentionStore = storeModule({
  name: 'retention',
  writes: {
    forgetMessages: { run: forgetMessages, erases: true },
    forgetEvents: { run: forgetEvents, erases: true },
    addErasure: { run: addErasure },
    erase: { run: erase, erases: true },
  },
  reads: {
    forgettable: { run: forgettable },
    forgettableEvents: { run: forgettableEvents },
    erasures: { run: erasures },
    erasable: { run: erasable },
  },
  verbs: (on) => ({
    /**
     * Empties the texts and media lists of an account's old messages, then deletes its oldest messages with their timelines.
     * Looks at no more than `limit` messages of each sort, and takes requests whole: a text goes when none of the request's
     * messages may yet be sent. Of deleted messages `endpointIds` are told nothing more. `cursor` is what the step before gave, null for the first; null comes back after the last.
     */
    async forgetMessages(request: Parameters<typeof on.forgettable>[0]) {
      const found = await on.forgettable(request);
      const { empty, left, unleft, passed, gone, cursor } = found;
      const work = empty.length + left.length + unleft.length;
      if (work > 0 || passed !== null || gone !== null) await on.forgetMessages([found]);
      return { emptied: empty.length, deleted: gone?.messages.length ?? 0, cursor };
    },
    /** Deletes events about no message that happened before `before`, whosever they are; true while there is more. */
    async forgetEvents(request: Parameters<typeof on.forgettableEvents>[0]) {
      const found = await on.forgettableEvents(request);
      if (found.passed !== null) await on.forgetEvents([found]);
      return found.more;
    },
    addErasure: oneDone(on.addErasure),
    /**
     * One step of an erasure: deletes final messages to and from its number, with what is still to be told of them to
     * `endpointIds`. Messages changed after `settledBefore` stay. True while there is more.
     */
    async erase(request: Parameters<typeof on.erasable>[0]) {
      const step = await on.erasable(request);
      if (step === null) return false;
      await on.erase([step]);
      return step.more;
    },
  }),
});

export interface RetentionStore extends StoreOf<typeof retentionStore> {}
