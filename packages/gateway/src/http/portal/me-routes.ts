/** `/me`: who is signed in, and everything they change of themselves: profile, password, second factor, sessions. */
import { counted } from '../../domain/counted.ts';
import { peopleTimes, type Session } from '../../domain/people.ts';
import { type Role, roles } from '../../domain/roles.ts';
import { isoTime } from '../envelope.ts';
import { rejection, success } from '../exchange.ts';
import { param } from '../guard.ts';
import type { RouteDeps } from '../server.ts';
import { notRightAnswer, refusalAnswer } from './answers.ts';
import { cookieHeaders } from './browser.ts';
import { flag, optional, optionalOrNull, readForm, required } from './forms.ts';
import { meOf, shownMe } from './me.ts';
import { fresh, type PortalCall, type PortalRoutes } from './portal-guard.ts';
import type { PortalParts } from './portal-parts.ts';

const notRight = 'This is not your password.';
const codeNotRight = 'This code is not right, or was used already.';

export function meRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PortalParts): void {
  const { profile, signIn, secondFactor, sessions } = parts.people;
  const me = (call: PortalCall, user = call.person.user, session = call.person.session) =>
    shownMe({ ...call, user, session, csrf: call.open.csrf }, deps, parts);

  routes.get('/me', 'signed in', (call) => {
    const recent = sessions.isRecent(call.person.session);
    return success('You are signed in.', { ...me(call), recent });
  });

  routes.post('/me', 'signed in', async (call) => {
    const read = readForm(call.body, {
      name: optional,
      timeZone: optionalOrNull,
      language: optionalOrNull,
      singleKeys: flag,
    });
    if (!read.ok) return read.answer;
    const result = await profile.change(call.person, read.form);
    return result.kind === 'done' ? success('Your profile is saved.', me(call, result.user)) : refusalAnswer(result);
  });

  routes.post('/me/view-as', 'signed in', async (call) => {
    const read = readForm(call.body, { role: { ...optionalOrNull, oneOf: roles } });
    if (!read.ok) return read.answer;
    const { person } = call;
    const role = (read.form.role ?? null) as Role | null;
    const result = await profile.viewAs(person, role);
    if (result.kind !== 'done') return refusalAnswer(result);
    const told = role === null ? 'You see the portal as yourself again.' : `You see the portal as ${role} does.`;
    return success(told, me(call, person.user, { ...person.session, viewAs: role }));
  });

  routes.post('/me/password', 'signed in', async (call) => {
    const read = readForm(call.body, { current: required, next: required });
    if (!read.ok) return read.answer;
    const result = await profile.changePassword(call.person, read.form);
    if (result.kind === 'not right') return notRightAnswer(result, notRight, 'current');
    if (result.kind !== 'done') return refusalAnswer(result);
    const { open } = result;
    const answer = success(
      'Your password is changed, and every other session has ended.',
      meOf(open, call, deps, parts),
    );
    return { ...answer, headers: cookieHeaders(open.token, call.https) };
  });

  routes.post('/me/confirm', 'signed in', async ({ body, person }) => {
    const read = readForm(body, { password: required });
    if (!read.ok) return read.answer;
    const result = await signIn.confirm(person, read.form.password);
    if (result.kind !== 'done') return notRightAnswer(result, notRight, 'password');
    return success('Confirmed.', { forMs: peopleTimes.recentMs });
  });

  addSecondFactor(routes, secondFactor);
  addSessions(routes, profile);
}

function addSecondFactor(routes: PortalRoutes, secondFactor: PortalParts['people']['secondFactor']): void {
  routes.act('/me/totp/begin', fresh('signed in'), ({ person }) =>
    success('Enter this secret in an authenticator app, then confirm with its code.', secondFactor.begin(person)),
  );
  routes.post('/me/totp/finish', fresh('signed in'), async ({ body, person }) => {
    const read = readForm(body, { code: required });
    if (!read.ok) return read.answer;
    const result = await secondFactor.finish(person, read.form.code);
    if (result.kind !== 'done') return refusalAnswer(result);
    const { recoveryCodes } = result;
    return success('Two-factor sign-in is on. Keep the recovery codes: they are shown this once.', { recoveryCodes });
  });
  routes.act('/me/recovery-codes', fresh('signed in'), async ({ person }) => {
    const result = await secondFactor.renewRecoveryCodes(person);
    if (result.kind !== 'done') return refusalAnswer(result);
    const { recoveryCodes } = result;
    return success('These take the place of the old ones. They are shown this once.', { recoveryCodes });
  });
  routes.post('/me/totp/remove', fresh('signed in'), async ({ body, person }) => {
    const read = readForm(body, { code: required });
    if (!read.ok) return read.answer;
    const result = await secondFactor.remove(person, read.form.code);
    if (result.kind === 'done') return success('Two-factor sign-in is off.', {});
    return result.kind === 'not right' ? notRightAnswer(result, codeNotRight, 'code') : refusalAnswer(result);
  });
}

function addSessions(routes: PortalRoutes, profile: PortalParts['people']['profile']): void {
  routes.get('/me/sessions', 'signed in', async ({ person }) => {
    const list = await profile.sessions(person);
    const shown = list.map((session) => shownSession(session, person.session.sessionId));
    return success(`${counted(shown.length, 'session')}, newest first.`, shown);
  });
  routes.delete('/me/sessions/:sessionId', 'signed in', async (call) => {
    const { person, https } = call;
    const sessionId = param(call, 'sessionId');
    const ended = await profile.endSession(person, sessionId);
    if (!ended) return rejection('NOT_FOUND', 'You have no open session with this id.');
    const answer = success('The session has ended.', {});
    return sessionId === person.session.sessionId ? { ...answer, headers: cookieHeaders(null, https) } : answer;
  });
  routes.delete('/me/sessions', 'signed in', async ({ person }) => {
    const ended = await profile.endOthers(person);
    return success(`${ended} other sessions have ended.`, { ended });
  });
}

function shownSession(session: Session, ownId: string): object {
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
