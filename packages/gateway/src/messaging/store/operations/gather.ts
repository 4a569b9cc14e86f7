/**
 * Conversations are written in two steps: a message goes to the end of `conversations_tail`, and from there, many rows at
 * once and in order, into `conversations`. Whoever reads or deletes conversations gathers first.
 */
import { type Operation, run } from '../../../store/query.ts';
import { deleteConversationsTail, gatherConversationsTail } from '../statements/deliveries.ts';

export function* gatherConversations(): Operation<void> {
  yield* run(gatherConversationsTail, [{}]);
  yield* run(deleteConversationsTail, [{}]);
}

/** For a look-up that is about to read them. */
export function* gather(items: readonly null[]): Operation<null[]> {
  yield* gatherConversations();
  return items.map(() => null);
}
