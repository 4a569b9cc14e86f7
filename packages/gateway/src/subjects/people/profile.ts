/** A person changes their own data: name, time zone, language, shortcuts, password, sessions. */
import { readName } from '../../kernel/written-forms.ts';
import { type Session, type User, viewableRoles } from '../../model/people.ts';
import { passwordForm } from '../../model/people-password.ts';
import type { NotRight, OpenSession } from '../../model/person.ts';
import { auditEntryOf, fault, type Person, type Refusal } from '../../model/person.ts';
import type { Role } from '../../model/roles.ts';
import { knownLanguages } from './mail-texts.ts';
import { type PeopleParts, passwordRuleOf } from './people-parts.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export interface ProfileForm {
  name?: string;
  timeZone?: string | null;
  language?: string | null;
  singleKeys?: boolean;
}

export interface Profile {
  change(person: Person, form: ProfileForm): Promise<{ kind: 'done'; user: User } | Refusal>;
  /** Ends every session of the user and begins a new one for this browser. */
  changePassword(
    person: Person,
    form: { current: string; next: string },
  ): Promise<{ kind: 'done'; open: OpenSession } | NotRight | Refusal>;
  /** Shows this session the portal as a role with fewer permissions; null ends that. `person`: with their real role. */
  viewAs(person: Person, role: Role | null): Promise<{ kind: 'done' } | Refusal>;
  sessions(person: Person): Promise<Session[]>;
  endSession(person: Person, sessionId: string): Promise<boolean>;
  /** Ends all other sessions; returns how many. */
  endOthers(person: Person): Promise<number>;
}

type Parts = Pick<PeopleParts, 'clock' | 'store' | 'directory' | 'passwords'> & { sessions: Sessions; signIn: SignIn };

export function createProfile({ clock, store, directory, passwords, sessions, signIn }: Parts): Profile {
  const unchanged = ({ user }: Person) => ({ rule: 'unchanged' as const, userId: user.userId, version: user.version });
  const open = async ({ user }: Person): Promise<Session[]> => {
    const now = clock.now();
    return (await store.sessions(user.userId)).filter((session) => sessions.counts(session, now));
  };

  return {
    async change(person, form) {
      const faults = profileFaults(form);
      if (Object.keys(faults).length > 0) return { kind: 'fields', fields: faults };
      const { user } = person;
      const { name = user.name, timeZone = user.timeZone, language = user.language } = form;
      const singleKeys = form.singleKeys ?? user.singleKeys;
      const next: User = { ...user, name: readName(name) ?? user.name, timeZone, language, singleKeys };
      const shown = ({ name, timeZone, language, singleKeys }: User) => ({ name, timeZone, language, singleKeys });
      const note = { what: 'profile.changed', target: user.userId, before: shown(user), after: shown(next) };
      const [broken] = await store.changePeople([
        {
          rules: [unchanged(person)],
          writes: [{ write: 'user', user: next }],
          audit: [auditEntryOf(person, clock.now(), note)],
        },
      ]);
      return broken === null ? { kind: 'done', user: { ...next, version: user.version + 1 } } : changedMeanwhile;
    },
    async viewAs(person, role) {
      const { user, session } = person;
      if (role !== null && !viewableRoles(user).includes(role)) return notViewable;
      if (role === session.viewAs) return { kind: 'done' };
      const note = {
        what: role === null ? 'view_as.ended' : 'view_as.started',
        target: user.userId,
        before: { role: session.viewAs ?? user.role },
        after: { role: role ?? user.role },
      };
      const writes = [{ write: 'view as' as const, idHash: session.idHash, role }];
      await store.changePeople([{ rules: [], writes, audit: [auditEntryOf(person, clock.now(), note)] }]);
      return { kind: 'done' };
    },
    async changePassword(person, { current, next }) {
      const { user, origin } = person;
      const problem = await passwords.problem(next, { ...user, ...passwordRuleOf(directory(), user.accountId) });
      if (problem !== null) return fault('next', problem);
      const judged = await signIn.check(user, current, origin);
      if (judged !== true) return judged;
      const passwordHash = await passwords.hash(passwordForm(next));
      if (passwordHash === 'busy') return { kind: 'busy' };
      const { open, write } = sessions.create(user, origin);
      const [broken] = await store.changePeople([
        {
          rules: [unchanged(person)],
          writes: [
            { write: 'user', user: { ...user, passwordHash } },
            { write: 'end sessions', userId: user.userId, exceptIdHash: null },
            write,
          ],
          audit: [auditEntryOf(person, clock.now(), { what: 'password.changed', target: user.userId })],
        },
      ]);
      return broken === null ? { kind: 'done', open } : changedMeanwhile;
    },
    sessions: open,
    async endSession(person, sessionId) {
      const found = (await open(person)).some((session) => session.sessionId === sessionId);
      if (!found) return false;
      const { userId } = person.user;
      const note = { what: 'session.ended', target: userId, before: { sessionId } };
      const writes = [{ write: 'end session' as const, userId, sessionId }];
      await store.changePeople([{ rules: [], writes, audit: [auditEntryOf(person, clock.now(), note)] }]);
      return true;
    },
    async endOthers(person) {
      const { user, session } = person;
      const count = (await open(person)).filter(({ idHash }) => idHash !== session.idHash).length;
      const note = { what: 'sessions.ended', target: user.userId, before: { others: count } };
      const writes = [{ write: 'end sessions' as const, userId: user.userId, exceptIdHash: session.idHash }];
      await store.changePeople([{ rules: [], writes, audit: [auditEntryOf(person, clock.now(), note)] }]);
      return count;
    },
  };
}

const notViewable: Refusal = {
  kind: 'forbidden',
  detail: 'Owners and Admins may view the portal as a role below their own, and as no other.',
};
const changedMeanwhile: Refusal = { kind: 'conflict', detail: 'Your profile was changed meanwhile. Look at it again.' };

function profileFaults({ name, timeZone, language }: ProfileForm): Record<string, string> {
  const faults: Record<string, string> = {};
  if (name !== undefined && readName(name) === null) faults.name = 'Write a name of 1 to 100 characters.';
  if (timeZone != null && !isTimeZone(timeZone)) faults.timeZone = 'This is no time zone. Write it like Europe/Prague.';
  if (language != null && !isLanguage(language)) {
    faults.language = `Choose one of: ${knownLanguages.join(', ')}. A region may follow, as in es-MX.`;
  }
  return faults;
}

/** One of the portal's, with or without a region. */
function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/.test(tag) && knownLanguages.includes(tag.split('-')[0]!);
}

/** An IANA name that this runtime knows. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
