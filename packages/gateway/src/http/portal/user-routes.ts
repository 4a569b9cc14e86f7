/** `/users`: who is in the company, their roles, and invitations by link. Only the caller's own company, whatever the id. */
import { counted } from '../../domain/counted.ts';
import { holdersOf, type Invitation, may, permissions, type User } from '../../domain/people.ts';
import { type Role, roles } from '../../domain/roles.ts';
import { isoTime } from '../envelope.ts';
import { success } from '../exchange.ts';
import { param } from '../guard.ts';
import type { RouteDeps } from '../server.ts';
import { refusalAnswer } from './answers.ts';
import { flag, optional, readForm, required } from './forms.ts';
import { fresh, type PortalCall, type PortalRoutes } from './portal-guard.ts';
import type { PortalParts } from './portal-parts.ts';

const role = { ...required, oneOf: roles } as const;

export function userRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PortalParts): void {
  const { users } = parts.people;

  routes.get('/users', 'read', async (call) => {
    const list = await users.list(call.person);
    const shown = list.map((user) => shownUser(user, call.may('manageUsers')));
    return success(`${counted(shown.length, 'user')}.`, shown);
  });

  routes.get('/roles', 'read', () => {
    const matrix = permissions.map((permission) => ({ permission, who: holdersOf(permission) }));
    return success('What each role may do.', { roles, permissions: matrix });
  });

  routes.post('/users/:userId', fresh('manageUsers'), async (call) => {
    const { body, person } = call;
    const read = readForm(body, { role: { ...role, optional: true }, disabled: flag });
    if (!read.ok) return read.answer;
    const form = { role: read.form.role as Role | undefined, disabled: read.form.disabled };
    const result = await users.change(person, param(call, 'userId'), form);
    return result.kind === 'done'
      ? success('The user is changed.', shownUser(result.user, true))
      : refusalAnswer(result);
  });

  routes.act('/users/:userId/sessions/end', fresh('manageUsers'), async (call) => {
    const { person } = call;
    const result = await users.endSessions(person, param(call, 'userId'));
    if (result.kind !== 'done') return refusalAnswer(result);
    return success(`${counted(result.ended, 'session')} ${result.ended === 1 ? 'has' : 'have'} ended.`, {
      ended: result.ended,
    });
  });

  routes.get('/users/invitations', 'manageUsers', async ({ person }) => {
    const list = await users.invitations(person);
    return success(`${list.length} open invitations, newest first.`, list.map(shownInvitation));
  });

  routes.post('/users/invitations', fresh('manageUsers'), async (call) => {
    const read = readForm(call.body, { email: required, name: optional, role });
    if (!read.ok) return read.answer;
    const form = { email: read.form.email, name: read.form.name ?? '', role: read.form.role as Role };
    const result = await users.invite(call.person, form);
    if (result.kind !== 'done') return refusalAnswer(result);
    const link = `${baseOf(call, deps)}/invitation#k=${result.key}`;
    const detail = 'Hand this link to the person: it works once, for 7 days, and is shown this once.';
    return success(detail, { ...shownInvitation(result.invitation), link });
  });

  routes.delete('/users/invitations/:invitationId', 'manageUsers', async (call) => {
    const { person } = call;
    const result = await users.withdraw(person, param(call, 'invitationId'));
    return result.kind === 'done' ? success('The invitation is withdrawn.', {}) : refusalAnswer(result);
  });
}

/** The address of the gateway as the one who asks uses it: the link is shown to them alone, and mailed to nobody. */
export function baseOf({ exchange, https }: PortalCall, { config }: RouteDeps): string {
  return config.publicUrl ?? `${https ? 'https' : 'http'}://${exchange.request.headers.host ?? 'localhost'}`;
}

function shownUser(user: User, whole: boolean): object {
  const { userId, name, email, disabledAt, createdAt, lastSignInAt, operator, version } = user;
  return {
    userId,
    name,
    email,
    role: user.role,
    operator,
    disabled: disabledAt !== null,
    // Who can be given a conversation.
    readsTexts: may(user, 'readBody'),
    ...(whole && {
      twoFactor: user.totp !== null,
      createdAt: isoTime(createdAt),
      lastSignInAt: lastSignInAt === null ? null : isoTime(lastSignInAt),
      version,
    }),
  };
}

function shownInvitation(invitation: Invitation): object {
  const { keyId, email, name, createdAt, expiresAt, invitedBy } = invitation;
  return {
    invitationId: keyId,
    email,
    name,
    role: invitation.role,
    invitedBy,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
  };
}
