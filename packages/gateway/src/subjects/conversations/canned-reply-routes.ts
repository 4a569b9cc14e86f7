/** `/canned-replies`: prepared texts of a company, shared by all who may send. */
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { fieldFaults } from '../../http/portal/answers.ts';
import { form, required } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { JsonPortalCall } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import { list, named, object, plain } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { type CannedReplyStore, cannedRepliesMax } from './store/canned-replies.ts';

const limits = { title: 60, text: 1_600 } as const;
const fields = {
  title: { ...required, charactersMax: limits.title },
  text: { ...required, charactersMax: limits.text },
} as const;

const cannedReply = named('CannedReply', object({ replyId: plain(), title: plain(), text: plain() }));
const saved = object({ replyId: plain() });
const notFound = rejection('NOT_FOUND', 'Your company has no such canned reply.');
const full = rejection('INVALID_FIELD', `Your company has ${cannedRepliesMax} canned replies, the most it may have.`);

export interface CannedReplyParts {
  store: CannedReplyStore;
}

export function cannedReplyRoutes({ store }: CannedReplyParts): PortalModule {
  return (routes, { clock, ids }) => {
    routes.add({
      method: 'GET',
      path: '/canned-replies',
      access: 'readBody',
      answer: answers(list(cannedReply), 'All of the company, by title'),
      work: async ({ account }) => {
        const found = await store.cannedReplies(account.accountId);
        return success(`${counted(found.length, 'canned reply', 'canned replies')}.`, found);
      },
    });

    async function save(call: JsonPortalCall & { body: { title: string; text: string } }, replyId: string | null) {
      const [title, text] = [call.body.title.trim(), call.body.text.trim()];
      const faults = {
        ...(title === '' && { title: 'This field is required.' }),
        ...(text === '' && { text: 'This field is required.' }),
      };
      if (Object.keys(faults).length > 0) return fieldFaults(faults);
      const { accountId } = call.account;
      const write = { accountId, replyId, newId: ids.next('rep_'), title, text, at: clock.now() };
      const [made = null] = await store.putCannedReplies([write]);
      if (made === null) return replyId === null ? full : notFound;
      await call.audit({ what: 'canned_reply.saved', target: made, before: null, after: { title } });
      return success('Saved.', { replyId: made });
    }

    routes.add({
      method: 'POST',
      path: '/canned-replies',
      access: 'send',
      audit: ['canned_reply.saved'],
      body: form(fields),
      answer: answers(saved, 'The new one'),
      work: (call) => save(call, null),
    });

    routes.add({
      method: 'POST',
      path: '/canned-replies/:replyId',
      access: 'send',
      audit: ['canned_reply.saved'],
      body: form(fields),
      answer: answers(saved, 'Saved'),
      work: (call) => save(call, param(call, 'replyId')),
    });

    routes.add({
      method: 'DELETE',
      path: '/canned-replies/:replyId',
      access: 'send',
      audit: ['canned_reply.removed'],
      answer: answers(object({}), 'It is gone'),
      work: async (call) => {
        const replyId = param(call, 'replyId');
        const [removed] = await store.removeCannedReplies([{ accountId: call.account.accountId, replyId }]);
        if (removed !== true) return notFound;
        await call.audit({ what: 'canned_reply.removed', target: replyId, before: null, after: null });
        return success('Removed.', {});
      },
    });
  };
}
