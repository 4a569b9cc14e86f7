/**
 * Manages a company's users and invitations. Only an Owner changes Owners; a company keeps at least one Owner, the
 * gateway at least one operator; nobody changes their own role.
 */
import { dayMs } from '../../kernel/clock.ts';
import { emailKey, hashToken, isEmail, newToken, readName } from '../../kernel/written-forms.ts';
import { type Invitation, peopleTimes, sessionEnd, type User } from '../../model/people.ts';
import { auditEntryOf, fault, type Person, type Refusal } from '../../model/person.ts';
import { type Role, roles } from '../../model/roles.ts';
import { mailTexts } from './mail-texts.ts';
import { companyOf, type PeopleParts } from './people-parts.ts';
import type { PeopleRule, PeopleWrite } from './store/items.ts';

export interface Users {
  list(person: Person): Promise<User[]>;
  change(
    person: Person,
    userId: string,
    form: { role?: Role; disabled?: boolean },
  ): Promise<{ kind: 'done'; user: User } | Refusal>;
  /** Signs a user out of every browser; for oneself out of all others. Returns how many sessions ended. */
  endSessions(person: Person, userId: string): Promise<{ kind: 'done'; ended: number } | Refusal>;
  invitations(person: Person): Promise<Invitation[]>;
  /** The key is for the link, and is shown only now; it is also mailed if possible. */
  invite(
    person: Person,
    form: { email: string; name: string; role: Role },
  ): Promise<{ kind: 'done'; invitation: Invitation; key: string; mailed: boolean } | Refusal>;
  withdraw(person: Person, invitationId: string): Promise<{ kind: 'done' } | Refusal>;
}

const invitationsMax = 200;

