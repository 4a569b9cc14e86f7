/** `POST /api/v1/messages/{messageId}/cancel`: cancels a waiting message. Idempotent. */
import { rejection, success } from '../../http/exchange.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import { canceled as canceledShape } from './message-shapes.ts';
import { messageOf, messageParam, noMessage, noSuchMessage } from './messages.ts';

/** States of a waiting message; a message in any other may already be sent. */
const waiting: readonly string[] = ['queued', 'held'];

const canceled = 'The message is canceled. It was not sent.';
const canceledAgain = 'The message is canceled and will not be sent again. It may have been sent before.';

export function cancelRoute(parts: { store: Pick<MessageStore, 'message' | 'decide'>; nudgeAll(): void }): RouteModule {
  const { store, nudgeAll } = parts;
  return (_app, { guarded, clock, directory }) =>
    guarded.add({
      method: 'POST',
      path: '/api/v1/messages/:messageId/cancel',
      scope: 'send',
      operationId: 'cancelMessage',
      summary: 'Cancel a message that still waits',
      description: 'Only a message that is `queued` or `held` can be canceled. You can safely repeat the call.',
      params: messageParam,
      notFound: noMessage,
      conflict: 'It is not waiting any more (`NOT_WAITING`); `detail` has its state.',
      body: ownBody(null, { optional: true }),
      answer: answers(canceledShape, 'It is canceled'),
      work: async (call) => {
        const read = () => messageOf(call, store, directory());
        const message = await read();
        if (message === null) return noSuchMessage;
        const { accountId } = call.caller.account;
        const { messageId } = message;
        const decision = { accountId, messageId, to: 'canceled', by: 'api', now: clock.now() } as const;
        if (waiting.includes(message.state) && (await store.decide(decision))) {
          nudgeAll();
          const sentBefore = message.dupRisk || message.state === 'held';
          return success(sentBefore ? canceledAgain : canceled, { messageId, state: 'canceled' as const });
        }
        // It may have been sent, or canceled by somebody else, since it was read.
        const state = (await read())?.state ?? message.state;
        if (state === 'canceled')
          return success('The message was canceled before.', { messageId, state: 'canceled' as const });
        return rejection('NOT_WAITING', `The message is not waiting: it is ${state}. Nothing was changed.`);
      },
    });
}
