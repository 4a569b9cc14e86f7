/** Reads a person's claims from an identity provider: name, address, role, company, factors. Pure. */
import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { emailKey, isEmail, readName } from '../../kernel/written-forms.ts';
import { type Role, roles } from '../../model/roles.ts';
import type { SsoSettings } from './people-parts.ts';

export interface Claims {
  issuer: string;
  subject: string;
  /** Null when missing or malformed. */
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  roles: readonly string[];
  accounts: readonly string[];
  /** When they authenticated there; null = unknown. */
  provedAt: EpochMs | null;
  /** `amr` and `acr` */
  factors: readonly string[];
}

/** Why a person known to the provider is refused here. */
export type SsoRefusal =
  | 'no address'
  | 'unverified'
  | 'domain'
  | 'unknown'
  | 'linked'
  | 'role'
  | 'company'
  | 'other company'
  | 'disabled'
  | 'changed';

const valuesMax = 200;

/** Null without a usable subject. */
export function readClaims(
  given: Readonly<Record<string, unknown>> & { sub: string },
  { issuer, roleClaim, accountClaim }: Pick<SsoSettings, 'issuer' | 'roleClaim' | 'accountClaim'>,
): Claims | null {
  const { sub, email, email_verified: verified, name } = given;
  if (sub === '' || sub.length > 255 || /\p{Cc}/u.test(sub)) return null;
  return {
    issuer,
    subject: sub,
    email: typeof email === 'string' && isEmail(email) ? email : null,
    // Some providers send it as a string.
    emailVerified: verified === true || verified === 'true',
    name: typeof name === 'string' ? readName(name) : null,
    roles: valuesAt(given, roleClaim),
    accounts: valuesAt(given, accountClaim),
    provedAt: typeof given.auth_time === 'number' ? given.auth_time * 1_000 : null,
    factors: [...valuesOf(given.amr), ...valuesOf(given.acr)],
  };
}

/** A nested claim is named with dots: `realm_access.roles`. */
function valuesAt(claims: Readonly<Record<string, unknown>>, path: string): readonly string[] {
  if (Object.hasOwn(claims, path)) return valuesOf(claims[path]);
  let at: unknown = claims;
  for (const step of path.split('.')) {
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as Record<string, unknown>)[step] : null;
  }
  return valuesOf(at);
}

function valuesOf(claim: unknown): readonly string[] {
  const list = Array.isArray(claim) ? claim : [claim];
  return list.filter((one) => typeof one === 'string').slice(0, valuesMax);
}

export function secondFactorIn({ factors }: Claims, { secondFactor }: Pick<SsoSettings, 'secondFactor'>): boolean {
  return factors.some((one) => secondFactor.includes(one));
}

/** Role and company from the claims; undefined = not stated, and the stored ones stay. */
export function wantedOf(
  claims: Claims,
  settings: Pick<SsoSettings, 'roles' | 'roleElse' | 'accounts' | 'domains'>,
): { role: Role | undefined; accountId: AccountId | undefined } | Extract<SsoRefusal, 'domain' | 'role' | 'company'> {
  const { domains } = settings;
  if (domains.length > 0 && claims.email !== null && !domains.includes(domainOf(claims.email))) return 'domain';
  const mapped = claims.roles.map((value) => settings.roles?.get(value));
  // Of several roles the most powerful.
  const role = roles.find((one) => mapped.includes(one)) ?? (settings.roles === null ? undefined : settings.roleElse);
  if (role === null) return 'role';
  if (settings.accounts === null) return { role, accountId: undefined };
  const accountId = claims.accounts.map((value) => settings.accounts?.get(value)).find((one) => one !== undefined);
  return accountId === undefined ? 'company' : { role, accountId };
}

function domainOf(email: string): string {
  return emailKey(email).split('@').at(-1)!;
}
