/**
 * Writes conversations in two steps: messages are appended to `conversations_tail`, then moved to `conversations` in
 * batches and in order. Gather before reading or deleting conversations.
 */
import { type Operation, run } from '../../../store/query.ts';
import { deleteConversationsTail, gatherConversationsTail } from '../statements/deliveries.ts';

export function* gatherConversations(): Operation<void> {
  yield* run(gatherConversationsTail, [{}]);
  yield* run(deleteConversationsTail, [{}]);
}

/** Called before conversations are read. */
export function* gather(items: readonly null[]): Operation<null[]> {
  yield* gatherConversations();
  return items.map(() => null);
}
