/** Roles, forms, passwords and the audit log as pure functions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineRandom } from '../kernel/machine.ts';
import {
  csrfToken,
  emailKey,
  hashToken,
  isEmail,
  newRecoveryCode,
  newSetupKey,
  newToken,
  readCode,
  readName,
} from '../kernel/written-forms.ts';
import {
  actingUser,
  holdersOf,
  may,
  permissions,
  permissionsOf,
  type Session,
  sessionEnd,
  type User,
  viewableRoles,
} from './people.ts';
import { auditBody } from './people-audit.ts';
import { passwordProblem } from './people-password.ts';
import { roles } from './roles.ts';

describe('roles', () => {
  it('know who has a permission, and which roles to ask', () => {
    for (const role of roles) {
      expect(permissionsOf({ role, operator: false })).not.toContain('operator');
      expect(permissionsOf({ role, operator: true })).toContain('operator');
      for (const permission of permissions) {
        if (permission === 'operator') continue;
        expect(holdersOf(permission).split(', ').includes(role)).toBe(may({ role, operator: false }, permission));
      }
    }
    expect(may({ role: 'Viewer', operator: true }, 'manageUsers')).toBe(false);
    expect(permissionsOf({ role: 'Viewer', operator: false })).toEqual(['read', 'readUsage']);
  });
});

describe('viewing as a role', () => {
  it('gives nothing that somebody does not have', () => {
    expect(viewableRoles({ role: 'Owner', operator: true })).toEqual(['Admin', 'Developer', 'Support', 'Viewer']);
    expect(viewableRoles({ role: 'Admin', operator: false })).toEqual(['Developer', 'Support', 'Viewer']);
    for (const role of ['Developer', 'Support', 'Viewer'] as const) {
      expect(viewableRoles({ role, operator: true })).toEqual([]);
    }
    for (const role of roles) {
      for (const viewAs of [null, ...roles]) {
        for (const operator of [true, false]) {
          const user = { role, operator } as User;
          const own = permissionsOf(user);
          for (const one of permissionsOf(actingUser(user, { viewAs }))) expect(own).toContain(one);
        }
      }
    }
    expect(actingUser({ role: 'Admin', operator: false } as User, { viewAs: 'Owner' }).role).toBe('Admin');
    expect(actingUser({ role: 'Owner', operator: true } as User, { viewAs: 'Viewer' })).toMatchObject({
      role: 'Viewer',
      operator: false,
    });
  });
});

describe('sessions', () => {
  it('end by idleness and by age', () => {
    const session = { seenAt: 0, endsAt: 10 * 3_600_000 } as Session;
    expect([sessionEnd(session, 1_799_999), sessionEnd(session, 1_800_000)]).toEqual([null, 'idle']);
    expect(sessionEnd({ ...session, seenAt: 35_999_999 }, 36_000_000)).toBe('over');
  });
});

describe('forms', () => {
  it.each(['ada@rockets.example', 'a.b+c@sub.rockets.example', "o'neil@x.example", 'žofie@kůň.example'])(
    'takes %s',
    (email) => {
      expect(isEmail(email)).toBe(true);
    },
  );

  it.each([
    ...[
      '',
      'ada',
      '@x.example',
      'a@',
      'a b@x.example',
      'a@b@c.example',
      'a@x..example',
      'a@-x.example',
      'a\n@x.example',
    ],
    ...[
      `${'a'.repeat(65)}@x.example`,
      `a@${'x'.repeat(255)}`,
      'a"b@x.example',
      '<a@x.example>',
      'a@x.example\0',
      '\ud800@x.example',
    ],
  ])('takes no %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  it('makes one key of addresses that differ in case or form', () => {
    expect(emailKey('ADA@Rockets.Example')).toBe('ada@rockets.example');
    expect(emailKey('ﬁ@x.example')).toBe('fi@x.example');
  });

  it('reads keys however they are typed', () => {
    for (const key of [newSetupKey(machineRandom), newRecoveryCode(machineRandom)]) {
      const typed = key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
      expect(readCode(` ${typed} `)).toBe(key);
    }
    expect(newToken(machineRandom)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(newRecoveryCode(machineRandom)).toMatch(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){5}$/);
    expect(new Set(Array.from({ length: 200 }, () => newSetupKey(machineRandom))).size).toBe(200);
  });

  it('takes names as people have them, and nothing else', () => {
    expect([readName('  Žluťoučký kůň '), readName(' '), readName('a\nb'), readName('x'.repeat(101))]).toEqual([
      'Žluťoučký kůň',
      ...[null, null, null],
    ]);
  });

  it('makes a token of a session that says nothing of it', () => {
    expect(csrfToken('a')).not.toBe(csrfToken('b'));
    expect(csrfToken('a')).not.toBe(hashToken('a'));
  });
});

const owner = { email: 'ada.lovelace@acme.example', name: 'Ada Lovelace', company: 'Acme Rockets' };

describe('passwords', () => {
  it.each([
    ...['violins under the pear tree', 'xkT9!pQz4vLm', 'grün-tram-17-abend', 'summer friend rainbow monday flower'],
    ...[
      'acmerockets but longer than that',
      'x\u{1F600}y\u{1F680}z\u{1F31E}a\u{1F4A1}bcdq',
      `${'long enough '.repeat(11)}q7`,
    ],
  ])('may be %j', (password) => {
    expect(passwordProblem(password, owner)).toBeNull();
  });

  it.each([
    ...['', 'short', 'elevenchars', '123456789012', 'aaaaaaaaaaaa', 'abcabcabcabc', 'passwordpassword', 'password1234'],
    ...[
      'P@ssw0rd2024!',
      'qwertyuiopas',
      '1q2w3e4r5t6y',
      'administrator1',
      'letmein-letmein',
      'iloveyou1234',
      'Welcome2024!!',
    ],
    ...['adalovelace123', 'acmerockets2026', 'ada.lovelace@acme.example', 'heliograph2026', 'Ada Lovelace 99'],
    ...['x'.repeat(257), 'has a nul \0 in it', `half a pair ${'\ud800'} here`],
  ])('may not be %j', (password) => {
    const problem = passwordProblem(password, owner);
    expect(problem).not.toBeNull();
    if (password.length > 8) expect(problem).not.toContain(password);
  });

  it('are judged whatever they are', () => {
    const any = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(any, (text) => void passwordProblem(text, owner)),
      { numRuns: 200 },
    );
  });
});

describe('audit entries', () => {
  it('lose what is secret by its name, at any depth, and keep the rest', () => {
    const entry = {
      at: 1,
      accountId: 'a',
      userId: null,
      who: 'w',
      what: 'x',
      target: 't',
      address: null,
      requestId: null,
      before: { name: 'kept', password: 'gone', headers: { Authorization: 'gone' } },
      after: { twoFactorSecret: 'gone', list: [{ bearerToken: 'gone', count: 3 }], hasPassword: true },
    };
    const body = auditBody(entry);
    expect(body).not.toContain('gone');
    expect(JSON.parse(body)).toMatchObject({
      before: { name: 'kept' },
      after: { list: [{ count: 3 }], hasPassword: true },
    });
  });
});
