/** Ports and helpers shared by the services of people. */
import type { Clock, EpochMs, Random } from '../../kernel/clock.ts';
import type { AccountId, Ids } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Sealing } from '../../kernel/sealed-place.ts';
import type { Directory } from '../../model/directory.ts';
import type { Passkey, User } from '../../model/people.ts';
import { type PasswordOwner, passwordCharacters } from '../../model/people-password.ts';
import type { Role } from '../../model/roles.ts';
import type { Attempts } from './attempts.ts';
import type { Passwords } from './passwords.ts';
import type { PeopleMail } from './people-mail.ts';
import type { PeopleStore } from './store/module.ts';

/** Time-based codes (RFC 6238). */
export interface OneTimeCodes {
  /** Base 32, from 20 random bytes. */
  newSecret(bytes: Uint8Array): string;
  /** For an authenticator app: `otpauth://totp/…`. */
  uri(secret: string, name: { issuer: string; label: string }): string;
  /** The step of a code, among the present one and its two neighbours; null when it matches none. */
  stepOf(secret: string, code: string, now: EpochMs): number | null;
}

/** The site of passkeys (WebAuthn): they work only there. */
export interface PasskeySite {
  rpId: string;
  origin: string;
}

/** The ceremonies of WebAuthn level 3. `response` comes from the browser; the results are null when it is invalid. */
export interface PasskeyCeremonies {
  creationOptions(
    site: PasskeySite,
    params: { challenge: Uint8Array; user: Pick<User, 'userId' | 'email' | 'name' | 'passkeys'> },
  ): Promise<object>;
  requestOptions(site: PasskeySite, challenge: Uint8Array): Promise<object>;
  created(
    site: PasskeySite,
    given: { challenge: string; response: object },
  ): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'> | null>;
  /** 'counter': the signature is valid, but its counter is not above the last one: the key may have been copied. */
  used(
    site: PasskeySite,
    given: { challenge: string; response: object; passkey: Passkey },
  ): Promise<Pick<Passkey, 'counter' | 'backedUp'> | 'counter' | null>;
}

/** The operator's settings of the identity provider. */
export interface SsoSettings {
  issuer: string;
  /** On the button; null = `single sign-on`. */
  name: string | null;
  /** Null = people keep their role, and new ones get `roleElse`. */
  roles: ReadonlyMap<string, Role> | null;
  roleClaim: string;
  /** The role when no value of the claim is mapped; null = such people are refused. */
  roleElse: Role | null;
  /** Null = `account` for everybody. */
  accounts: ReadonlyMap<string, AccountId> | null;
  accountClaim: string;
  account: AccountId | null;
  /** Accepted domains of addresses; empty = any. */
  domains: readonly string[];
  /** Whether an unknown person becomes a user. */
  creates: boolean;
  /** Whether people other than operators may also use a password or a passkey. */
  passwords: boolean;
  /** Values of `amr` and `acr` that count as two factors. */
  secondFactor: readonly string[];
}

export type SsoFault = 'unreachable' | 'denied' | 'issuer' | 'clock' | 'state' | 'answer' | 'settings';

/** The state of a sign-in until it comes back. */
export interface SsoSent {
  state: string;
  nonce: string;
  verifier: string;
  again: boolean;
}

/** The code flow with PKCE of OpenID Connect. The log has the exact faults. */
export interface OidcClient {
  /** `again`: the provider must authenticate the person anew. */
  begin(again: boolean): Promise<({ url: string } & SsoSent) | { fault: SsoFault }>;
  /** `query`: the provider's parameters in the URL. Returns the claims of a verified ID token. */
  finish(
    query: string,
    sent: SsoSent,
  ): Promise<{ claims: Readonly<Record<string, unknown>> & { sub: string } } | { fault: SsoFault }>;
}

export interface Sso {
  settings: SsoSettings;
  client: OidcClient;
}

/**
 * Whether this person can sign in only through the identity provider. Operators never: they must get in when it is
 * down.
 */
export function isSsoOnly(sso: Sso | null, { operator }: Pick<User, 'operator'>): boolean {
  return sso !== null && !sso.settings.passwords && !operator;
}

export interface PeopleParts {
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  store: PeopleStore;
  directory: () => Directory;
  passwords: Passwords;
  codes: OneTimeCodes;
  ceremonies: PasskeyCeremonies;
  /** Null without an identity provider. */
  sso: Sso | null;
  sealer: Sealing;
  attempts: Attempts;
  /** Null when mails cannot be sent, or the public address for links is unknown. */
  mail: PeopleMail | null;
}

/** The name of a user's company. */
export function companyOf(directory: Directory, accountId: AccountId): string {
  return directory.account(accountId)?.name ?? '';
}

export type PasswordRule = Required<Pick<PasswordOwner, 'company' | 'charactersMin'>>;

/** The company's rules for passwords, and words that a password must not be. */
export function passwordRuleOf(directory: Directory, accountId: AccountId): PasswordRule {
  const charactersMin = directory.account(accountId)?.passwordCharactersMin ?? passwordCharacters.min;
  return { company: companyOf(directory, accountId), charactersMin };
}
