/**
 * Wires sign-in: hashing, one-time codes, sealing, and the first administrator's company. Used by the gateway and by
 * commands that create administrators.
 */

import { Secret, TOTP } from 'otpauth';
import type { Sealer } from '../kernel/sealing.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import { type Account, noRecords } from '../model/records.ts';
import { createMailer } from '../subjects/alerts/mailer.ts';
import { createAttempts } from '../subjects/people/attempts.ts';
import { createPasswords } from '../subjects/people/passwords.ts';
import { createPeople, type People } from '../subjects/people/people.ts';
import { createPeopleMail, type PeopleMail } from '../subjects/people/people-mail.ts';
import type { OneTimeCodes, Sso } from '../subjects/people/people-parts.ts';
import { sandboxAccount, sandboxAccountId } from '../subjects/records/sandbox-records.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import { createOidcClient } from './oidc-client.ts';
import { passkeyCeremonies } from './passkey-ceremonies.ts';
import { argon2 } from './password-hashing.ts';
import type { Store } from './store.ts';

/** Without `broken`: a command reports the store's failure itself. */
type PeopleContext = Omit<Context, 'broken'>;

export interface PeoplePorts {
  config: Pick<Config, 'sandbox' | 'mail' | 'publicUrl' | 'oidc'>;
  store: Store;
  sealer: Sealer;
  directory: Pick<DirectoryFollower, 'current' | 'refresh'>;
  /** Absent in commands, where nobody signs in. */
  egress?: Pick<EgressPolicy, 'guarded' | 'policy'>;
}

export function openPeople(context: PeopleContext, ports: PeoplePorts): People {
  const { config, store, sealer, directory } = ports;
  const common = { ...context, store, sealer, directory: directory.current, refreshDirectory: directory.refresh };
  return createPeople({
    ...common,
    passwords: createPasswords(argon2),
    codes: totpCodes,
    ceremonies: passkeyCeremonies,
    sso: identityProvider(context, ports),
    attempts: createAttempts(common),
    mail: peopleMail(context, config),
    firstAccount: (company) => firstAccount(context, ports, company),
  });
}

function identityProvider(context: PeopleContext, { config: { oidc, publicUrl }, egress }: PeoplePorts): Sso | null {
  if (oidc === null || publicUrl === null || egress === undefined) return null;
  const { port } = new URL(oidc.issuer);
  const policy = () => {
    const known = egress.policy();
    // The provider is set by the operator, not by a customer, so its port is allowed too.
    const extraPorts = port === '' ? known.extraPorts : [...known.extraPorts, Number(port)];
    return { ...known, extraPorts, allowPrivate: known.allowPrivate || oidc.isPrivate };
  };
  const { issuer, clientId, clientSecretFile, scopes } = oidc;
  const redirectUri = `${publicUrl}/login/sso`;
  const { guarded } = egress;
  return {
    settings: oidc,
    client: createOidcClient({
      ...context,
      ...{ guarded, policy, issuer, clientId, clientSecretFile, scopes, redirectUri },
    }),
  };
}

/** Without a public URL a link would lead to whatever host the sender of a request names. */
function peopleMail(
  context: PeopleContext,
  { mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>,
): PeopleMail | null {
  if (mail === null || publicUrl === null) return null;
  return createPeopleMail({ ...context, mailer: createMailer(mail, context.logger), publicUrl });
}

/** The company of the first administrator: the sandbox's, else the only one, else a new one. */
async function firstAccount(
  { ids }: PeopleContext,
  { config, store, directory }: PeoplePorts,
  company: string | null,
): Promise<string> {
  const { accounts } = await store.records();
  const real = accounts.filter(({ accountId }) => accountId !== sandboxAccountId);
  const sandbox = accounts.find(({ accountId }) => accountId === sandboxAccountId);
  const known = config.sandbox ? sandbox : real.length === 1 ? real[0] : undefined;
  if (known !== undefined && (company ?? known.name) === known.name) return known.accountId;
  const fresh: Account = {
    ...sandboxAccount,
    accountId: ids.next('acc_').toLowerCase(),
    name: 'My company',
    supportContact: '',
  };
  const account = known ?? (config.sandbox ? sandboxAccount : fresh);
  await store.putRecords({ ...noRecords(), accounts: [{ ...account, name: company ?? account.name }] });
  await directory.refresh();
  return account.accountId;
}

/** One-time codes as authenticator apps generate them (RFC 6238): 6 digits, 30 s, SHA-1. */
const periodSeconds = 30;
/** Accepted steps before and after the present one, because clocks differ. */
const window = 1;
const shape = { algorithm: 'SHA1', digits: 6, period: periodSeconds };

export const totpCodes: OneTimeCodes = {
  newSecret: (bytes) => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32,
  uri: (secret, { issuer, label }) =>
    new TOTP({ ...shape, issuer, label, secret: Secret.fromBase32(secret) }).toString(),
  stepOf: (secret, code, now) => {
    const delta = new TOTP({ ...shape, secret: Secret.fromBase32(secret) }).validate({
      token: code,
      timestamp: now,
      window,
    });
    return delta === null ? null : Math.floor(now / 1_000 / periodSeconds) + delta;
  },
};
