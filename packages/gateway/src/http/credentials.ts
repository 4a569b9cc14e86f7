/**
 * Authenticates both credentials of a key pair against the in-memory directory. Hashes are compared in constant time,
 * both are always checked, and every failure gets the same answer. Credentials are never logged or returned.
 */
import { timingSafeEqual } from 'node:crypto';
import { type BlockList, isIP } from 'node:net';
import type { Clock, EpochMs } from '../kernel/clock.ts';
import type { KeyId } from '../kernel/ids.ts';
import type { Directory } from '../model/directory.ts';
import type { RequestReason } from '../model/reason.ts';
import type { ApiKey, KeyScope } from '../model/records.ts';
import type { Caller } from '../model/send.ts';
import { blockList } from './client-sockets.ts';
import type { FailureWatch } from './failure-watch.ts';
import type { SentPair } from './sent-pair.ts';

/** The part of a request that says who sent it. */
export interface Presented {
  sent: SentPair;
  /** Address of the client; called only when it is needed. */
  address(): string;
  /** Method and route, such as `POST /SendSMS`; called only when it is needed. */
  endpoint(): string;
}

/** A key pair was used successfully. Reported at most once a minute for each pair. */
export interface KeyUse {
  keyId: KeyId;
  at: EpochMs;
  address: string;
  endpoint: string;
}

export type Admission =
  | { ok: true; caller: Caller }
  | {
      ok: false;
      reason: RequestReason & ('NOT_AUTHORIZED' | 'ACCOUNT_SUSPENDED');
      detail: string;
      /** The caller proved to hold the pair, so this failure is not a guess. */
      isKnown?: true;
      /** Both credentials belong to this pair, but it is refused. */
      key?: ApiKey;
      /** No record here has this pair; another cell may. Absent where there are none. */
      stranger?: Stranger;
    };

/** A pair of credentials that no record here has. */
export interface Stranger {
  /** SHA-256 in hex. */
  bearerHash: string;
  authHash: string;
  /** Counts it as a failure: nobody has it. */
  failed(): void;
}

export interface Credentials {
  admit(presented: Presented, scope: KeyScope): Admission;
  /** Checks again, by the current records, a pair that was admitted before. Records no use. */
  again(key: ApiKey, presented: Presented, scope: KeyScope): Admission;
}

/** The same answer, byte for byte, to every fault of credentials. */
const notAccepted: Admission & { ok: false } = {
  ok: false,
  reason: 'NOT_AUTHORIZED',
  detail: 'The credentials were not accepted.',
};

const reportEveryMs = 60_000;

export function createCredentials(parts: {
  clock: Clock;
  directory: () => Directory;
  failures: FailureWatch;
  used(use: KeyUse): void;
  /** Another cell may have a pair that is unknown here. */
  hasOtherCells?: boolean;
}): Credentials {
  const pairs = new WeakMap<ApiKey, Pair>();

  function pairOf(key: ApiKey | undefined): Pair {
    if (key === undefined) return nobody;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const made = new Pair(key.bearerHash, key.authHash, key.allowedIps);
    pairs.set(key, made);
    return made;
  }

  function judged(key: ApiKey | undefined, directory: Directory, presented: Presented, scope: KeyScope): Admission {
    const now = parts.clock.now();
    const account = key === undefined ? undefined : directory.account(key.accountId);
    if (key === undefined || account === undefined) return notAccepted;
    const pair = pairOf(key);
    if (!isLive(key, now) || !pair.allows(presented)) return { ...notAccepted, key };
    if (!key.scopes.includes(scope)) return withoutScope(key, scope);
    if (account.status === 'suspended') {
      return {
        ok: false,
        key,
        reason: 'ACCOUNT_SUSPENDED',
        detail:
          'The account of these credentials is suspended. Ask the operator of this gateway. Nothing was sent or billed.',
      };
    }
    return { ok: true, caller: { account, key } };
  }

  function admitted(key: ApiKey | undefined, directory: Directory, presented: Presented, scope: KeyScope): Admission {
    const admission = judged(key, directory, presented, scope);
    const now = parts.clock.now();
    if (!admission.ok || now - pairOf(key).reportedAt < reportEveryMs) return admission;
    pairOf(key).reportedAt = now;
    const { keyId } = admission.caller.key;
    parts.used({ keyId, at: now, address: presented.address(), endpoint: presented.endpoint() });
    return admission;
  }

  return {
    again: ({ bearerHash }, presented, scope) => {
      const directory = parts.directory();
      return judged(directory.keyByBearerHash(bearerHash), directory, presented, scope);
    },
    // The checksum of a token is not verified: a mistyped token is in no directory, and checking would slow down every
    // correct one.
    admit: (presented, scope) => {
      const directory = parts.directory();
      const { bearer, auth, bearerHash, authHash } = presented.sent;
      const byBearer = directory.keyByBearerHash(bearerHash);
      const byAuth = directory.keyByAuthHash(authHash);
      // Either credential finds the pair; both must then match it. Never stops after the first comparison.
      const pair = pairOf(byBearer ?? byAuth);
      const bearerFits = same(bearerHash, pair.bearerHash);
      const authFits = same(authHash, pair.authHash);
      const key = bearerFits && authFits && bearer && auth ? byBearer : undefined;
      const admission = admitted(key, directory, presented, scope);
      if (admission.ok || admission.reason !== 'NOT_AUTHORIZED' || admission.isKnown) return admission;
      const failed = (): void => parts.failures.failed(presented.address(), [bearer, auth]);
      if (parts.hasOtherCells === true && key === undefined && bearer && auth) {
        return { ...notAccepted, stranger: { bearerHash, authHash, failed } };
      }
      failed();
      return bearer === undefined || auth === undefined ? missing(presented.sent) : admission;
    },
  };
}

