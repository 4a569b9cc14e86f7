/** Contract: users, sessions, one-time keys and the audit log; a change is applied completely or not at all. */
import { describe, expect, it } from 'vitest';
import type { OneTimeKey, Session, User } from '../../model/people.ts';
import { chainStart, followChain, type NewAuditEntry } from '../../model/people-audit.ts';
import type { PeopleChange, PeopleRule, PeopleWrite } from '../../subjects/people/store/items.ts';
import { hour, minute, nextId, type StoreFactory, start } from './fixture.ts';
import { useWorld, type World } from './world.ts';

function user(fields: Partial<User> = {}): User {
  const userId = fields.userId ?? nextId('usr');
  return {
    userId,
    accountId: 'acc1',
    email: `${userId}@rockets.example`,
    name: 'Žluťoučký kůň',
    role: 'Viewer',
    operator: false,
    passwordHash: '$argon2id$…',
    totp: null,
    passkeys: [],
    identity: null,
    recoveryHashes: [],
    timeZone: null,
    language: null,
    singleKeys: true,
    createdAt: start,
    disabledAt: null,
    lastSignInAt: null,
    version: 0,
    ...fields,
  };
}

function session(userId: string, fields: Partial<Session> = {}): Session {
  const sessionId = nextId('ses');
  return {
    idHash: `hash of ${sessionId}`,
    sessionId,
    userId,
    createdAt: start,
    seenAt: start,
    confirmedAt: start,
    endsAt: start + 12 * hour,
    address: '::1',
    agent: 'a browser',
    viewAs: null,
    strong: false,
    ...fields,
  };
}

function key(fields: Partial<OneTimeKey> = {}): OneTimeKey {
  const keyId = nextId('otk');
  const common = { keyHash: `hash of ${keyId}`, keyId, createdAt: start, expiresAt: start + 30 * minute };
  return { ...common, purpose: 'setup', accountId: '', ...fields } as OneTimeKey;
}

function entry(fields: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    at: start,
    accountId: 'acc1',
    userId: 'usr_1',
    who: 'ada@rockets.example',
    what: 'user.changed',
    target: 'usr_2',
    before: { role: 'Viewer' },
    after: { role: 'Admin' },
    address: '::1',
    requestId: 'req_1',
    ...fields,
  };
}

const change = (fields: Partial<PeopleChange>): PeopleChange => ({ rules: [], writes: [], audit: [], ...fields });
const putUser = (one: User): PeopleWrite => ({ write: 'user', user: one });

