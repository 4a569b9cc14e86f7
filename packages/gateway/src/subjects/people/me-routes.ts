/** `/me`: the signed-in person, and their own settings: profile, password, second factor, sessions. */
import { cookieHeaders } from '../../http/browser.ts';
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { notRightAnswer, refusalAnswer } from '../../http/portal/answers.ts';
import { flag, form, optional, optionalOrNull, required } from '../../http/portal/forms.ts';
import { fresh, type PortalCall, type PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { extended, flag as flagShape, list, object, orNull, plain, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { peopleTimes, type Session } from '../../model/people.ts';
import { type Role, roles } from '../../model/roles.ts';
import type { PeopleRouteParts } from './me.ts';
import { meOf, shownMe } from './me.ts';
import { me as meShape, openSession, totpBegun } from './me-shapes.ts';

const notRight = 'This is not your password.';
const codeNotRight = 'This code is wrong, or was used already.';

export function meRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PeopleRouteParts): void {
  const { profile, signIn, secondFactor, sessions } = parts.people;
  const me = (call: PortalCall, user = call.person.user, session = call.person.session) =>
    shownMe({ ...call, user, session, csrf: call.open.csrf }, deps, parts);

  routes.add({
    method: 'GET',
    path: '/me',
    access: 'signed in',
    answer: answers(
      extended(meShape, { recent: flagShape('Whether the person entered the password recently.') }),
      'You are signed in',
    ),
    work: (call) => {
      const recent = sessions.isRecent(call.person.session);
      return success('You are signed in.', { ...me(call), recent });
    },
  });

  routes.add({
    method: 'POST',
    path: '/me',
    access: 'signed in',
    audit: ['profile.changed'],
    body: form({
      name: optional,
      timeZone: optionalOrNull,
      language: optionalOrNull,
      singleKeys: flag,
    }),
    answer: answers(meShape, 'Your profile is saved'),
    work: async (call) => {
      const result = await profile.change(call.person, call.body);
      return result.kind === 'done' ? success('Your profile is saved.', me(call, result.user)) : refusalAnswer(result);
    },
  });

  routes.add({
    method: 'POST',
    path: '/me/view-as',
    access: 'signed in',
    body: form({ role: { ...optionalOrNull, oneOf: roles } }),
    answer: answers(meShape, 'You, as you see the portal now'),
    work: async (call) => {
      const { person } = call;
      const role = (call.body.role ?? null) as Role | null;
      const result = await profile.viewAs(person, role);
      if (result.kind !== 'done') return refusalAnswer(result);
      const detail = role === null ? 'You see the portal as yourself again.' : `You see the portal as ${role} does.`;
      return success(detail, me(call, person.user, { ...person.session, viewAs: role }));
    },
  });

  routes.add({
    method: 'POST',
    path: '/me/password',
    access: 'signed in',
    body: form({ current: required, next: required }),
    answer: answers(orNull(meShape), 'Your password is changed, and every other session has ended'),
    work: async (call) => {
      const result = await profile.changePassword(call.person, call.body);
      if (result.kind === 'not right') return notRightAnswer(result, notRight, 'current');
      if (result.kind !== 'done') return refusalAnswer(result);
      const { open } = result;
      const answer = success(
        'Your password is changed, and every other session has ended.',
        meOf(open, call, deps, parts),
      );
      return { ...answer, headers: cookieHeaders(open.token, call.https) };
    },
  });

  routes.add({
    method: 'POST',
    path: '/me/confirm',
    access: 'signed in',
    body: form({ password: required }),
    answer: answers(object({ forMs: whole() }), 'For how long it counts'),
    work: async ({ body, person }) => {
      const result = await signIn.confirm(person, body.password);
      if (result.kind !== 'done') return notRightAnswer(result, notRight, 'password');
      return success('Confirmed.', { forMs: peopleTimes.recentMs });
    },
  });

  addSecondFactor(routes, secondFactor);
  addSessions(routes, profile);
}

function addSecondFactor(routes: PortalRoutes, secondFactor: PeopleRouteParts['people']['secondFactor']): void {
  routes.add({
    method: 'POST',
    path: '/me/totp/begin',
    access: fresh('signed in'),
    body: ownBody(null, { optional: true }),
    answer: answers(totpBegun, 'Enter this secret in an authenticator app, then confirm with its code'),
    work: ({ person }) =>
      success('Enter this secret in an authenticator app, then confirm with its code.', secondFactor.begin(person)),
  });
  routes.add({
    method: 'POST',
    path: '/me/totp/finish',
    access: fresh('signed in'),
    body: form({ code: required }),
    answer: answers(
      object({
        recoveryCodes: list(plain()),
      }),
      'Two-factor sign-in is on. Keep the recovery codes: they are shown this once',
    ),
    work: async ({ body, person }) => {
      const result = await secondFactor.finish(person, body.code);
      if (result.kind !== 'done') return refusalAnswer(result);
      const { recoveryCodes } = result;
      return success('Two-factor sign-in is on. Keep the recovery codes: they are shown only once.', { recoveryCodes });
    },
  });
  routes.add({
    method: 'POST',
    path: '/me/recovery-codes',
    access: fresh('signed in'),
    body: ownBody(null, { optional: true }),
    answer: answers(
      object({
        recoveryCodes: list(plain()),
      }),
      'These take the place of the old ones. They are shown this once',
    ),
    work: async ({ person }) => {
      const result = await secondFactor.renewRecoveryCodes(person);
      if (result.kind !== 'done') return refusalAnswer(result);
      const { recoveryCodes } = result;
      return success('These codes replace the old ones. They are shown only once.', { recoveryCodes });
    },
  });
  routes.add({
    method: 'POST',
    path: '/me/totp/remove',
    access: fresh('signed in'),
    body: form({ code: required }),
    answer: answers(object({}), 'Two-factor sign-in is off'),
    work: async ({ body, person }) => {
      const result = await secondFactor.remove(person, body.code);
      if (result.kind === 'done') return success('Two-factor sign-in is off.', {});
      return result.kind === 'not right' ? notRightAnswer(result, codeNotRight, 'code') : refusalAnswer(result);
    },
  });
}

function addSessions(routes: PortalRoutes, profile: PeopleRouteParts['people']['profile']): void {
  routes.add({
    method: 'GET',
    path: '/me/sessions',
    access: 'signed in',
    answer: answers(list(openSession), 'Newest first'),
    work: async ({ person }) => {
      const list = await profile.sessions(person);
      const shown = list.map((session) => shownSession(session, person.session.sessionId));
      return success(`${counted(shown.length, 'session')}, newest first.`, shown);
    },
  });
  routes.add({
    method: 'DELETE',
    path: '/me/sessions/:sessionId',
    access: 'signed in',
    audit: ['session.ended'],
    answer: answers(object({}), 'The session has ended'),
    work: async (call) => {
      const { person, https } = call;
      const sessionId = param(call, 'sessionId');
      const ended = await profile.endSession(person, sessionId);
      if (!ended) return rejection('NOT_FOUND', 'You have no open session with this id.');
      const answer = success('The session has ended.', {});
      return sessionId === person.session.sessionId ? { ...answer, headers: cookieHeaders(null, https) } : answer;
    },
  });
  routes.add({
    method: 'DELETE',
    path: '/me/sessions',
    access: 'signed in',
    audit: ['sessions.ended'],
    answer: answers(object({ ended: whole() }), 'How many ended'),
    work: async ({ person }) => {
      const ended = await profile.endOthers(person);
      return success(`${ended} other sessions have ended.`, { ended });
    },
  });
}

function shownSession(session: Session, ownId: string) {
  const { sessionId, createdAt, seenAt, endsAt, address, agent } = session;
  return {
    sessionId,
    current: sessionId === ownId,
    address,
    agent,
    createdAt: isoTime(createdAt),
    seenAt: isoTime(seenAt),
    endsAt: isoTime(endsAt),
  };
}
