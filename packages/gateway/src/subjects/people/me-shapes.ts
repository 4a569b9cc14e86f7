/** Shapes of the answers in `me-routes.ts`. */
import { limitsSchema } from '../../http/schemas.ts';
import { flag, list, named, object, oneOf, orNull, plain, time, whole, written } from '../../http/shape.ts';
import { defaultLimits, type Limits } from '../../model/limits.ts';
import { permissions } from '../../model/people.ts';
import { roles } from '../../model/roles.ts';

export const me = named(
  'Me',
  object({
    user: object({
      userId: plain(),
      name: plain(),
      email: plain(),
      role: oneOf(roles),
      operator: flag(),
      twoFactor: flag('Whether the password alone does not let them in.'),
      authenticator: flag('Whether they have codes of an authenticator app.'),
      passkeys: whole('How many they have.'),
      password: flag('Whether they have one; without it they come by their identity provider.'),
      recoveryCodesLeft: whole(),
      singleKeys: flag(),
      language: orNull(plain()),
      lastSignInAt: orNull(whole('Milliseconds since the epoch.')),
    }),
    account: object({
      accountId: plain(),
      name: plain(),
      status: oneOf(['active', 'suspended']),
      timeZone: orNull(plain()),
      passwordCharactersMin: whole(),
    }),
    permissions: list(oneOf(permissions)),
    viewAs: orNull(oneOf(roles)),
    viewableRoles: list(oneOf(roles)),
    environment: oneOf(['sandbox', 'live']),
    environments: list(oneOf(['sandbox', 'live'])),
    csrf: plain(),
    sandbox: flag(),
    version: plain(),
    limits: written<Limits>({ ...limitsSchema(defaultLimits), required: Object.keys(defaultLimits) }),
    baseUrl: plain(),
    publicUrl: orNull(plain()),
    timeZone: orNull(plain()),
    secondFactorDue: orNull(plain()),
    secondFactorFrom: orNull(plain('From when the operator asks everybody for a second factor.')),
  }),
);

export const openSession = named(
  'OpenSession',
  object({
    sessionId: plain(),
    current: flag(),
    address: plain(),
    agent: plain(),
    createdAt: time,
    seenAt: time,
    endsAt: time,
  }),
);

export const totpBegun = named(
  'TotpBegun',
  object({
    secret: plain(),
    uri: plain(),
  }),
);
