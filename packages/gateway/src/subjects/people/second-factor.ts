/**
 * The second factor: time-based codes and ten recovery codes, each valid once. The secret is sealed; recovery codes
 * are hashed.
 */
import { totpPlace } from '../../kernel/sealed-place.ts';
import { emailKey, hashToken, newRecoveryCode, readCode } from '../../kernel/written-forms.ts';
import type { User } from '../../model/people.ts';
import { auditEntryOf, fault, type Person, type Refusal } from '../../model/person.ts';
import { hasSecondFactor } from '../../model/second-factor-rule.ts';
import type { PeopleParts } from './people-parts.ts';

export interface SecondFactor {
  /** Shows a secret once; until `finish` it is only in memory. */
  begin(person: Person): { secret: string; uri: string };
  finish(person: Person, code: string): Promise<{ kind: 'done'; recoveryCodes: string[] } | Refusal>;
  /** Requires a code of the removed factor: session and password alone are not enough. Limited like a sign-in. */
  remove(person: Person, code: string): Promise<{ kind: 'done' } | { kind: 'not right' } | Refusal>;
  /** New codes; the old ones become invalid. */
  renewRecoveryCodes(person: Person): Promise<{ kind: 'done'; recoveryCodes: string[] } | Refusal>;
  /** Ten new codes, and the form in which they are stored. Writes nothing. */
  newRecoveryCodes(): { shown: string[]; hashes: string[] };
  /** The user after this code was used, and its kind; null when it is refused. Writes nothing. */
  take(user: User, code: string): { user: User; with: 'totp' | 'recovery code' } | null;
}

const secretBytes = 20;
const recoveryCodesCount = 10;
const pendingMs = 15 * 60_000;
const pendingMax = 1_000;
const issuer = 'Heliograph';

type Parts = Pick<PeopleParts, 'clock' | 'random' | 'store' | 'codes' | 'sealer' | 'attempts'>;

export function createSecondFactor({ clock, random, store, codes, sealer, attempts }: Parts): SecondFactor {
  /** Secrets that were shown but not confirmed yet, by session. */
  const pending = new Map<string, { secret: string; endsAt: number }>();

  function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
    const shown = Array.from({ length: recoveryCodesCount }, () => newRecoveryCode(random));
    return { shown, hashes: shown.map(hashToken) };
  }

  async function change(person: Person, next: Partial<User>, what: string): Promise<Refusal | null> {
    const { user } = person;
    const audit = [auditEntryOf(person, clock.now(), { what, target: user.userId })];
    const [broken] = await store.changePeople([
      {
        rules: [{ rule: 'unchanged', userId: user.userId, version: user.version }],
        writes: [{ write: 'user', user: { ...user, ...next } }],
        audit,
      },
    ]);
    return broken === null ? null : { kind: 'conflict', detail: 'Your profile was changed meanwhile. Try again.' };
  }

  function take(user: User, code: string): ReturnType<SecondFactor['take']> {
    const typed = digits(code);
    if (/^[0-9]{6}$/.test(typed)) {
      if (user.totp === null) return null;
      const { secret, lastStep } = user.totp;
      const step = codes.stepOf(sealer.open(secret, totpPlace(user.userId)), typed, clock.now());
      // RFC 6238 §5.2: a code is never accepted twice, nor an older one.
      if (step === null || step <= lastStep) return null;
      return { user: { ...user, totp: { ...user.totp, lastStep: step } }, with: 'totp' };
    }
    const hash = hashToken(readCode(code));
    if (!user.recoveryHashes.includes(hash)) return null;
    return {
      user: { ...user, recoveryHashes: user.recoveryHashes.filter((one) => one !== hash) },
      with: 'recovery code',
    };
  }

  return {
    begin({ user, session }) {
      const secret = codes.newSecret(random.bytes(secretBytes));
      pending.delete(session.idHash);
      pending.set(session.idHash, { secret, endsAt: clock.monotonicMs() + pendingMs });
      if (pending.size > pendingMax) pending.delete(pending.keys().next().value!);
      return { secret, uri: codes.uri(secret, { issuer, label: user.email }) };
    },
    async finish(person, code) {
      const shown = pending.get(person.session.idHash);
      if (shown === undefined || shown.endsAt <= clock.monotonicMs()) {
        return { kind: 'conflict', detail: 'There is no secret to confirm any more. Begin again.' };
      }
      const lastStep = codes.stepOf(shown.secret, digits(code), clock.now());
      if (lastStep === null) return fault('code', 'This is not the code that the app shows now. Check its clock.');
      const recovery = newRecoveryCodes();
      const totp = { secret: sealer.seal(shown.secret, totpPlace(person.user.userId)), lastStep, since: clock.now() };
      const refused = await change(person, { totp, recoveryHashes: recovery.hashes }, 'two_factor.on');
      if (refused !== null) return refused;
      pending.delete(person.session.idHash);
      return { kind: 'done', recoveryCodes: recovery.shown };
    },
    async remove(person, code) {
      const { user, origin } = person;
      if (user.totp === null) return { kind: 'conflict', detail: 'Codes of an authenticator are off already.' };
      const name = emailKey(user.email);
      const verdict = attempts.begin(name, origin.address);
      if (!verdict.allowed) return { kind: 'slow', retryAfterSeconds: verdict.retryAfterSeconds };
      if (take(user, code) === null) return { kind: 'not right' };
      attempts.right(name, origin.address);
      // They still replace the remaining passkeys.
      const recoveryHashes = user.passkeys.length === 0 ? [] : user.recoveryHashes;
      return (await change(person, { totp: null, recoveryHashes }, 'two_factor.off')) ?? { kind: 'done' };
    },
    async renewRecoveryCodes(person) {
      if (!hasSecondFactor(person.user))
        return { kind: 'conflict', detail: 'Two-factor sign-in is off. Turn it on first.' };
      const recovery = newRecoveryCodes();
      const refused = await change(person, { recoveryHashes: recovery.hashes }, 'recovery_codes.renewed');
      return refused ?? { kind: 'done', recoveryCodes: recovery.shown };
    },
    take,
    newRecoveryCodes,
  };
}

function digits(code: string): string {
  return code.replace(/[\s-]/g, '');
}
