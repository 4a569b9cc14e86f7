/** Routes of setup, sign-in, second step, links, invitations and sign-out. */

import { cookieHeaders } from '../../http/browser.ts';
import { success } from '../../http/exchange.ts';
import { notRightAnswer, refusal, refusalAnswer } from '../../http/portal/answers.ts';
import { form, optional, optionalOrNull, required } from '../../http/portal/forms.ts';
import type { PortalRoutes, PublicCall } from '../../http/portal/portal-guard.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { always, either, flag, named, object, orNull, plain, whole } from '../../http/shape.ts';
import type { OpenSession } from '../../model/person.ts';
import type { PeopleRouteParts } from './me.ts';
import { passkeySite } from './passkey-site.ts';
import type { KeyOver } from './set-up.ts';
import { admitted, begun, entered, signedIn, ssoOnly } from './sign-in-answers.ts';

const invitationShown = named(
  'InvitationShown',
  object({
    email: plain(),
    name: plain(),
    company: plain(),
    role: plain(),
    passwordCharactersMin: whole(),
  }),
);

const notRight = 'The e-mail address or the password is wrong.';
const codeNotRight = 'This code is wrong, or was used already.';
const keyOver = refusal(
  400,
  'LINK_OVER',
  'This link was used already, has expired, or never existed. On the machine of the gateway, npx helio admin login-link makes a new one; for an invitation, ask the person who sent it.',
);

/** Invited people have no access to the gateway's machine. */
const invitationOver = refusal(
  400,
  'LINK_OVER',
  'This invitation was used already, has expired, or never existed. If you have joined, sign in; otherwise ask the person who invited you for a new one.',
);

export function signInRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PeopleRouteParts): void {
  const { signIn, setUp, passwordReset, sso } = parts.people;

  const begin = (open: OpenSession, call: PublicCall) => begun(open, call, deps, parts);

  routes.open({
    method: 'GET',
    path: '/setup-state',
    answer: answers(
      object({
        needsSetup: flag(),
        version: plain(),
        sandbox: flag(),
        passwordReset: flag('Whether a forgotten password can be reset by mail.'),
        sso: orNull(
          object({
            name: orNull(plain('Of the identity provider, as the operator calls it.')),
            passwords: flag('Whether people who are no operators have passwords and passkeys too.'),
          }),
        ),
        passkeysAt: orNull(plain('The address at which passkeys work; null = nowhere.')),
      }),
      'Whether there is an administrator',
    ),
    work: async (call) => {
      const needsSetup = await setUp.needed();
      const site = passkeySite(call, deps);
      return success(needsSetup ? 'There is no administrator yet.' : 'There is an administrator.', {
        needsSetup,
        version: deps.version,
        sandbox: parts.sandbox,
        passwordReset: passwordReset.isOn,
        sso: sso.shown,
        passkeysAt: typeof site === 'string' ? null : site.origin,
      });
    },
  });

  routes.open({
    method: 'POST',
    path: '/setup/look',
    body: form({ key: required }, { optional: true }),
    answer: answers(
      either(
        object({
          purpose: always('setup'),
        }),
        object({
          purpose: always('user'),
          email: plain(),
          name: plain(),
          company: plain(),
          passwordCharactersMin: whole(),
        }),
        object({
          purpose: always('invitation'),
        }),
      ),
      'The link works',
    ),
    work: async ({ body, origin }) => {
      const found = await setUp.look(body.key, origin);
      return found.kind === 'found' ? success('The link works.', found.key) : notFound(found);
    },
  });

  routes.open({
    method: 'POST',
    path: '/setup',
    body: form(
      {
        key: required,
        password: required,
        name: optional,
        email: optional,
        company: optionalOrNull,
      },
      { optional: true },
    ),
    answer: answers(signedIn, 'You are signed in'),
    work: async (call) => {
      const { name = '', email = '', company = null } = call.body;
      const result = await setUp.setUp({ ...call.body, name, email, company }, call.origin);
      return result.kind === 'done' ? begin(result.open, call) : notFound(result);
    },
  });

  routes.open({
    method: 'POST',
    path: '/invitation/look',
    body: form({ key: required }, { optional: true }),
    answer: answers(invitationShown, 'The invitation works'),
    work: async ({ body, origin }) => {
      const found = await setUp.look(body.key, origin);
      if (found.kind !== 'found') return notFound(found, invitationOver);
      if (found.key.purpose !== 'invitation') return invitationOver;
      const { purpose: _, ...invitation } = found.key;
      return success('The invitation is valid.', invitation);
    },
  });

  routes.open({
    method: 'POST',
    path: '/invitation',
    body: form({ key: required, name: required, password: required }, { optional: true }),
    answer: answers(signedIn, 'You are signed in'),
    work: async (call) => {
      const result = await setUp.acceptInvitation(call.body, call.origin);
      return result.kind === 'done' ? begin(result.open, call) : notFound(result, invitationOver);
    },
  });

  routes.open({
    method: 'POST',
    path: '/sign-in',
    body: form({ email: required, password: required }, { optional: true }),
    answer: answers(entered, 'You are signed in, or a code is needed as well'),
    work: async (call) => {
      const result = await signIn.signIn(call.body, call.origin, call.leaving?.session ?? null);
      if (result.kind === 'done' || result.kind === 'totp') return admitted(result, call, deps, parts);
      return result.kind === 'sso only' ? ssoOnly : notRightAnswer(result, notRight, 'password');
    },
  });

  routes.open({
    method: 'POST',
    path: '/sign-in/totp',
    body: form({ challenge: required, code: required }, { optional: true }),
    answer: answers(signedIn, 'You are signed in'),
    work: async (call) => {
      const result = await signIn.answer(call.body, call.origin, call.leaving?.session ?? null);
      if (result.kind === 'done') return begin(result.open, call);
      if (result.kind === 'challenge over' || result.kind === 'totp' || result.kind === 'sso only')
        return challengeOver;
      return notRightAnswer(result, codeNotRight, 'code');
    },
  });

  routes.add({
    method: 'POST',
    path: '/sign-out',
    access: 'signed in',
    audit: ['sign_out'],
    body: ownBody(null, { optional: true }),
    answer: answers(object({}), 'You are signed out'),
    work: async ({ person, https }) => {
      await signIn.signOut(person);
      return { ...success('You are signed out.', {}), headers: cookieHeaders(null, https) };
    },
  });
}

const challengeOver = refusal(400, 'CHALLENGE_OVER', 'This took too long or too many tries. Sign in from the start.');

function notFound(result: KeyOver | Parameters<typeof refusalAnswer>[0], over = keyOver) {
  return result.kind === 'key over' ? over : refusalAnswer(result);
}
