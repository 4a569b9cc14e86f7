/** What a page is told about who is signed in: themselves, their company, what they may do. Never a hash or a secret. */
import { permissionsOf, type User } from '../../domain/people.ts';
import type { Account, Environment } from '../../domain/records.ts';
import type { Exchange } from '../exchange.ts';
import type { RouteDeps } from '../server.ts';
import { defaultEnvironment, environments } from './environments.ts';
import type { PortalParts } from './portal-parts.ts';

export interface MeFacts {
  user: User;
  csrf: string;
  exchange: Exchange;
  https: boolean;
  account: Account;
  environment: Environment;
}

export function shownMe(
  { user, csrf, exchange, https, account, environment }: MeFacts,
  deps: RouteDeps,
  parts: PortalParts,
) {
  const { publicUrl } = deps.config;
  return {
    user: {
      ...{ userId: user.userId, name: user.name, email: user.email, role: user.role, operator: user.operator },
      ...{ twoFactor: user.totp !== null, recoveryCodesLeft: user.recoveryHashes.length },
      ...{ language: user.language, singleKeys: user.singleKeys, lastSignInAt: user.lastSignInAt },
    },
    account: {
      ...{ accountId: account.accountId, name: account.name, status: account.status },
      timeZone: account.timeZone ?? null,
    },
    permissions: permissionsOf(user),
    environment,
    environments: environments(parts.sandbox),
    csrf,
    sandbox: parts.sandbox,
    version: deps.version,
    publicUrl,
    baseUrl: publicUrl ?? `${https ? 'https' : 'http'}://${exchange.request.headers.host ?? 'localhost'}`,
    limits: deps.limits,
    timeZone: user.timeZone,
  };
}

/** For an answer that begins a session. */
export function meOf(
  { user, csrf }: Pick<MeFacts, 'user' | 'csrf'>,
  call: Pick<MeFacts, 'exchange' | 'https'>,
  deps: RouteDeps,
  parts: PortalParts,
) {
  const account = deps.directory().account(user.accountId);
  if (account === undefined) return null;
  const environment = defaultEnvironment(deps.directory(), user.accountId, parts.sandbox);
  return shownMe({ user, csrf, account, environment, ...call }, deps, parts);
}