export function createUsers({
  clock,
  random,
  ids,
  store,
  directory,
  mail,
}: Pick<PeopleParts, 'clock' | 'random' | 'ids' | 'store' | 'directory' | 'mail'>): Users {
  async function open({ user }: Person): Promise<Invitation[]> {
    const keys = await store.oneTimeKeys({ accountId: user.accountId, purpose: 'invitation' });
    const now = clock.now();
    return keys.filter((key): key is Invitation => key.purpose === 'invitation' && key.expiresAt > now);
  }

  return {
    list: ({ user }) => store.users({ accountId: user.accountId }),
    async change(person, userId, form) {
      const [user] = await store.users({ userId });
      if (user === undefined || user.accountId !== person.user.accountId) return noUser;
      const { role = user.role } = form;
      const disabled = form.disabled ?? user.disabledAt !== null;
      if (userId === person.user.userId) {
        return role === user.role && !disabled ? { kind: 'done', user } : ownRecord;
      }
      if ([role, user.role].includes('Owner') && person.user.role !== 'Owner') return ownersOnly;
      if (user.operator && !person.user.operator) return operatorsOnly;
      const disabledAt = disabled ? (user.disabledAt ?? clock.now()) : null;
      const next: User = { ...user, role, disabledAt };
      const note = { what: 'user.changed', target: userId, before: shown(user), after: shown(next) };
      const rules: PeopleRule[] = [{ rule: 'unchanged', userId, version: user.version }];
      const losesOwner = user.role === 'Owner' && (role !== 'Owner' || disabled);
      if (losesOwner) rules.push({ rule: 'other owner', accountId: user.accountId, userId });
      if (user.operator && disabled) rules.push({ rule: 'other operator', userId });
      const writes: PeopleWrite[] = [{ write: 'user', user: next }];
      // Old permissions must not outlast the change in an open browser.
      writes.push({ write: 'end sessions', userId, exceptIdHash: null });
      // Their open invitations end too; another person with permission must invite again.
      const handedOut = (await open(person)).filter(({ invitedBy }) => invitedBy === user.email);
      for (const { keyId } of handedOut) writes.push({ write: 'drop key', keyId });
      const [broken] = await store.changePeople([{ rules, writes, audit: [auditEntryOf(person, clock.now(), note)] }]);
      if (broken === null) return { kind: 'done', user: { ...next, version: user.version + 1 } };
      return broken === 'unchanged' ? changedMeanwhile : lastOwner;
    },
    async endSessions(person, userId) {
      const [user] = await store.users({ userId });
      if (user === undefined || user.accountId !== person.user.accountId) return noUser;
      const isSelf = userId === person.user.userId;
      if (!isSelf && user.role === 'Owner' && person.user.role !== 'Owner') return ownersOnly;
      if (!isSelf && user.operator && !person.user.operator) return operatorsOnly;
      const now = clock.now();
      const exceptIdHash = isSelf ? person.session.idHash : null;
      const others = (await store.sessions(userId)).filter(
        (session) => session.idHash !== exceptIdHash && sessionEnd(session, now) === null,
      );
      const note = { what: 'sessions.ended', target: userId, after: { ended: others.length } };
      const writes: PeopleWrite[] = [{ write: 'end sessions', userId, exceptIdHash }];
      await store.changePeople([{ rules: [], writes, audit: [auditEntryOf(person, now, note)] }]);
      return { kind: 'done', ended: others.length };
    },
    invitations: open,
    async invite(person, form) {
      const email = form.email.trim();
      const name = form.name.trim() === '' ? '' : readName(form.name);
      if (!isEmail(email)) return fault('email', 'This is no e-mail address. Write it like ada@example.com.');
      if (name === null) return fault('name', 'Write a name of at most 100 characters, or none.');
      if (!roles.includes(form.role)) return fault('role', `The role may be one of: ${roles.join(', ')}.`);
      if (form.role === 'Owner' && person.user.role !== 'Owner') return ownersOnly;
      const waiting = await open(person);
      // An earlier link with another role would go on working, and stay listed once the person has joined.
      const replaced = waiting.filter((one) => emailKey(one.email) === emailKey(email));
      if (waiting.length - replaced.length >= invitationsMax) {
        return { kind: 'conflict', detail: `There are ${invitationsMax} invitations already. Withdraw some first.` };
      }
      const key = newToken(random);
      const now = clock.now();
      const { user } = person;
      const invitation: Invitation = {
        keyHash: hashToken(key),
        keyId: ids.next('inv_'),
        createdAt: now,
        expiresAt: now + peopleTimes.invitationMs,
        purpose: 'invitation',
        accountId: user.accountId,
        email,
        name,
        role: form.role,
        invitedBy: user.email,
      };
      const [earlier] = replaced;
      const note = {
        what: 'user.invited',
        target: invitation.keyId,
        ...(earlier !== undefined && { before: { email: earlier.email, role: earlier.role } }),
        after: { email, name, role: form.role },
      };
      // Users of other companies stay unknown here: only accepting the invitation fails for them.
      const [known] = await store.users({ email });
      if (known?.accountId === user.accountId) return emailTaken;
      await store.changePeople([
        {
          rules: [],
          writes: [
            ...replaced.map(({ keyId }) => ({ write: 'drop key', keyId }) as const),
            { write: 'key', key: invitation },
          ],
          audit: [auditEntryOf(person, now, note)],
        },
      ]);
      if (mail !== null) {
        const company = companyOf(directory(), user.accountId);
        const days = peopleTimes.invitationMs / dayMs;
        const facts = { link: `${mail.publicUrl}/invitation#k=${key}`, company, invitedBy: user.name, days };
        // In the language of the inviting person: the invited person's is unknown.
        mail.send(email, mailTexts(user.language).invited(facts));
      }
      return { kind: 'done', invitation, key, mailed: mail !== null };
    },
    async withdraw(person, invitationId) {
      const found = (await open(person)).find(({ keyId }) => keyId === invitationId);
      if (found === undefined) return noInvitation;
      const { email, role } = found;
      const note = { what: 'invitation.withdrawn', target: invitationId, before: { email, role } };
      const writes: PeopleWrite[] = [{ write: 'drop key', keyId: invitationId }];
      await store.changePeople([{ rules: [], writes, audit: [auditEntryOf(person, clock.now(), note)] }]);
      return { kind: 'done' };
    },
  };
}

function shown({ role, disabledAt }: User): Record<string, unknown> {
  return { role, disabled: disabledAt !== null };
}

const noUser: Refusal = { kind: 'missing', detail: 'Your company has no user with this id.' };
const noInvitation: Refusal = { kind: 'missing', detail: 'Your company has no open invitation with this id.' };
const ownersOnly: Refusal = { kind: 'forbidden', detail: 'Only an Owner makes, changes or removes Owners.' };
const operatorsOnly: Refusal = { kind: 'forbidden', detail: 'Only an operator changes an operator.' };
const ownRecord: Refusal = {
  kind: 'conflict',
  detail: 'You cannot change your own role or disable yourself. Ask another Owner.',
};
const changedMeanwhile: Refusal = { kind: 'conflict', detail: 'This user was changed meanwhile. Look at it again.' };
const lastOwner: Refusal = {
  kind: 'conflict',
  detail: 'A company needs an Owner and the gateway an operator. Make somebody else one first.',
};
const emailTaken = fault('email', 'This e-mail address has a user in your company already.');
