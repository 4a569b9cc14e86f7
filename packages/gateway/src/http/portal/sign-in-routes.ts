/** How people come in and go: first set-up, sign-in with its second step, links and invitations, sign-out. */

import type { OpenSession } from '../../flow/people/sessions.ts';
import type { KeyOver } from '../../flow/people/set-up.ts';
import { type Answer, success } from '../exchange.ts';
import type { RouteDeps } from '../server.ts';
import { notRightAnswer, refusal, refusalAnswer } from './answers.ts';
import { cookieHeaders } from './browser.ts';
import { optional, optionalOrNull, readForm, required } from './forms.ts';
import { meOf } from './me.ts';
import type { PortalRoutes, PublicCall } from './portal-guard.ts';
import type { PortalParts } from './portal-parts.ts';

const notRight = 'The e-mail address or the password is not right.';
const codeNotRight = 'This code is not right, or was used already.';
const keyOver = refusal(
  400,
  'LINK_OVER',
  'This link was used already, has expired, or was never one. On the machine of the gateway, npx helio admin login-link makes a new one; an invitation comes from whoever sent it.',
);

/** Whoever was invited has no way to the machine of the gateway. */
const invitationOver = refusal(
  400,
  'LINK_OVER',
  'This invitation was used already, has expired, or was never one. If you have joined, sign in; otherwise ask whoever invited you for a new one.',
);

export function signInRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PortalParts): void {
  const { signIn, setUp } = parts.people;

  /** The session begins with this answer. */
  function begun(open: OpenSession, call: PublicCall): Answer {
    const data = { next: 'done', me: meOf(open, call, deps, parts) };
    return { ...success('You are signed in.', data), headers: cookieHeaders(open.token, call.https) };
  }

  routes.openGet('/setup-state', async () => {
    const needsSetup = await setUp.needed();
    return success(needsSetup ? 'There is no administrator yet.' : 'There is an administrator.', {
      needsSetup,
      version: deps.version,
      sandbox: parts.sandbox,
    });
  });

  routes.openPost('/setup/look', async ({ body, origin }) => {
    const read = readForm(body, { key: required });
    if (!read.ok) return read.answer;
    const found = await setUp.look(read.form.key, origin);
    return found.kind === 'found' ? success('The link works.', found.key) : notFound(found);
  });

  routes.openPost('/setup', async (call) => {
    const read = readForm(call.body, {
      key: required,
      password: required,
      name: optional,
      email: optional,
      company: optionalOrNull,
    });
    if (!read.ok) return read.answer;
    const { name = '', email = '', company = null } = read.form;
    const result = await setUp.setUp({ ...read.form, name, email, company }, call.origin);
    return result.kind === 'done' ? begun(result.open, call) : notFound(result);
  });

  routes.openPost('/invitation/look', async ({ body, origin }) => {
    const read = readForm(body, { key: required });
    if (!read.ok) return read.answer;
    const found = await setUp.look(read.form.key, origin);
    if (found.kind !== 'found') return notFound(found, invitationOver);
    if (found.key.purpose !== 'invitation') return invitationOver;
    const { purpose: _, ...invitation } = found.key;
    return success('The invitation works.', invitation);
  });

  routes.openPost('/invitation', async (call) => {
    const read = readForm(call.body, { key: required, name: required, password: required });
    if (!read.ok) return read.answer;
    const result = await setUp.acceptInvitation(read.form, call.origin);
    return result.kind === 'done' ? begun(result.open, call) : notFound(result, invitationOver);
  });

  routes.openPost('/sign-in', async (call) => {
    const read = readForm(call.body, { email: required, password: required });
    if (!read.ok) return read.answer;
    const result = await signIn.signIn(read.form, call.origin, call.leaving?.session ?? null);
    if (result.kind === 'done') return begun(result.open, call);
    if (result.kind !== 'totp') return notRightAnswer(result, notRight, 'password');
    const { challenge } = result;
    return success('The password is right. A code is needed as well.', { next: 'totp', challenge });
  });

  routes.openPost('/sign-in/totp', async (call) => {
    const read = readForm(call.body, { challenge: required, code: required });
    if (!read.ok) return read.answer;
    const result = await signIn.answer(read.form, call.origin, call.leaving?.session ?? null);
    if (result.kind === 'done') return begun(result.open, call);
    if (result.kind === 'challenge over' || result.kind === 'totp') return challengeOver;
    return notRightAnswer(result, codeNotRight, 'code');
  });

  routes.act('/sign-out', 'signed in', async ({ person, https }) => {
    await signIn.signOut(person);
    return { ...success('You are signed out.', {}), headers: cookieHeaders(null, https) };
  });
}

const challengeOver = refusal(400, 'CHALLENGE_OVER', 'This took too long or too many tries. Sign in from the start.');

function notFound(result: KeyOver | Parameters<typeof refusalAnswer>[0], over = keyOver): Answer {
  return result.kind === 'key over' ? over : refusalAnswer(result);
}