export function peopleContract(factory: StoreFactory): void {
  describe('users', () => {
    const world = useWorld(factory);
    const put = (...all: User[]) => world.store.changePeople([change({ writes: all.map(putUser) })]);

    it('are found by who they are at the identity provider, and are one person there each', async () => {
      const identity = { issuer: 'https://id.example', subject: 'ada', since: start };
      const [ada, bob] = [user({ identity }), user()];
      await put(ada, bob);
      await world.restart();
      const found = async (subject: string) =>
        (await world.store.users({ identity: { issuer: identity.issuer, subject } })).map(({ userId }) => userId);
      expect(await found('ada')).toEqual([ada.userId]);
      expect(await found('bob')).toEqual([]);
      const rules: PeopleRule[] = [{ rule: 'identity free', identity }];
      expect(await world.store.changePeople([change({ rules, writes: [putUser({ ...bob, identity })] })])).toEqual([
        'identity free',
      ]);
      await put({ ...ada, identity: null });
      expect(await found('ada')).toEqual([]);
      expect(await world.store.changePeople([change({ rules, writes: [putUser({ ...bob, identity })] })])).toEqual([
        null,
      ]);
      expect((await world.store.users({ identity }))[0]).toMatchObject({ userId: bob.userId, identity });
    });

    it('are found by id, by address in any case, by company and as operators, also after a restart', async () => {
      const ada = user({ email: 'Ada@Rockets.example', operator: true, role: 'Owner' });
      const bob = user({ accountId: 'acc2', email: 'bob@rockets.example', disabledAt: start });
      expect(await put(ada, bob)).toEqual([null]);
      await world.restart();
      const kept = { ...ada, version: 1 };
      expect(await world.store.users({ userId: ada.userId })).toEqual([kept]);
      expect(await world.store.users({ email: 'ADA@rockets.EXAMPLE' })).toEqual([kept]);
      expect(await world.store.users({ accountId: 'acc2' })).toEqual([{ ...bob, version: 1 }]);
      expect(await world.store.users({ operators: true })).toEqual([kept]);
      expect(await world.store.users({ userId: 'usr_none' })).toEqual([]);
    });

    it('count their changes, and keep the time of their last sign-in', async () => {
      const ada = user();
      await put(ada);
      await world.store.changePeople([change({ writes: [{ write: 'signed in', userId: ada.userId, at: start + 5 }] })]);
      await put({ ...ada, name: 'Ada' });
      expect(await world.store.users({ userId: ada.userId })).toEqual([
        { ...ada, name: 'Ada', version: 2, lastSignInAt: start + 5 },
      ]);
    });

    it('have an address that is unique over all companies, in any case', async () => {
      await put(user({ email: 'same@rockets.example' }));
      const second = user({ email: 'SAME@rockets.example', accountId: 'acc2' });
      const addSecond = change({ rules: [{ rule: 'email free', email: second.email }], writes: [putUser(second)] });
      expect(await world.store.changePeople([addSecond])).toEqual(['email free']);
      await expect(put(second)).rejects.toThrow();
      expect(await world.store.users({ accountId: 'acc2' })).toEqual([]);
    });
  });

  describe('changes of people', () => {
    const world = useWorld(factory);

    it('are applied whole or not at all, each by itself', async () => {
      const [ada, bob] = [user(), user()];
      const rules: PeopleRule[] = [{ rule: 'no operator' }, { rule: 'unchanged', userId: 'usr_none', version: 1 }];
      const made = await world.store.changePeople([
        change({ rules, writes: [putUser(ada)], audit: [entry({ target: 'ada' })] }),
        change({ rules: [{ rule: 'no operator' }], writes: [putUser(bob)], audit: [entry({ target: 'bob' })] }),
      ]);
      expect(made).toEqual(['unchanged', null]);
      expect(await world.store.users({ userId: ada.userId })).toEqual([]);
      expect(await world.store.users({ userId: bob.userId })).toHaveLength(1);
      expect((await auditEntries(world)).map(({ target }) => target)).toEqual(['bob']);
    });

    it('see the results of earlier ones, also when they are concurrent', async () => {
      const operator = () => user({ operator: true, role: 'Owner' });
      const addOperator = () => change({ rules: [{ rule: 'no operator' }], writes: [putUser(operator())] });
      const all = await Promise.all([1, 2, 3].map(() => world.store.changePeople([addOperator()])));
      expect(all.flat().sort()).toEqual(['no operator', 'no operator', null]);
      expect(await world.store.users({ operators: true })).toHaveLength(1);
    });

    it('keep an Owner in each company and an operator in all', async () => {
      const owner = user({ role: 'Owner', operator: true });
      const gone = user({ role: 'Owner', operator: true, disabledAt: start });
      const elsewhere = user({ role: 'Owner', accountId: 'acc2' });
      await world.store.changePeople([change({ writes: [owner, gone, elsewhere].map(putUser) })]);
      const holds = async (rule: PeopleRule) => (await world.store.changePeople([change({ rules: [rule] })]))[0];
      const { userId } = owner;
      expect(await holds({ rule: 'other owner', accountId: 'acc1', userId })).toBe('other owner');
      expect(await holds({ rule: 'other operator', userId })).toBe('other operator');
      expect(await holds({ rule: 'other owner', accountId: 'acc1', userId: gone.userId })).toBeNull();
      expect(await holds({ rule: 'no operator' })).toBe('no operator');
    });

    it('are refused for a user that has changed meanwhile', async () => {
      const ada = user();
      await world.store.changePeople([change({ writes: [putUser(ada)] })]);
      const { userId } = ada;
      const rules: PeopleRule[] = [{ rule: 'unchanged', userId, version: 1 }];
      const saveAda = () => world.store.changePeople([change({ rules, writes: [putUser(ada)] })]);
      expect((await Promise.all([saveAda(), saveAda()])).flat().sort()).toEqual([null, 'unchanged']);
    });

    it('may be made by a tool, beside the node', async () => {
      const tool = await world.place.open('tool', world.clock);
      const ada = user({ operator: true });
      await tool.changePeople([change({ writes: [putUser(ada)], audit: [entry()] })]);
      await world.store.changePeople([change({ audit: [entry()] })]);
      await tool.close();
      expect(await world.store.users({ userId: ada.userId })).toHaveLength(1);
      expect(await auditEntries(world)).toHaveLength(2);
    });
  });

  describe('sessions', () => {
    const world = useWorld(factory);
    const make = (...writes: PeopleWrite[]) => world.store.changePeople([change({ writes })]);
    const open = async (ada: User, ...sessions: Session[]) =>
      make(putUser(ada), ...sessions.map((one) => ({ write: 'session' as const, session: one })));

    it('are found by their hash with their user, and by their user', async () => {
      const ada = user();
      const [first, second] = [session(ada.userId), session(ada.userId, { createdAt: start + 1 })];
      await open(ada, first, second);
      await world.restart();
      expect(await world.store.session(first.idHash)).toEqual({ session: first, user: { ...ada, version: 1 } });
      expect(await world.store.session('hash of nothing')).toBeNull();
      expect(await world.store.sessions(ada.userId)).toEqual([second, first]);
      expect(await world.store.sessions('usr_none')).toEqual([]);
    });

    it('note their last use and confirmation, never going back', async () => {
      const ada = user();
      const one = session(ada.userId);
      await open(ada, one);
      const { idHash } = one;
      await make({ write: 'seen', idHash, at: start + 9 }, { write: 'seen', idHash, at: start + 5 });
      await make({ write: 'confirmed', idHash, at: start + 7 });
      expect(await world.store.sessions(ada.userId)).toEqual([{ ...one, seenAt: start + 9, confirmedAt: start + 7 }]);
    });

    it('can view as a role, and as none', async () => {
      const ada = user();
      const [one, two] = [session(ada.userId), session(ada.userId)];
      await open(ada, one, two);
      await make({ write: 'view as', idHash: one.idHash, role: 'Support' });
      await world.restart();
      expect((await world.store.session(one.idHash))?.session.viewAs).toBe('Support');
      expect((await world.store.session(two.idHash))?.session.viewAs).toBeNull();
      await make({ write: 'view as', idHash: one.idHash, role: null });
      expect((await world.store.session(one.idHash))?.session.viewAs).toBeNull();
    });

    it('end one by one, all but one, or all, for one user only', async () => {
      const [ada, bob] = [user(), user()];
      const all = [session(ada.userId), session(ada.userId), session(ada.userId), session(bob.userId)];
      await open(ada, ...all.slice(0, 3));
      await open(bob, all[3]!);
      await make({ write: 'end session', userId: bob.userId, sessionId: all[0]!.sessionId });
      expect(await world.store.sessions(ada.userId)).toHaveLength(3);
      await make({ write: 'end session', userId: ada.userId, sessionId: all[0]!.sessionId });
      expect(await world.store.sessions(ada.userId)).toHaveLength(2);
      await make({ write: 'end sessions', userId: ada.userId, exceptIdHash: all[1]!.idHash });
      expect(await world.store.sessions(ada.userId)).toEqual([all[1]]);
      await make({ write: 'end sessions', userId: ada.userId, exceptIdHash: null });
      expect(await world.store.sessions(ada.userId)).toEqual([]);
      expect(await world.store.sessions(bob.userId)).toHaveLength(1);
    });

    it('are at most fifty for one user; the oldest is dropped', async () => {
      const [ada, bob] = [user(), user()];
      const all = Array.from({ length: 53 }, (_, n) => session(ada.userId, { createdAt: start + n }));
      await open(bob, session(bob.userId));
      await open(ada, ...all);
      expect(await world.store.sessions(ada.userId)).toEqual(all.slice(3).reverse());
      expect(await world.store.sessions(bob.userId)).toHaveLength(1);
    });

    it('that have expired are deleted when the next one begins', async () => {
      const ada = user();
      await open(ada, session(ada.userId, { endsAt: start + 10 }));
      const next = session(ada.userId, { createdAt: start + 10 });
      await make({ write: 'session', session: next });
      expect(await world.store.sessions(ada.userId)).toEqual([next]);
    });
  });

  describe('one-time keys', () => {
    const world = useWorld(factory);
    const make = (...writes: PeopleWrite[]) => world.store.changePeople([change({ writes })]);

    it('work once, and until they expire', async () => {
      const one = key();
      await make({ write: 'key', key: one });
      expect(await world.store.oneTimeKey(one.keyHash)).toEqual(one);
      const use = (now: number) =>
        world.store.changePeople([
          change({
            rules: [{ rule: 'key', keyHash: one.keyHash, now }],
            writes: [{ write: 'drop key', keyId: one.keyId }],
          }),
        ]);
      expect(await use(one.expiresAt)).toEqual(['key']);
      expect((await Promise.all([use(start), use(start)])).flat().sort()).toEqual(['key', null]);
      expect(await world.store.oneTimeKey(one.keyHash)).toBeNull();
    });

    it('are listed by company and purpose, and dropped by purpose', async () => {
      const mine = key({ purpose: 'invitation', accountId: 'acc1' } as Partial<OneTimeKey>);
      const theirs = key({ purpose: 'invitation', accountId: 'acc2' } as Partial<OneTimeKey>);
      const setup = key();
      await make(...[mine, theirs, setup].map((one) => ({ write: 'key' as const, key: one })));
      expect(await world.store.oneTimeKeys({ accountId: 'acc1', purpose: 'invitation' })).toEqual([mine]);
      await make({ write: 'drop keys', purpose: 'setup' });
      expect(await world.store.oneTimeKey(setup.keyHash)).toBeNull();
      expect(await world.store.oneTimeKey(theirs.keyHash)).toEqual(theirs);
    });

    it('that have expired are deleted when the next one is made', async () => {
      const [old, next] = [key({ expiresAt: start + 1 }), key({ createdAt: start + 9, expiresAt: start + hour })];
      await make({ write: 'key', key: old });
      await make({ write: 'key', key: next });
      expect(await world.store.oneTimeKey(old.keyHash)).toBeNull();
    });
  });

  describe('the audit log', () => {
    const world = useWorld(factory);
    const note = (...entries: NewAuditEntry[]) => world.store.changePeople([change({ audit: entries })]);

    it('is read newest first, by company, user and action', async () => {
      const odd = entry({ userId: null, what: 'sign_in', target: 'a\0b ’ “quoted” \u{1F600}', before: null });
      await note(entry(), entry({ accountId: 'acc2' }), odd);
      await note(entry({ at: start + 1 }));
      await world.restart();
      const query = { accountId: 'acc1', before: null, userId: null, what: null, limit: 10 };
      const { entries: all } = await world.store.audit(query);
      expect(all.map(({ position }) => position)).toEqual([4, 3, 1]);
      expect(all[1]).toEqual({ position: 3, ...odd });
      expect((await world.store.audit({ ...query, before: 4, limit: 1 })).entries).toEqual([all[1]]);
      expect((await world.store.audit({ ...query, userId: 'usr_1' })).entries).toEqual([all[0], all[2]]);
      expect((await world.store.audit({ ...query, what: 'sign_in' })).entries).toEqual([all[1]]);
    });

    it('is read for one target, whatever the other fields contain and however it is written', async () => {
      const odd = 'a\0b’ "quoted", %_\\ \u{1F600}';
      await note(entry({ target: odd }), entry({ target: 'key_1' }), entry({ target: 'key_12', what: 'key.made' }));
      await note(entry({ what: 'key_1', after: { said: '"target":"key_1",', keyId: 'key_1' } }));
      const query = { accountId: 'acc1', before: null, userId: null, what: null, limit: 10 };
      const of = async (target: string) =>
        (await world.store.audit({ ...query, target })).entries.map(({ position }) => position);
      expect(await of('key_1')).toEqual([2]);
      expect(await of('key_12')).toEqual([3]);
      expect(await of(odd)).toEqual([1]);
      expect(await of('KEY_1')).toEqual([]);
      expect((await world.store.audit({ ...query, accountId: 'acc2', target: 'key_1' })).entries).toEqual([]);
    });

    it('is read for an id, as the target or anywhere in the entry', async () => {
      const id = 'msg_01JD8Z6QF20000000000000001';
      await note(entry({ target: id }), entry({ after: { messageIds: ['x', id] } }), entry({ target: 'msg_other' }));
      await note(entry({ accountId: 'acc2', target: id }), entry({ before: { messageId: id }, after: null }));
      const query = { accountId: 'acc1', before: null, userId: null, what: null, about: id, limit: 10 };
      expect((await world.store.audit(query)).entries.map(({ position }) => position)).toEqual([5, 2, 1]);
    });

    it('is searched for text anywhere in an entry, however it is written', async () => {
      await note(entry({ who: 'Ada@Example.com' }), entry({ after: { name: 'a "100 %" _b\\' } }));
      await note(entry({ accountId: 'acc2', who: 'ada@example.com' }), entry({ requestId: 'req_FIND' }));
      const query = { accountId: 'acc1', before: null, userId: null, what: null, limit: 10 };
      const of = async (text: string) =>
        (await world.store.audit({ ...query, text })).entries.map(({ position }) => position);
      expect([await of('ada@EXAMPLE'), await of('req_find')]).toEqual([[1], [4]]);
      expect([await of('"100 %"'), await of('_b\\'), await of('x%b'), await of('100_%')]).toEqual([[2], [2], [], []]);
    });

    it('is searched a bounded number of entries at a time, and says how far', async () => {
      const many = Array.from({ length: 30 }, (_, n) => entry({ at: start + n, target: `t${n}` }));
      await note(...many, entry({ accountId: 'acc2', target: 't3' }));
      const query = { accountId: 'acc1', before: null, userId: null, what: null, limit: 10, look: 20 };
      const first = await world.store.audit({ ...query, target: 't3' });
      expect(first).toEqual({ entries: [], next: 11, searchedTo: start + 9 });
      const second = await world.store.audit({ ...query, target: 't3', before: first.next });
      expect([second.entries.map(({ position }) => position), second.next, second.searchedTo]).toEqual([
        [4],
        null,
        null,
      ]);
      const newest = await world.store.audit({ ...query, what: 'key' });
      expect([newest.entries.length, newest.searchedTo]).toEqual([0, start + 9]);
      const full = await world.store.audit({ ...query, userId: 'usr_1' });
      expect([full.entries.length, full.next, full.searchedTo]).toEqual([10, 21, null]);
      const all = await world.store.audit({ ...query, before: 11 });
      expect([all.entries.length, all.next, all.searchedTo]).toEqual([10, null, null]);
    });

    it('is a chain that shows a changed, a missing and an added row', async () => {
      await note(...Array.from({ length: 5 }, (_, n) => entry({ target: String(n) })));
      await Promise.all([note(entry()), note(entry())]);
      const rows = await world.store.auditRows({ after: 0, limit: 100 });
      expect(await world.store.auditCount()).toBe(7);
      expect(followChain(chainStart, rows)).toEqual({ position: 7, hash: rows[6]!.hash });
      const altered = rows.with(2, { ...rows[2]!, body: rows[2]!.body.replace('"Admin"', '"Owner"') });
      expect(followChain(chainStart, altered)).toEqual({ brokenAt: 3 });
      expect(followChain(chainStart, rows.with(3, { ...rows[3]!, user_id: 'usr_9' }))).toEqual({ brokenAt: 4 });
      expect(followChain(chainStart, rows.toSpliced(4, 1))).toEqual({ brokenAt: 5 });
      expect(followChain(chainStart, [...rows, { ...rows[6]!, position: 8 }])).toEqual({ brokenAt: 8 });
      const [head, ...tail] = await world.store.auditRows({ after: 4, limit: 100 });
      expect(followChain({ position: 4, hash: rows[3]!.hash }, [head!, ...tail])).toMatchObject({ position: 7 });
    });

    it('stores no secret, whatever it is given', async () => {
      const after = {
        password: 'canary-1',
        nested: { bearerToken: 'canary-2', list: [{ secret: 'canary-3' }] },
        twoFactor: true,
      };
      await note(entry({ after, before: { passwordHash: 'canary-4' } }));
      expect(JSON.stringify(await world.store.auditRows({ after: 0, limit: 9 }))).not.toContain('canary');
    });
  });
}

async function auditEntries(world: World) {
  return (await world.store.audit({ accountId: 'acc1', before: null, userId: null, what: null, limit: 100 })).entries;
}
