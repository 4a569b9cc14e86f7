/** Shapes of the answers in `user-routes.ts`. */
import { flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';

export const userShown = named(
  'UserShown',
  object({
    createdAt: optional(time),
    version: optional(whole()),
    userId: plain(),
    name: plain(),
    email: plain(),
    role: oneOf(['Owner', 'Admin', 'Developer', 'Support', 'Viewer']),
    operator: flag(),
    disabled: flag(),
    readsTexts: flag(),
    twoFactor: optional(flag()),
    lastSignInAt: optional(orNull(time)),
  }),
);

export const pendingInvitation = named(
  'PendingInvitation',
  object({
    invitationId: plain(),
    email: plain(),
    name: plain(),
    role: oneOf(['Owner', 'Admin', 'Developer', 'Support', 'Viewer']),
    invitedBy: plain(),
    createdAt: time,
    expiresAt: time,
  }),
);

export const roleList = named(
  'RoleList',
  object({
    roles: list(oneOf(['Owner', 'Admin', 'Developer', 'Support', 'Viewer'])),
    permissions: list(
      object({
        permission: plain(),
        who: plain(),
      }),
    ),
  }),
);
