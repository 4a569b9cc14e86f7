/**
 * Explains a fault in a pair of tokens to a signed-in person of the same company. The API gives one answer to every
 * fault. Tokens of other companies are unknown here. Pure.
 */
import type { AccountId } from '../../kernel/ids.ts';
import { hashCredential, parseCredential } from '../../model/credential.ts';
import type { Directory } from '../../model/directory.ts';
import type { ApiKey, Environment } from '../../model/records.ts';
import { keyStatus } from './key-service.ts';

export type CredentialFault =
  | 'missing'
  | 'mistyped'
  | 'swapped'
  | 'unknown'
  | 'different pairs'
  | 'revoked'
  | 'expired'
  | 'wrong environment'
  | 'suspended';

export interface CredentialVerdict {
  works: boolean;
  /** The pair has an IP list; the caller's address is unknown here. */
  isListed: boolean;
  /** The first fault to correct; null when the pair works. */
  fault: CredentialFault | null;
  sentence: string;
  /** What is known about each token; null when nothing is. */
  bearer: TokenFinding;
  auth: TokenFinding;
}

export interface TokenFinding {
  sentence: string;
  /** The pair it belongs to. */
  key: Pick<ApiKey, 'keyId' | 'name' | 'environment'> | null;
}

/** Entries of an IP list that the sentence names. */
const named = 5;

interface CredentialQuery {
  bearerToken: string;
  authToken: string;
  accountId: AccountId;
  environment: Environment;
  now: number;
}

interface Known {
  key: ApiKey | null;
  /** It is the other token of the pair. */
  swapped: boolean;
  missing: boolean;
  mistyped: boolean;
}

export function judgeCredentials(directory: Directory, query: CredentialQuery): CredentialVerdict {
  const bearer = look(directory, query, 'bearer');
  const auth = look(directory, query, 'auth');
  const found = faultOf(directory, query, bearer, auth);
  return {
    works: found === null,
    isListed: found === null && bearer.key!.allowedIps.length > 0,
    fault: found?.fault ?? null,
    sentence: found?.sentence ?? working(bearer.key!),
    bearer: finding(bearer, 'Bearer Token'),
    auth: finding(auth, 'Auth Token'),
  };
}

function working({ name, environment, allowedIps }: ApiKey): string {
  const pair = `They work: pair “${name}” (${environment}).`;
  if (allowedIps.length === 0) return pair;
  const more = allowedIps.length - named;
  const list = `${allowedIps.slice(0, named).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${pair} Its IP list applies to the address of the program that calls: only ${list}. This test does not look at it.`;
}

function look(directory: Directory, query: CredentialQuery, kind: 'bearer' | 'auth'): Known {
  const token = (kind === 'bearer' ? query.bearerToken : query.authToken).trim();
  const hash = hashCredential(token);
  const own = (key: ApiKey | undefined): ApiKey | null => (key?.accountId === query.accountId ? key : null);
  const asBearer = own(directory.keyByBearerHash(hash));
  const asAuth = own(directory.keyByAuthHash(hash));
  const right = kind === 'bearer' ? asBearer : asAuth;
  const other = kind === 'bearer' ? asAuth : asBearer;
  const parsed = parseCredential(token);
  return {
    key: right ?? other,
    swapped: right === null && (other !== null || (parsed.form === 'issued' && parsed.kind !== kind)),
    missing: token === '',
    mistyped: parsed.form === 'mistyped',
  };
}

function finding({ key, swapped, missing, mistyped }: Known, name: string): TokenFinding {
  const pair = key && { keyId: key.keyId, name: key.name, environment: key.environment };
  if (missing) return { key: pair, sentence: `The ${name} is missing.` };
  if (mistyped) return { key: pair, sentence: `The ${name} is mistyped or cut: its check characters do not fit.` };
  if (swapped) return { key: pair, sentence: `This is the other token of a pair, not its ${name}.` };
  return {
    key: pair,
    sentence: pair === null ? `No pair of your company has this ${name}.` : `${name} of “${pair.name}”.`,
  };
}

function faultOf(
  directory: Directory,
  { accountId, environment, now }: CredentialQuery,
  bearer: Known,
  auth: Known,
): { fault: CredentialFault; sentence: string } | null {
  const both = [bearer, auth];
  if (both.some(({ missing }) => missing)) {
    return { fault: 'missing', sentence: 'Both tokens are needed on every call, and one or both are missing.' };
  }
  if (bearer.swapped && auth.swapped) {
    return {
      fault: 'swapped',
      sentence:
        'They are swapped: the one that begins with at_ goes into apikey, the other into the Authorization header.',
    };
  }
  if (both.some(({ swapped }) => swapped)) {
    return { fault: 'swapped', sentence: 'The same kind of token stands in both places. A call needs one of each.' };
  }
  if (both.some(({ mistyped }) => mistyped)) {
    return { fault: 'mistyped', sentence: 'A token was mistyped or cut when it was copied. Copy it again.' };
  }
  if (bearer.key === null || auth.key === null) {
    return {
      fault: 'unknown',
      sentence: 'A token is of no pair of your company. It may belong to another installation.',
    };
  }
  if (bearer.key !== auth.key) {
    return { fault: 'different pairs', sentence: 'They are of two different pairs. Take both tokens of one pair.' };
  }
  return pairFault(directory, bearer.key, { accountId, environment, now });
}

function pairFault(
  directory: Directory,
  key: ApiKey,
  { accountId, environment, now }: Pick<CredentialQuery, 'accountId' | 'environment' | 'now'>,
): { fault: CredentialFault; sentence: string } | null {
  const status = keyStatus(key, now);
  if (status === 'revoked')
    return { fault: 'revoked', sentence: 'This pair was revoked. Take another, or make a new one.' };
  if (status === 'expired') {
    const more = key.replacedBy === undefined ? '' : ' It was rotated: its new pair is in the list.';
    return { fault: 'expired', sentence: `This pair expired ${new Date(key.expiresAt!).toISOString()}.${more}` };
  }
  if (key.environment !== environment) {
    return {
      fault: 'wrong environment',
      sentence: `This pair works, but it is a ${key.environment} pair, and you look at ${environment}: it sees none of its numbers.`,
    };
  }
  if (directory.account(accountId)?.status === 'suspended') {
    return { fault: 'suspended', sentence: 'The pair is fine, but your company is suspended.' };
  }
  return null;
}
