/**
 * Resets a forgotten password by mail. The request is answered at once and always alike, and the work is done
 * afterwards: neither the answer nor its time shows whether the address is known. The key works once, for half an hour,
 * and only while the password is the one to be replaced.
 */
import { addressGroup } from '../../kernel/address-group.ts';
import { emailKey, hashToken, isEmail, newToken } from '../../kernel/written-forms.ts';
import { type OneTimeKey, peopleTimes, type ResetKey, type Session, type User } from '../../model/people.ts';
import { passwordForm } from '../../model/people-password.ts';
import { auditEntryOf, fault, type Origin, type Refusal } from '../../model/person.ts';
import { createCounters } from './counters.ts';
import { mailTexts } from './mail-texts.ts';
import type { PeopleMail } from './people-mail.ts';
import { companyOf, isSsoOnly, type PeopleParts, passwordRuleOf } from './people-parts.ts';
import type { Invited, KeyOver } from './set-up.ts';
import type { SignIn, SignInResult } from './sign-in.ts';

export const resetLimits = {
  windowMs: 3_600_000,
  /** Mails to one address. Further ones are not sent, without notice. */
  perAddress: 3,
  /** Requests of one client. */
  perClient: 20,
  countersMax: 20_000,
  atOnce: 20,
} as const;

export interface PasswordReset {
  /** False when no mail can be sent, or no link can be made. */
  readonly isOn: boolean;
  /** Mails a link if a user has this address; only the mailbox shows whether one has. */
  ask(email: string, origin: Origin): { kind: 'done' } | Refusal;
  look(key: string, origin: Origin): Promise<{ kind: 'found'; key: Invited } | KeyOver | Refusal>;
  /** Ends every session. The second factor is required as after a password. */
  finish(
    form: { key: string; password: string },
    origin: Origin,
    leaving: Session | null,
  ): Promise<SignInResult | KeyOver | Refusal>;
}

type Parts = Pick<
  PeopleParts,
  'clock' | 'random' | 'ids' | 'logger' | 'store' | 'directory' | 'passwords' | 'attempts' | 'mail' | 'sso'
> & { signIn: Pick<SignIn, 'proceed'> };

export function createPasswordReset(parts: Parts): PasswordReset {
  const { clock, random, ids, logger, store, directory, passwords, attempts, mail, sso, signIn } = parts;
  const counters = createCounters(clock, resetLimits.countersMax);
  let working = 0;

  const replaced = (user: User): string => hashToken(user.passwordHash ?? '');

  /** Whether another one is allowed under this name; counts it. */
  function takes(name: string, max: number): boolean {
    if ((counters.of(name)?.count ?? 0) >= max) return false;
    counters.add(name, resetLimits.windowMs);
    return true;
  }

  async function mailLink(through: PeopleMail, email: string, origin: Origin): Promise<void> {
    const [user] = await store.users({ email });
    if (user === undefined || user.disabledAt !== null || isSsoOnly(sso, user)) return;
    const secret = newToken(random);
    const now = clock.now();
    const key: ResetKey = {
      keyHash: hashToken(secret),
      keyId: ids.next('otk_'),
      createdAt: now,
      expiresAt: now + peopleTimes.resetKeyMs,
      purpose: 'reset',
      accountId: user.accountId,
      userId: user.userId,
      replaces: replaced(user),
    };
    const note = { what: 'password.reset_asked', target: user.userId };
    const audit = [auditEntryOf({ user, origin }, now, note)];
    await store.changePeople([{ rules: [], writes: [{ write: 'key', key }], audit }]);
    const link = `${through.publicUrl}/reset#k=${secret}`;
    const facts = { link, minutes: peopleTimes.resetKeyMs / 60_000, address: origin.address };
    // To the stored address: the typed one may differ in spelling, and so in where it leads.
    through.send(user.email, mailTexts(user.language).reset(facts));
  }

  async function keyFor(typed: string, origin: Origin): Promise<{ key: ResetKey; user: User } | KeyOver | Refusal> {
    const verdict = attempts.begin('one-time keys', origin.address);
    if (!verdict.allowed) return { kind: 'slow', retryAfterSeconds: verdict.retryAfterSeconds };
    const key: OneTimeKey | null = await store.oneTimeKey(hashToken(typed.trim()));
    if (key?.purpose !== 'reset' || key.expiresAt <= clock.now()) return keyOver;
    attempts.right('one-time keys', origin.address);
    const [user] = await store.users({ userId: key.userId });
    if (user === undefined || user.disabledAt !== null || replaced(user) !== key.replaces) return keyOver;
    return { key, user };
  }

  return {
    isOn: mail !== null,
    ask(email, origin) {
      if (mail === null) return { kind: 'conflict', detail: 'This gateway sends no mails. Ask an administrator.' };
      if (!isEmail(email)) return fault('email', 'This is no e-mail address. Write it like ada@example.com.');
      const client = `client ${addressGroup(origin.address)}`;
      if (!takes(client, resetLimits.perClient)) {
        const endsAt = counters.of(client)?.endsAt ?? clock.monotonicMs();
        return { kind: 'slow', retryAfterSeconds: Math.ceil((endsAt - clock.monotonicMs()) / 1_000) };
      }
      if (!takes(`mails ${hashToken(emailKey(email))}`, resetLimits.perAddress)) return { kind: 'done' };
      if (working >= resetLimits.atOnce) return { kind: 'busy' };
      working += 1;
      // The answer is already sent when this begins.
      clock.after(0, () => {
        mailLink(mail, email, origin)
          .catch((error: unknown) => logger.warn({ err: error }, 'a link for a new password could not be made'))
          .finally(() => {
            working -= 1;
          });
      });
      return { kind: 'done' };
    },
    async look(typed, origin) {
      const found = await keyFor(typed, origin);
      if ('kind' in found) return found;
      const { email, name, accountId } = found.user;
      const { charactersMin: passwordCharactersMin } = passwordRuleOf(directory(), accountId);
      return {
        kind: 'found',
        key: { email, name, company: companyOf(directory(), accountId), passwordCharactersMin },
      };
    },
    async finish({ key: typed, password }, origin, leaving) {
      const found = await keyFor(typed, origin);
      if ('kind' in found) return found;
      const { key, user } = found;
      const problem = await passwords.problem(password, { ...user, ...passwordRuleOf(directory(), user.accountId) });
      if (problem !== null) return fault('password', problem);
      const passwordHash = await passwords.hash(passwordForm(password));
      if (passwordHash === 'busy') return { kind: 'busy' };
      const now = clock.now();
      const [broken] = await store.changePeople([
        {
          rules: [
            { rule: 'key', keyHash: key.keyHash, now },
            { rule: 'unchanged', userId: user.userId, version: user.version },
          ],
          writes: [
            { write: 'user', user: { ...user, passwordHash } },
            { write: 'drop key', keyId: key.keyId },
            { write: 'end sessions', userId: user.userId, exceptIdHash: null },
          ],
          audit: [auditEntryOf({ user, origin }, now, { what: 'password.reset_by_mail', target: user.userId })],
        },
      ]);
      if (broken === 'unchanged') return { kind: 'conflict', detail: 'Your user was changed meanwhile. Try again.' };
      if (broken !== null) return keyOver;
      if (mail !== null) {
        const facts = { at: now, address: origin.address, publicUrl: mail.publicUrl };
        mail.send(user.email, mailTexts(user.language).changed(facts));
      }
      const next: User = { ...user, passwordHash, version: user.version + 1 };
      return signIn.proceed(next, origin, leaving, 'reset link');
    },
  };
}

const keyOver: KeyOver = { kind: 'key over' };
