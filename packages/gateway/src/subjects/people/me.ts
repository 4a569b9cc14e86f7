/** What pages know about the signed-in person: identity, company, permissions. Contains no hash or secret. */
import { isoTime } from '../../http/envelope.ts';
import type { Exchange } from '../../http/exchange.ts';
import { defaultEnvironment, environments } from '../../http/portal/environments.ts';
import type { RouteDeps } from '../../http/server.ts';
import { actingUser, permissionsOf, type Session, type User, viewableRoles } from '../../model/people.ts';
import { passwordCharacters } from '../../model/people-password.ts';
import type { Account, Environment } from '../../model/records.ts';
import { hasSecondFactor, secondFactorDue } from '../../model/second-factor-rule.ts';
import type { People } from './people.ts';

export interface MeFacts {
  user: User;
  session: Session;
  csrf: string;
  exchange: Exchange;
  https: boolean;
  account: Account;
  environment: Environment;
}

/** Parts that the routes of people get in addition to the common ones. */
export interface PeopleRouteParts {
  people: People;
  /** Whether the simulated carrier runs. */
  sandbox: boolean;
}

export function shownMe(
  { user, session, csrf, exchange, https, account, environment }: MeFacts,
  deps: RouteDeps,
  parts: PeopleRouteParts,
) {
  const { publicUrl } = deps.config;
  const acting = actingUser(user, session);
  const { secondFactorFrom = null } = deps.config;
  const due = session.strong ? null : secondFactorDue(account.secondFactor, user, secondFactorFrom);
  return {
    user: {
      userId: user.userId,
      name: user.name,
      email: user.email,
      role: acting.role,
      operator: acting.operator,
      twoFactor: hasSecondFactor(user),
      authenticator: user.totp !== null,
      passkeys: user.passkeys.length,
      password: user.passwordHash !== null,
      recoveryCodesLeft: user.recoveryHashes.length,
      language: user.language,
      singleKeys: user.singleKeys,
      lastSignInAt: user.lastSignInAt,
    },
    account: {
      accountId: account.accountId,
      name: account.name,
      status: account.status,
      timeZone: account.timeZone ?? null,
      passwordCharactersMin: account.passwordCharactersMin ?? passwordCharacters.min,
    },
    permissions: permissionsOf(acting),
    /** The role as which the person views the portal, used in `user`; null = their own. */
    viewAs: acting === user ? null : acting.role,
    viewableRoles: viewableRoles(user),
    environment,
    environments: environments(parts.sandbox),
    csrf,
    sandbox: parts.sandbox,
    version: deps.version,
    publicUrl,
    baseUrl: publicUrl ?? `${https ? 'https' : 'http'}://${exchange.request.headers.host ?? 'localhost'}`,
    limits: deps.limits,
    timeZone: user.timeZone,
    /** The deadline for their second factor, set by company or operator; null = none. */
    secondFactorDue: due === null ? null : isoTime(due),
    secondFactorFrom: secondFactorFrom === null ? null : isoTime(secondFactorFrom),
  };
}

/** The data of an answer that begins a session. */
export function meOf(
  { user, session, csrf }: Pick<MeFacts, 'user' | 'session' | 'csrf'>,
  call: Pick<MeFacts, 'exchange' | 'https'>,
  deps: RouteDeps,
  parts: PeopleRouteParts,
) {
  const account = deps.directory().account(user.accountId);
  if (account === undefined) return null;
  const environment = defaultEnvironment(deps.directory(), user.accountId, parts.sandbox);
  return shownMe({ user, session, csrf, account, environment, ...call }, deps, parts);
}
