/** Routes for a forgotten password: request a link, check it, set another password. */
import { success } from '../../http/exchange.ts';
import { notRightAnswer, refusal, refusalAnswer } from '../../http/portal/answers.ts';
import { form, required } from '../../http/portal/forms.ts';
import type { PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { object, plain, whole } from '../../http/shape.ts';
import type { PeopleRouteParts } from './me.ts';
import { admitted, entered, ssoOnly } from './sign-in-answers.ts';

const over = refusal(
  400,
  'LINK_OVER',
  'This link was used already, has expired, or was replaced by a new password. Ask for another one.',
);

export function resetRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PeopleRouteParts): void {
  const { passwordReset } = parts.people;

  routes.open({
    method: 'POST',
    path: '/password-reset',
    body: form({ email: required }),
    answer: answers(object({ minutes: whole('How long the link works.') }), 'The same whether the address is known'),
    work: async ({ body, origin }) => {
      const result = passwordReset.ask(body.email.trim(), origin);
      if (result.kind !== 'done') return refusalAnswer(result);
      return success('If somebody has this address, a link is on its way to it.', { minutes: 30 });
    },
  });

  routes.open({
    method: 'POST',
    path: '/password-reset/look',
    body: form({ key: required }),
    answer: answers(
      object({ email: plain(), name: plain(), company: plain(), passwordCharactersMin: whole() }),
      'The link works',
    ),
    work: async ({ body, origin }) => {
      const found = await passwordReset.look(body.key, origin);
      if (found.kind === 'key over') return over;
      return found.kind === 'found' ? success('The link works.', found.key) : refusalAnswer(found);
    },
  });

  routes.open({
    method: 'POST',
    path: '/password-reset/finish',
    body: form({ key: required, password: required }),
    answer: answers(entered, 'The password is set; you are signed in, or a second factor is needed as well'),
    work: async (call) => {
      const result = await passwordReset.finish(call.body, call.origin, call.leaving?.session ?? null);
      if (result.kind === 'key over') return over;
      if (result.kind === 'done' || result.kind === 'totp') return admitted(result, call, deps, parts);
      if (result.kind === 'sso only') return ssoOnly;
      return result.kind === 'not right' ? notRightAnswer(result, 'Try again.', 'password') : refusalAnswer(result);
    },
  });
}
