/**
 * Sign-in: password, second factor, new session; and confirming a password again. An unknown person gets the same
 * answer, after the same time, as a wrong password.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import { emailKey, hashToken, isEmail, newToken } from '../../kernel/written-forms.ts';
import { peopleTimes, type Session, type User } from '../../model/people.ts';
import { passwordCharacters, passwordForm } from '../../model/people-password.ts';
import type { OpenSession, Origin, Person } from '../../model/person.ts';
import { auditEntryOf, type NotRight } from '../../model/person.ts';
import { hasSecondFactor } from '../../model/second-factor-rule.ts';
import { isSsoOnly, type PeopleParts } from './people-parts.ts';
import type { SecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';
import type { PeopleWrite } from './store/items.ts';

export type SignInResult =
  | { kind: 'done'; open: OpenSession }
  /** The password is right; a second factor is required: a code together with `challenge`, or a passkey. */
  | { kind: 'totp'; challenge: string; authenticator: boolean; passkey: boolean }
  /** It is right, but the person may sign in only through the identity provider. */
  | { kind: 'sso only' }
  | NotRight;

export interface SignIn {
  /** `leaving`: the browser's present session; it ends when another one begins. */
  signIn(form: { email: string; password: string }, origin: Origin, leaving: Session | null): Promise<SignInResult>;
  answer(
    form: { challenge: string; code: string },
    origin: Origin,
    leaving: Session | null,
  ): Promise<SignInResult | { kind: 'challenge over' }>;
  /** Continues after a correct first factor, `how`: requires the second one, or begins the session. */
  proceed(
    user: User,
    origin: Origin,
    leaving: Session | null,
    how: string,
    confirmedAt?: EpochMs,
  ): Promise<SignInResult>;
  /** Begins a session after all factors. `version`: of the user as read. */
  begin(
    user: User,
    origin: Origin,
    leaving: Session | null,
    more: { writes: PeopleWrite[]; how: string; version?: number; strong?: boolean; confirmedAt?: EpochMs },
  ): Promise<SignInResult>;
  signOut(person: Person): Promise<void>;
  /** Confirms the person's identity; from then on the session counts as recent. */
  confirm(person: Person, password: string): Promise<{ kind: 'done' } | NotRight>;
  /**
   * Records in the audit log that a sign-in as this user was refused. Not awaited: refusing a known user must not take
   * longer.
   */
  noteFailure(user: User, origin: Origin, what: string, after?: Record<string, unknown>): void;
  /** Whether it is the user's password; counted and limited like a sign-in. */
  check(user: User, password: string, origin: Origin): Promise<true | NotRight>;
}

interface Challenge {
  userId: string;
  triesLeft: number;
  endsAt: number;
}

const challengeTries = 5;
const challengesMax = 5_000;
const notRight: NotRight = { kind: 'not right' };

type Parts = Pick<PeopleParts, 'clock' | 'random' | 'logger' | 'store' | 'passwords' | 'attempts' | 'sso'> & {
  sessions: Sessions;
  secondFactor: SecondFactor;
};

