/**
 * Creates, changes, rotates and revokes key pairs, one edit at a time. Tokens leave it once, on creation; only hashes
 * and hints are stored. Pairs of other companies do not exist for the caller.
 */
import type { Clock, Random } from '../../kernel/clock.ts';
import type { AccountId, KeyId } from '../../kernel/ids.ts';
import { createReadWriteLock } from '../../kernel/read-write-lock.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import { Secret } from '../../kernel/secret.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import { generatePair, pairHints } from '../../model/credential.ts';
import type { Directory } from '../../model/directory.ts';
import type { Limits } from '../../model/limits.ts';
import type { Refusal } from '../../model/person.ts';
import { type ApiKey, type Environment, type KeyScope, noRecords } from '../../model/records.ts';
import { type KeyFields, readKeyForm } from './key-form.ts';

export interface KeyOwner {
  accountId: AccountId;
  /** E-mail address of the person. */
  by: string;
  /** Scopes that they may grant. */
  scopes: readonly KeyScope[];
}

export interface NewTokens {
  bearerToken: Secret;
  authToken: Secret;
}

export type KeyOutcome<Tokens = null> =
  /**
   * `before`: the earlier state, null for a new pair. `tokens`: only when a pair was created. `replaced`: after a
   * rotation the old pair as it is now; `key` is the new one.
   */
  | { kind: 'done'; key: ApiKey; before: ApiKey | null; tokens: Tokens; replaced?: ApiKey }
  /** Changed since it was read; `current` is the present record. */
  | { kind: 'stale'; current: ApiKey }
  | Extract<Refusal, { kind: 'fields' | 'conflict' | 'missing' | 'forbidden' }>;

export type NotDone = Exclude<KeyOutcome, { kind: 'done' }>;

export interface KeyService {
  /** Newest first, including revoked and expired ones. */
  list(accountId: AccountId): ApiKey[];
  create(owner: KeyOwner, environment: Environment, form: unknown): Promise<KeyOutcome<NewTokens>>;
  /** `version` as read; null = change any version. */
  change(owner: KeyOwner, keyId: KeyId, form: unknown, version: string | null): Promise<KeyOutcome>;
  /** A new pair with the same rights; the old one stays valid for this long. */
  rotate(owner: KeyOwner, keyId: KeyId, overlapHours: number): Promise<KeyOutcome<NewTokens>>;
  /** Takes effect at once, for ever. */
  revoke(owner: KeyOwner, keyId: KeyId): Promise<KeyOutcome>;
}

export interface KeyServiceParts {
  store: Pick<RecordsStore, 'putRecords'>;
  /** Reloads the records, so that `directory` has the change. */
  refreshDirectory(): Promise<unknown>;
  directory: () => Directory;
  clock: Pick<Clock, 'now'>;
  random: Random;
  limits: Pick<Limits, 'requestsPerSecond' | 'burst'>;
  isAddressOrBlock(text: string): boolean;
}

export const keyLimits = { perAccount: 200, overlapHoursDefault: 24, overlapHoursMax: 720 } as const;
const hourMs = 3_600_000;

export function keyStatus(key: ApiKey, now: number): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

