/** Conversations: lists, state, messages. */
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { markThread, readRequests, thread, threadMessages, threads, unreadCount } from './operations.ts';

export const conversationStore = storeModule({
  name: 'conversations',
  writes: { markThread: { run: markThread } },
  reads: {
    threads: { run: threads, needs: 'gathered' },
    thread: { run: thread },
    unreadCount: { run: unreadCount },
    threadMessages: { run: threadMessages, needs: 'gathered' },
    readRequests: { run: readRequests },
  },
  verbs: (on) => ({ markThread: one(on.markThread) }),
});

export interface ThreadStore extends StoreOf<typeof conversationStore> {}