export function createSignIn(parts: Parts): SignIn {
  const { clock, random, logger, store, passwords, attempts, sessions, secondFactor } = parts;
  const challenges = new Map<string, Challenge>();

  function noteFailure(user: User, origin: Origin, what: string, after: Record<string, unknown> | null = null): void {
    const audit = [auditEntryOf({ user, origin }, clock.now(), { what, target: user.userId, after })];
    store.changePeople([{ rules: [], writes: [], audit }]).catch((error: unknown) => {
      logger.warn({ userId: user.userId, err: error }, 'a failed sign-in could not be noted');
    });
  }

  /** For programs that read the log to block addresses (fail2ban): one line for each attempt, without the account. */
  function warn({ address }: Origin, what: 'password' | 'code'): void {
    logger.warn({ address, what }, 'sign-in failed');
  }

  /** The name for the account's limit: the same form for an unknown one. */
  async function judge(email: string, user: User | null, password: string, origin: Origin): Promise<true | NotRight> {
    const account = emailKey(email);
    const verdict = attempts.begin(account, origin.address);
    if (!verdict.allowed) return { kind: 'slow', retryAfterSeconds: verdict.retryAfterSeconds };
    const form = passwordForm(password);
    const usable = form.length <= passwordCharacters.max * 2 && form.isWellFormed();
    const known = user !== null && user.disabledAt === null && usable ? user.passwordHash : null;
    let fits: boolean | 'busy';
    try {
      fits = await passwords.verify(known, usable ? form : '');
    } catch (error) {
      attempts.undone(account, origin.address);
      throw error;
    }
    if (fits === 'busy') {
      attempts.undone(account, origin.address);
      return { kind: 'busy' };
    }
    if (fits) return true;
    warn(origin, 'password');
    if (user !== null) noteFailure(user, origin, 'sign_in.failed');
    return notRight;
  }

  async function begin(
    user: User,
    origin: Origin,
    leaving: Session | null,
    more: { writes: PeopleWrite[]; how: string; version?: number; strong?: boolean; confirmedAt?: EpochMs },
  ): Promise<SignInResult> {
    const { open, write } = sessions.create(user, origin, more);
    const now = clock.now();
    const note = { what: 'sign_in', target: user.userId, after: { how: more.how, sessionId: open.session.sessionId } };
    const leave: PeopleWrite[] =
      leaving === null ? [] : [{ write: 'end session', userId: leaving.userId, sessionId: leaving.sessionId }];
    const [broken] = await store.changePeople([
      {
        rules: more.version === undefined ? [] : [{ rule: 'unchanged', userId: user.userId, version: more.version }],
        writes: [...more.writes, ...leave, write, { write: 'signed in', userId: user.userId, at: now }],
        audit: [auditEntryOf({ user, origin }, now, note)],
      },
    ]);
    if (broken !== null) return notRight;
    attempts.right(emailKey(user.email), origin.address);
    return { kind: 'done', open };
  }

  function challenge(user: User): SignInResult {
    const token = newToken(random);
    challenges.set(hashToken(token), {
      userId: user.userId,
      triesLeft: challengeTries,
      endsAt: clock.monotonicMs() + peopleTimes.challengeMs,
    });
    if (challenges.size > challengesMax) challenges.delete(challenges.keys().next().value!);
    return { kind: 'totp', challenge: token, authenticator: user.totp !== null, passkey: user.passkeys.length > 0 };
  }

  async function proceed(
    user: User,
    origin: Origin,
    leaving: Session | null,
    how: string,
    confirmedAt?: EpochMs,
  ): Promise<SignInResult> {
    return hasSecondFactor(user) ? challenge(user) : begin(user, origin, leaving, { writes: [], how, confirmedAt });
  }

  return {
    async signIn({ email, password }, origin, leaving) {
      const [user = null] = isEmail(email) ? await store.users({ email }) : [];
      const judged = await judge(email, user, password, origin);
      if (judged !== true) return judged;
      if (isSsoOnly(parts.sso, user!)) {
        attempts.right(emailKey(email), origin.address);
        return { kind: 'sso only' };
      }
      // Not yet decided: the attempts at the code are counted instead.
      if (hasSecondFactor(user!)) attempts.undone(emailKey(email), origin.address);
      return proceed(user!, origin, leaving, 'password');
    },
    proceed,
    begin,
    noteFailure,
    async answer({ challenge: token, code }, origin, leaving) {
      const key = hashToken(token);
      const open = challenges.get(key);
      if (open === undefined || open.endsAt <= clock.monotonicMs()) {
        challenges.delete(key);
        return { kind: 'challenge over' };
      }
      // Counted before anything is awaited, so that parallel attempts cannot get around the limit.
      open.triesLeft -= 1;
      if (open.triesLeft <= 0) challenges.delete(key);
      const [user] = await store.users({ userId: open.userId });
      if (user === undefined || user.disabledAt !== null) return notRight;
      const verdict = attempts.begin(emailKey(user.email), origin.address);
      if (!verdict.allowed) return { kind: 'slow', retryAfterSeconds: verdict.retryAfterSeconds };
      const taken = secondFactor.take(user, code);
      if (taken === null) {
        warn(origin, 'code');
        noteFailure(user, origin, 'sign_in.code_failed');
        return notRight;
      }
      challenges.delete(key);
      const writes: PeopleWrite[] = [{ write: 'user', user: taken.user }];
      // Only if the user is unchanged since the read: of two parallel uses of a code only one succeeds.
      return begin(taken.user, origin, leaving, { writes, how: taken.with, version: user.version });
    },
    async signOut(person) {
      const { user, session } = person;
      const note = { what: 'sign_out', target: user.userId, before: { sessionId: session.sessionId } };
      await store.changePeople([
        {
          rules: [],
          writes: [{ write: 'end session', userId: user.userId, sessionId: session.sessionId }],
          audit: [auditEntryOf(person, clock.now(), note)],
        },
      ]);
    },
    async confirm({ user, session, origin }, password) {
      const judged = await judge(user.email, user, password, origin);
      if (judged !== true) return judged;
      attempts.right(emailKey(user.email), origin.address);
      const writes: PeopleWrite[] = [{ write: 'confirmed', idHash: session.idHash, at: clock.now() }];
      await store.changePeople([{ rules: [], writes, audit: [] }]);
      return { kind: 'done' };
    },
    async check(user, password, origin) {
      const judged = await judge(user.email, user, password, origin);
      if (judged === true) attempts.right(emailKey(user.email), origin.address);
      return judged;
    },
  };
}
