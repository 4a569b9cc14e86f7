/**
 * Passkeys (WebAuthn): add, name, remove, sign in without typing an address, and confirm one's identity. The
 * authenticator verifies its person each time, so a passkey counts as both factors.
 */
import { readName } from '../../kernel/written-forms.ts';
import type { Passkey, Session, User } from '../../model/people.ts';
import { auditEntryOf, fault, type NotRight, type Origin, type Person, type Refusal } from '../../model/person.ts';
import { hasSecondFactor } from '../../model/second-factor-rule.ts';
import { createPasskeyChallenges } from './passkey-challenges.ts';
import { isSsoOnly, type PasskeySite, type PeopleParts } from './people-parts.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SignIn, SignInResult } from './sign-in.ts';
import type { PeopleWrite } from './store/items.ts';

export const passkeysMax = 20;

export interface Passkeys {
  /** Options for the browser; only the challenge is stored. */
  begin(person: Person, site: PasskeySite): Promise<{ kind: 'done'; options: object } | Refusal>;
  /** `recoveryCodes`: with the person's first second factor, shown once. */
  add(
    person: Person,
    site: PasskeySite,
    form: { name: string; response: unknown },
  ): Promise<{ kind: 'done'; passkey: Passkey; recoveryCodes: string[] | null } | Refusal>;
  rename(person: Person, passkeyId: string, name: string): Promise<{ kind: 'done' } | Refusal>;
  remove(person: Person, passkeyId: string): Promise<{ kind: 'done' } | Refusal>;
  /** Options for a sign-in. */
  ask(site: PasskeySite, origin: Origin): Promise<{ kind: 'done'; options: object } | Refusal>;
  signIn(site: PasskeySite, response: unknown, origin: Origin, leaving: Session | null): Promise<SignInResult>;
  /** Confirms the person's identity instead of the password. */
  confirm(person: Person, site: PasskeySite, response: unknown): Promise<{ kind: 'done' } | NotRight>;
}

type Parts = Pick<PeopleParts, 'clock' | 'random' | 'ids' | 'logger' | 'store' | 'ceremonies' | 'attempts' | 'sso'> & {
  signIn: Pick<SignIn, 'begin' | 'noteFailure'>;
  secondFactor: Pick<SecondFactor, 'newRecoveryCodes'>;
};

const notRight: NotRight = { kind: 'not right' };