export function createKeyService(parts: KeyServiceParts): KeyService {
  const { directory, clock, random } = parts;
  const lock = createReadWriteLock();

  const own = (accountId: AccountId): ApiKey[] =>
    directory()
      .records.apiKeys.filter((key) => key.accountId === accountId)
      .sort((a, b) => b.createdAt - a.createdAt);

  async function write(...apiKeys: ApiKey[]): Promise<void> {
    await parts.store.putRecords({ ...noChanges, apiKeys });
    await parts.refreshDirectory();
  }

  /** Edits read a record and write it back, so concurrent ones would undo each other. */
  function inTurn<T>(work: () => Promise<KeyOutcome<T>>): Promise<KeyOutcome<T>> {
    return lock.exclusive(async () => {
      await parts.refreshDirectory();
      return work();
    });
  }

  function onKey<T>(
    owner: KeyOwner,
    keyId: KeyId,
    work: (key: ApiKey) => Promise<KeyOutcome<T>>,
  ): Promise<KeyOutcome<T>> {
    return inTurn(async () => {
      const key = own(owner.accountId).find((one) => one.keyId === keyId);
      if (key === undefined) return missing;
      // Rotating gives the pair to the person, and changing grants its scopes, so both need these scopes.
      if (key.scopes.some((scope) => !owner.scopes.includes(scope))) return beyondRole;
      return key.revokedAt === null ? work(key) : alreadyRevoked;
    });
  }

  function read(owner: KeyOwner, environment: Environment, form: unknown) {
    const { accountId, scopes } = owner;
    const { isAddressOrBlock } = parts;
    const now = clock.now();
    return readKeyForm(form, { directory: directory(), accountId, environment, now, scopes, isAddressOrBlock });
  }

  function full(accountId: AccountId): boolean {
    const now = clock.now();
    return own(accountId).filter((key) => keyStatus(key, now) === 'active').length >= keyLimits.perAccount;
  }

  function newKey(owner: KeyOwner, environment: Environment, fields: KeyFields) {
    const pair = generatePair(random, environment);
    const key: ApiKey = {
      keyId: pair.keyId,
      accountId: owner.accountId,
      environment,
      bearerHash: pair.bearerHash,
      authHash: pair.authHash,
      ...pairHints(pair),
      requestsPerSecond: parts.limits.requestsPerSecond,
      burst: parts.limits.burst,
      ...fields,
      createdAt: clock.now(),
      createdBy: owner.by,
      revokedAt: null,
    };
    const tokens = { bearerToken: new Secret(pair.bearerToken), authToken: new Secret(pair.authToken) };
    return { key, tokens };
  }

  return {
    list: own,
    create: (owner, environment, form) =>
      inTurn(async () => {
        const sent = read(owner, environment, form);
        if (!sent.ok) return { kind: 'fields', fields: sent.faults };
        const { name, scopes } = sent.fields;
        if (name === undefined) return { kind: 'fields', fields: { name: 'Give the pair a name.' } };
        if (scopes === undefined) return { kind: 'fields', fields: { scopes: 'Choose what the pair may do.' } };
        if (full(owner.accountId)) return tooMany;
        const exactShape = directory().account(owner.accountId)?.exactShapeDefault ?? false;
        const { key, tokens } = newKey(owner, environment, {
          ...noRestrictions,
          exactShape,
          ...sent.fields,
          name,
          scopes,
        });
        await write(key);
        return { kind: 'done', key, before: null, tokens };
      }),
    change: (owner, keyId, form, version) =>
      onKey(owner, keyId, async (before) => {
        if (version !== null && version !== recordVersion(before)) return { kind: 'stale', current: before };
        const sent = read(owner, before.environment, form);
        if (!sent.ok) return { kind: 'fields', fields: sent.faults };
        const key = { ...before, ...sent.fields };
        await write(key);
        return { kind: 'done', key, before, tokens: null };
      }),
    rotate: (owner, keyId, overlapHours) =>
      onKey(owner, keyId, async (before) => {
        if (before.replacedBy !== undefined) return alreadyRotated;
        if (full(owner.accountId)) return tooMany;
        const now = clock.now();
        const { name, scopes, numbers = [], dailyCap = 0, allowedIps, exactShape } = before;
        // The new pair gets the same lifetime as the old one had.
        const expiresAt = before.expiresAt === null ? null : now + (before.expiresAt - before.createdAt);
        const fields = { name, scopes, numbers, dailyCap, allowedIps, exactShape, expiresAt };
        const { key, tokens } = newKey(owner, before.environment, fields);
        const { requestsPerSecond, burst, countsWith = keyId } = before;
        const kept = { ...key, requestsPerSecond, burst, countsWith };
        const until = Math.min(before.expiresAt ?? Infinity, now + overlapHours * hourMs);
        const replaced = { ...before, expiresAt: until, replacedBy: kept.keyId };
        await write(replaced, kept);
        return { kind: 'done', key: kept, before, tokens, replaced };
      }),
    revoke: (owner, keyId) =>
      onKey(owner, keyId, async (before) => {
        const key = { ...before, revokedAt: clock.now() };
        await write(key);
        return { kind: 'done', key, before, tokens: null };
      }),
  };
}

const noChanges = noRecords();
const noRestrictions = { numbers: [], dailyCap: 0, allowedIps: [], expiresAt: null };

const missing: NotDone = { kind: 'missing', detail: 'Your company has no key pair with this id.' };
const beyondRole: NotDone = {
  kind: 'forbidden',
  detail: 'This pair may do more than your role. Ask an Owner or an Admin.',
};
const alreadyRevoked: NotDone = {
  kind: 'conflict',
  detail: 'This pair was revoked, and stays so. Make a new one.',
};
const alreadyRotated: NotDone = {
  kind: 'conflict',
  detail: 'This pair was rotated already: its new pair is in the list. Rotate that one, or revoke this one.',
};
const tooMany: NotDone = {
  kind: 'conflict',
  detail: `Your company has ${keyLimits.perAccount} working key pairs, the most it may have. Revoke one first.`,
};