/** The compared values of a key pair, in the form that comparison needs. */
class Pair {
  readonly bearerHash: Buffer;
  readonly authHash: Buffer;
  /** When its use was last reported. */
  reportedAt: EpochMs = -Infinity;
  readonly #allowed: BlockList | null;

  constructor(bearerHash: string, authHash: string, allowedIps: readonly string[]) {
    this.bearerHash = hashBytes(bearerHash);
    this.authHash = hashBytes(authHash);
    this.#allowed = allowedIps.length === 0 ? null : blockList(allowedIps);
  }

  allows(presented: Presented): boolean {
    return this.#allowed === null || has(this.#allowed, presented.address());
  }
}

/** Whether a pair with this list accepts this address. */
export function allowsAddress(allowedIps: readonly string[], address: string): boolean {
  return allowedIps.length === 0 || has(blockList(allowedIps), address);
}

function has(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** Length of a SHA-256 in hex, the form in which hashes are looked up and compared. */
const hashCharacters = 64;
/** Refilled for each comparison: cheaper than a new buffer, and safe because the comparison is synchronous. */
const compared = Buffer.alloc(hashCharacters);
/** Replaces a missing pair so that the comparison takes the same time. Matches no credential. */
const nobody = new Pair('', '', []);

/** A stored hash as bytes; a malformed one matches nothing. */
function hashBytes(hex: string): Buffer {
  const bytes = Buffer.alloc(hashCharacters);
  if (hex.length === hashCharacters) bytes.write(hex, 'latin1');
  return bytes;
}

function same(hex: string, stored: Buffer): boolean {
  compared.write(hex, 'latin1');
  return timingSafeEqual(compared, stored);
}

function isLive(key: ApiKey, now: number): boolean {
  return (key.revokedAt === null || key.revokedAt > now) && (key.expiresAt === null || key.expiresAt > now);
}

function missing({ bearer, auth }: SentPair): Admission {
  const bearerHint = 'the Bearer Token (header Authorization: Bearer <token>)';
  const authHint = 'the Auth Token (query parameter apikey, or header X-Api-Key)';
  const named =
    bearer === undefined && auth === undefined
      ? `Both credentials are missing: ${bearerHint} and ${authHint}.`
      : `One credential is missing: ${bearer === undefined ? bearerHint : authHint}.`;
  return { ok: false, reason: 'NOT_AUTHORIZED', detail: `${named} Nothing was sent or billed.` };
}

/** Only the holder of both credentials of a valid pair, from an address that it allows, gets this answer. */
function withoutScope(key: ApiKey, scope: KeyScope): Admission {
  const has = key.scopes.length === 0 ? 'no scope' : `only ${key.scopes.join(' and ')}`;
  return {
    ok: false,
    key,
    isKnown: true,
    reason: 'NOT_AUTHORIZED',
    detail: `This call needs the scope ${scope}, and this key pair has ${has}. Add the scope under API keys, or use another pair. Nothing was sent or billed.`,
  };
}