export function createPasskeys(parts: Parts): Passkeys {
  const { clock, ids, logger, store, ceremonies, attempts, signIn, secondFactor } = parts;
  const challenges = createPasskeyChallenges(parts);

  async function change(person: Person, next: Partial<User>, note: Parameters<typeof auditEntryOf>[2]) {
    const { user } = person;
    const [broken] = await store.changePeople([
      {
        rules: [{ rule: 'unchanged', userId: user.userId, version: user.version }],
        writes: [{ write: 'user', user: { ...user, ...next } }],
        audit: [auditEntryOf(person, clock.now(), note)],
      },
    ]);
    return broken === null ? { kind: 'done' as const } : changedMeanwhile;
  }

  /** The owner of the passkey, and its state after this use. Uses up the challenge in any case. */
  async function judge(site: PasskeySite, given: unknown, origin: Origin) {
    const response = readResponse(given);
    if (response === null || !challenges.take(response.challenge, null)) return notRight;
    const verdict = attempts.begin('passkeys', origin.address);
    if (!verdict.allowed) return { kind: 'slow' as const, retryAfterSeconds: verdict.retryAfterSeconds };
    const [user] = response.userId === null ? [] : await store.users({ userId: response.userId });
    const passkey = user?.passkeys.find(({ credentialId }) => credentialId === response.credentialId);
    if (user === undefined || passkey === undefined || user.disabledAt !== null)
      return refused(origin, null, 'unknown');
    const { challenge, whole } = response;
    const used = await ceremonies.used(site, { challenge, response: whole, passkey });
    if (used === null || used === 'counter') return refused(origin, { user, passkey }, used ?? 'signature');
    attempts.right('passkeys', origin.address);
    const next: Passkey = { ...passkey, ...used, lastUsedAt: clock.now() };
    return {
      kind: 'right' as const,
      user,
      next: { ...user, passkeys: user.passkeys.map((one) => (one === passkey ? next : one)) },
    };
  }

  function refused(origin: Origin, who: { user: User; passkey: Passkey } | null, why: string): NotRight {
    logger.warn({ address: origin.address, what: 'passkey', why }, 'sign-in failed');
    if (who === null) return notRight;
    const { user, passkey } = who;
    signIn.noteFailure(user, origin, 'sign_in.passkey_failed', { why, passkey: passkey.passkeyId });
    return notRight;
  }

  return {
    async begin({ user, session, origin }, site) {
      if (user.passkeys.length >= passkeysMax) return tooMany;
      const challenge = challenges.issue(session.idHash, origin.address);
      if ('kind' in challenge) return challenge;
      return { kind: 'done', options: await ceremonies.creationOptions(site, { challenge, user }) };
    },
    async add(person, site, form) {
      const { user, session } = person;
      const name = readName(form.name);
      if (name === null) return fault('name', 'Write a name of 1 to 100 characters.');
      if (user.passkeys.length >= passkeysMax) return tooMany;
      const response = readResponse(form.response);
      if (response === null || !challenges.take(response.challenge, session.idHash)) return tookTooLong;
      const { challenge, whole } = response;
      const made = await ceremonies.created(site, { challenge, response: whole });
      if (made === null) return notTaken;
      const now = clock.now();
      const passkey: Passkey = { passkeyId: ids.next('pky_'), ...made, name, createdAt: now, lastUsedAt: null };
      const recovery = hasSecondFactor(user) ? null : secondFactor.newRecoveryCodes();
      const note = { what: 'passkey.added', target: user.userId, after: { passkeyId: passkey.passkeyId, name } };
      const done = await change(
        person,
        {
          passkeys: [...user.passkeys, passkey],
          ...(recovery !== null && { recoveryHashes: recovery.hashes }),
        },
        note,
      );
      return done.kind === 'done' ? { ...done, passkey, recoveryCodes: recovery?.shown ?? null } : done;
    },
    async rename(person, passkeyId, typed) {
      const { user } = person;
      const passkey = user.passkeys.find((one) => one.passkeyId === passkeyId);
      if (passkey === undefined) return noPasskey;
      const name = readName(typed);
      if (name === null) return fault('name', 'Write a name of 1 to 100 characters.');
      const note = {
        ...{ what: 'passkey.renamed', target: user.userId },
        ...{ before: { passkeyId, name: passkey.name }, after: { passkeyId, name } },
      };
      const passkeys = user.passkeys.map((one) => (one === passkey ? { ...one, name } : one));
      return change(person, { passkeys }, note);
    },
    async remove(person, passkeyId) {
      const { user } = person;
      const passkey = user.passkeys.find((one) => one.passkeyId === passkeyId);
      if (passkey === undefined) return noPasskey;
      const passkeys = user.passkeys.filter((one) => one !== passkey);
      const hasOther = user.passwordHash !== null || (user.identity !== null && parts.sso !== null);
      if (passkeys.length === 0 && !hasOther) return lastWay;
      const { name } = passkey;
      const note = { what: 'passkey.removed', target: user.userId, before: { passkeyId, name } };
      // Recovery codes replace a second factor, so they go with the last one.
      const recoveryHashes = hasSecondFactor({ ...user, passkeys }) ? user.recoveryHashes : [];
      return change(person, { passkeys, recoveryHashes }, note);
    },
    async ask(site, origin) {
      const challenge = challenges.issue(null, origin.address);
      if ('kind' in challenge) return challenge;
      return { kind: 'done', options: await ceremonies.requestOptions(site, challenge) };
    },
    async signIn(site, response, origin, leaving) {
      const judged = await judge(site, response, origin);
      if (judged.kind !== 'right') return judged;
      const { user, next } = judged;
      if (isSsoOnly(parts.sso, user)) return { kind: 'sso only' };
      const writes: PeopleWrite[] = [{ write: 'user', user: next }];
      // Only if the user is unchanged since the read: an older counter must never overwrite a newer one.
      return signIn.begin(next, origin, leaving, { writes, how: 'passkey', version: user.version });
    },
    async confirm({ user: { userId }, session, origin }, site, response) {
      const judged = await judge(site, response, origin);
      if (judged.kind !== 'right') return judged;
      const { user, next } = judged;
      if (user.userId !== userId) return notRight;
      const [broken] = await store.changePeople([
        {
          rules: [{ rule: 'unchanged', userId, version: user.version }],
          writes: [
            { write: 'user', user: next },
            { write: 'confirmed', idHash: session.idHash, at: clock.now() },
          ],
          audit: [],
        },
      ]);
      return broken === null ? { kind: 'done' } : notRight;
    },
  };
}

/** The parts of a response that the gateway itself reads; the ceremony checks all of it. Null for invalid input. */
function readResponse(given: unknown) {
  if (typeof given !== 'object' || given === null) return null;
  const { id, response } = given as { id?: unknown; response?: unknown };
  if (typeof id !== 'string' || typeof response !== 'object' || response === null) return null;
  const { clientDataJSON, userHandle } = response as { clientDataJSON?: unknown; userHandle?: unknown };
  if (typeof clientDataJSON !== 'string') return null;
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  const userId = typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString() : null;
  return { credentialId: id, challenge, userId: userId?.startsWith('usr_') === true ? userId : null, whole: given };
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const { challenge } = read as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

const changedMeanwhile: Refusal = { kind: 'conflict', detail: 'Your profile was changed meanwhile. Try again.' };
const tooMany: Refusal = { kind: 'conflict', detail: `You have ${passkeysMax} passkeys. Remove one first.` };
const lastWay: Refusal = {
  kind: 'conflict',
  detail: 'This is the only way in which you can sign in. Add another passkey, or set a password, first.',
};
const noPasskey: Refusal = { kind: 'missing', detail: 'You have no passkey with this id.' };
const tookTooLong: Refusal = { kind: 'conflict', detail: 'This took too long, or was sent twice. Begin again.' };
const notTaken: Refusal = {
  kind: 'conflict',
  detail: 'This passkey could not be checked, or its device did not verify you. Begin again.',
};
