/** `/accounts`, for operators: companies, their limits and prices, suspension, and inviting the first Owner. */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { refusalAnswer } from '../../http/portal/answers.ts';
import { form, optional, required } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { fresh } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import { list, object, plain, time } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { User } from '../../model/people.ts';
import { baseOf } from '../people/user-routes.ts';
import type { Users } from '../people/users.ts';
import type { AccountService } from './account-service.ts';
import { accountDetail, accountShown } from './account-shapes.ts';
import { notEdited, recordBody, recordForm } from './operator-forms.ts';

export function accountRoutes(accounts: AccountService, users: Pick<Users, 'invite'>): PortalModule {
  return (routes, deps) => {
    routes.add({
      method: 'GET',
      path: '/accounts',
      access: 'operator',
      answer: answers(list(accountShown), 'All companies'),
      work: () => {
        const list = accounts.list();
        return success(`${counted(list.length, 'company', 'companies')}.`, list);
      },
    });

    routes.add({
      method: 'GET',
      path: '/accounts/:accountId',
      access: 'operator',
      answer: answers(accountDetail, 'The company'),
      work: async (call) => {
        const found = await accounts.look(param(call, 'accountId'));
        if (found === null) return rejection('NOT_FOUND', 'There is no company with this id.');
        return success('The company.', { ...found.account, users: found.users.map(shownUser) });
      },
    });

    routes.add({
      method: 'POST',
      path: '/accounts',
      access: 'operator',
      body: recordForm,
      answer: answers(
        object({
          accountId: plain(),
        }),
        'The company is added',
      ),
      work: async ({ body, person }) => {
        const read = recordBody(body);
        if (!read.ok) return read.answer;
        const saved = await accounts.save(person, { accountId: null, version: '', form: read.form });
        return saved.kind === 'done' ? success('The company is added.', saved.result) : notEdited(saved);
      },
    });

    routes.add({
      method: 'POST',
      path: '/accounts/:accountId',
      access: 'operator',
      body: recordForm,
      answer: answers(
        object({
          accountId: plain(),
        }),
        'The company is changed',
      ),
      work: async (call) => {
        const { body, person } = call;
        const read = recordBody(body);
        if (!read.ok) return read.answer;
        const { form, version } = read;
        const saved = await accounts.save(person, { accountId: param(call, 'accountId'), version, form });
        return saved.kind === 'done' ? success('The company is changed.', saved.result) : notEdited(saved);
      },
    });

    routes.add({
      method: 'POST',
      path: '/accounts/:accountId/owner',
      access: fresh('operator'),
      audit: ['user.invited'],
      body: form({ email: required, name: optional }),
      answer: answers(
        object({ link: plain(), email: plain(), expiresAt: time }),
        'The invitation, whose link is shown this once',
      ),
      work: async (call) => {
        const form = { email: call.body.email, name: call.body.name ?? '' };
        const result = await accounts.inviteOwner(call.person, users, param(call, 'accountId'), form);
        if (result.kind !== 'done') return refusalAnswer(result);
        const { invitation, key } = result;
        const detail = 'Give this link to the person: it works once, for 7 days, and is shown only once.';
        const link = `${baseOf(call, deps)}/invitation#k=${key}`;
        return success(detail, { email: invitation.email, expiresAt: isoTime(invitation.expiresAt), link });
      },
    });
  };
}

function shownUser({ userId, name, email, role, disabledAt, lastSignInAt }: User) {
  const at = lastSignInAt === null ? null : isoTime(lastSignInAt);
  return { userId, name, email, role, disabled: disabledAt !== null, lastSignInAt: at };
}
