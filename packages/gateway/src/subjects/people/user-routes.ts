/** `/users`: users of the company, their roles, invitations by link. */
import { isoTime } from '../../http/envelope.ts';
import { success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { refusalAnswer } from '../../http/portal/answers.ts';
import { flag, form, optional, required } from '../../http/portal/forms.ts';
import { fresh, type PortalCall, type PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import {
  flag as flagShape,
  list,
  named,
  object,
  oneOf,
  optional as optionalShape,
  orNull,
  plain,
  time,
  whole,
} from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { holdersOf, type Invitation, may, permissions, type User } from '../../model/people.ts';
import { type Role, roles } from '../../model/roles.ts';
import { hasSecondFactor } from '../../model/second-factor-rule.ts';
import type { PeopleRouteParts } from './me.ts';

const role = { ...required, oneOf: roles } as const;

export function userRoutes(routes: PortalRoutes, deps: RouteDeps, parts: PeopleRouteParts): void {
  const { users } = parts.people;

  routes.add({
    method: 'GET',
    path: '/users',
    access: 'read',
    answer: answers(list(userShown), 'The people of your company'),
    work: async (call) => {
      const list = await users.list(call.person);
      const shown = list.map((user) => shownUser(user, call.may('manageUsers')));
      return success(`${counted(shown.length, 'user')}.`, shown);
    },
  });

  routes.add({
    method: 'GET',
    path: '/roles',
    access: 'read',
    answer: answers(roleList, 'What each role may do'),
    work: () => {
      const matrix = permissions.map((permission) => ({ permission, who: holdersOf(permission) }));
      return success('What each role may do.', { roles, permissions: matrix });
    },
  });

  routes.add({
    method: 'POST',
    path: '/users/:userId',
    access: fresh('manageUsers'),
    audit: ['user.changed'],
    body: form({ role: { ...role, optional: true }, disabled: flag }),
    answer: answers(userShown, 'The user as they are now'),
    work: async (call) => {
      const { body, person } = call;
      const form = { role: body.role as Role | undefined, disabled: body.disabled };
      const result = await users.change(person, param(call, 'userId'), form);
      return result.kind === 'done'
        ? success('The user is changed.', shownUser(result.user, true))
        : refusalAnswer(result);
    },
  });

  routes.add({
    method: 'POST',
    path: '/users/:userId/sessions/end',
    access: fresh('manageUsers'),
    audit: ['sessions.ended'],
    body: ownBody(null, { optional: true }),
    answer: answers(
      object({
        ended: whole(),
      }),
      'How many ended',
    ),
    work: async (call) => {
      const { person } = call;
      const result = await users.endSessions(person, param(call, 'userId'));
      if (result.kind !== 'done') return refusalAnswer(result);
      return success(`${counted(result.ended, 'session')} ${result.ended === 1 ? 'has' : 'have'} ended.`, {
        ended: result.ended,
      });
    },
  });

  routes.add({
    method: 'GET',
    path: '/users/invitations',
    access: 'manageUsers',
    answer: answers(list(pendingInvitation), 'Invitations that wait'),
    work: async ({ person }) => {
      const list = await users.invitations(person);
      return success(`${list.length} open invitations, newest first.`, list.map(shownInvitation));
    },
  });

  routes.add({
    method: 'POST',
    path: '/users/invitations',
    access: fresh('manageUsers'),
    audit: ['user.invited'],
    body: form({ email: required, name: optional, role }),
    answer: answers(
      object({
        ...invitationFields,
        link: plain(),
        mailed: flagShape('Whether the link was mailed to the person too.'),
      }),
      'The invitation, whose link is shown this once',
    ),
    work: async (call) => {
      const form = { email: call.body.email, name: call.body.name ?? '', role: call.body.role as Role };
      const result = await users.invite(call.person, form);
      if (result.kind !== 'done') return refusalAnswer(result);
      const link = `${baseOf(call, deps)}/invitation#k=${result.key}`;
      const detail = result.mailed
        ? 'This link was mailed to the person: it works once, for 7 days, and is shown only once.'
        : 'Give this link to the person: it works once, for 7 days, and is shown only once.';
      return success(detail, { ...shownInvitation(result.invitation), link, mailed: result.mailed });
    },
  });

  routes.add({
    method: 'DELETE',
    path: '/users/invitations/:invitationId',
    access: 'manageUsers',
    audit: ['invitation.withdrawn'],
    answer: answers(object({}), 'The invitation is withdrawn'),
    work: async (call) => {
      const { person } = call;
      const result = await users.withdraw(person, param(call, 'invitationId'));
      return result.kind === 'done' ? success('The invitation is withdrawn.', {}) : refusalAnswer(result);
    },
  });
}

/**
 * The gateway's address as the caller uses it: only for links shown to the caller. Mailed links have the public
 * address.
 */
export function baseOf({ exchange, https }: PortalCall, { config }: RouteDeps): string {
  return config.publicUrl ?? `${https ? 'https' : 'http'}://${exchange.request.headers.host ?? 'localhost'}`;
}

function shownUser(user: User, whole: boolean) {
  const { userId, name, email, disabledAt, createdAt, lastSignInAt, operator, version } = user;
  return {
    userId,
    name,
    email,
    role: user.role,
    operator,
    disabled: disabledAt !== null,
    // Who can be assigned a conversation.
    readsTexts: may(user, 'readBody'),
    ...(whole && {
      twoFactor: hasSecondFactor(user),
      createdAt: isoTime(createdAt),
      lastSignInAt: lastSignInAt === null ? null : isoTime(lastSignInAt),
      version,
    }),
  };
}

function shownInvitation(invitation: Invitation) {
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

const userShown = named(
  'UserShown',
  object({
    createdAt: optionalShape(time),
    version: optionalShape(whole()),
    userId: plain(),
    name: plain(),
    email: plain(),
    role: oneOf(roles),
    operator: flagShape(),
    disabled: flagShape(),
    readsTexts: flagShape(),
    twoFactor: optionalShape(flagShape()),
    lastSignInAt: optionalShape(orNull(time)),
  }),
);

const invitationFields = {
  invitationId: plain(),
  email: plain(),
  name: plain(),
  role: oneOf(roles),
  invitedBy: plain(),
  createdAt: time,
  expiresAt: time,
};

const pendingInvitation = named('PendingInvitation', object(invitationFields));

const roleList = named(
  'RoleList',
  object({
    roles: list(oneOf(roles)),
    permissions: list(object({ permission: plain(), who: plain() })),
  }),
);
