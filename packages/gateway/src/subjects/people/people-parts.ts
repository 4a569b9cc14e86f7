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
  /** Base 32, of 20 random bytes. */
  newSecret(bytes: Uint8Array): string;
  /** What an authenticator app reads: `otpauth://totp/…`. */
  uri(secret: string, name: { issuer: string; label: string }): string;
  /** The step a code belongs to, one before and one after the present included; null when it is none of them. */
  stepOf(secret: string, code: string, now: EpochMs): number | null;
}

/** Where passkeys belong (WebAuthn): they work there, and nowhere else. */
export interface PasskeySite {
  rpId: string;
  origin: string;
}

/** The ceremonies of WebAuthn level 3. `response` is what the browser gave; the answers for it are null when it does not hold. */
export interface PasskeyCeremonies {
  creationOptions(
    site: PasskeySite,
    asked: { challenge: Uint8Array; user: Pick<User, 'userId' | 'email' | 'name' | 'passkeys'> },
  ): Promise<object>;
  requestOptions(site: PasskeySite, challenge: Uint8Array): Promise<object>;
  created(
    site: PasskeySite,
    given: { challenge: string; response: object },
  ): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'> | null>;
  /** 'counter': the signature is right, and its counter is not above the last one: there may be a copy of the key. */
  used(
    site: PasskeySite,
    given: { challenge: string; response: object; passkey: Passkey },
  ): Promise<Pick<Passkey, 'counter' | 'backedUp'> | 'counter' | null>;
}

/** What the operator says of their identity provider. */
export interface SsoSettings {
  issuer: string;
  /** On the button; null = `single sign-on`. */
  name: string | null;
  /** Null = people keep their role, and new ones get `roleElse`. */
  roles: ReadonlyMap<string, Role> | null;
  roleClaim: string;
  /** Of whom no value of the claim is mapped; null = they are refused. */
  roleElse: Role | null;
  /** Null = `account` for everybody. */
  accounts: ReadonlyMap<string, AccountId> | null;
  accountClaim: string;
  account: AccountId | null;
  /** Of addresses that are let in; empty = any. */
  domains: readonly string[];
  /** Whether somebody unknown becomes a user. */
  creates: boolean;
  /** Whether people other than operators may use a password or a passkey too. */
  passwords: boolean;
  /** Values of `amr` and `acr` that count as two factors. */
  secondFactor: readonly string[];
}

export type SsoFault = 'unreachable' | 'denied' | 'issuer' | 'clock' | 'state' | 'answer' | 'settings';

/** What is kept of a sign-in until it comes back. */
export interface SsoSent {
  state: string;
  nonce: string;
  verifier: string;
  again: boolean;
}

/** The code flow with PKCE of OpenID Connect. What a fault was exactly is in the log. */
export interface OidcClient {
  /** `again`: the provider asks who is there, though it may know. */
  begin(again: boolean): Promise<({ url: string } & SsoSent) | { fault: SsoFault }>;
  /** `query`: what the provider sent back in the address. Claims of a checked ID token. */
  finish(
    query: string,
    sent: SsoSent,
  ): Promise<{ claims: Readonly<Record<string, unknown>> & { sub: string } } | { fault: SsoFault }>;
}

export interface Sso {
  settings: SsoSettings;
  client: OidcClient;
}

/** Whether this person comes by the identity provider only. Operators never do: they must get in when it is down. */
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
  /** Null = there is no identity provider. */
  sso: Sso | null;
  sealer: Sealing;
  attempts: Attempts;
  /** Null where mails cannot be sent, or nobody knows where links in them would lead. */
  mail: PeopleMail | null;
}

/** The name of a user's company. */
export function companyOf(directory: Directory, accountId: AccountId): string {
  return directory.account(accountId)?.name ?? '';
}

export type PasswordRule = Required<Pick<PasswordOwner, 'company' | 'charactersMin'>>;

/** What a user's company asks of passwords, and may not be one. */
export function passwordRuleOf(directory: Directory, accountId: AccountId): PasswordRule {
  const charactersMin = directory.account(accountId)?.passwordCharactersMin ?? passwordCharacters.min;
  return { company: companyOf(directory, accountId), charactersMin };
}
