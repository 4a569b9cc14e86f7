/** `helio admin …` beside a running node and without one, and how it reads a password. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../app/config.ts';
import { AdministratorRefused, firstAdministrator } from '../app/first-administrator.ts';
import { openStore } from '../app/open-store.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { hashToken } from '../kernel/written-forms.ts';
import { createAdmin, loginLink } from './admin.ts';
import { type PasswordInput, readPassword } from './admin-password.ts';
import { runHelio } from './program.ts';

const good = 'violins under the pear tree';

function place() {
  const dataDir = mkdtempSync(join(tmpdir(), 'h8-admin-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const printed = { out: '', error: '' };
  const terminal = {
    out: (text: string) => {
      printed.out += text;
    },
    error: (text: string) => {
      printed.error += text;
    },
    env: { HELIO_DATA: dataDir, PORT: '8099' } as Record<string, string>,
  };
  return { dataDir, printed, terminal };
}

const stdin = (text: string): PasswordInput => Readable.from([text]) as PasswordInput;
const create = { email: 'ada@rockets.example', passwordStdin: true };

describe('helio admin', () => {
  it('makes an administrator with a password from stdin, and says where to sign in', async () => {
    const { dataDir, printed, terminal } = place();
    expect(await createAdmin({ ...create, name: 'Ada' }, terminal, stdin(`${good}\nmore`))).toBe(0);
    expect(printed.out).toMatch(
      /^ada@rockets\.example is an administrator \(usr_\w+\)\. Sign in: http:\/\/localhost:8099\/login\n$/,
    );
    const store = await openStore({ dataDir, role: 'tool', clock });
    const [user] = await store.users({ operators: true });
    const { accountId } = user!;
    const {
      entries: [entry],
    } = await store.audit({ accountId, before: null, userId: null, what: null, limit: 9 });
    await store.close();
    expect(user).toMatchObject({
      name: 'Ada',
      role: 'Owner',
      operator: true,
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    });
    expect(entry).toMatchObject({ who: 'command line', what: 'administrator.created', userId: null });
    expect(printed.out + printed.error).not.toContain(good);
    expect(await createAdmin({ ...create, email: 'ADA@rockets.example' }, terminal, stdin(good))).toBe(1);
    expect(printed.error).toContain('email: ');
  });

  it('refuses bad passwords, no password and no address', async () => {
    const { printed, terminal } = place();
    expect(await createAdmin(create, terminal, stdin('password1234'))).toBe(1);
    expect(await createAdmin(create, terminal, stdin(''))).toBe(2);
    expect(await createAdmin({ ...create, passwordStdin: false }, terminal, stdin(good))).toBe(2);
    expect(await createAdmin({ ...create, email: 'nobody' }, terminal, stdin(good))).toBe(1);
    expect(await runHelio(['admin', 'create'], terminal)).toBe(2);
    expect(printed.out).toBe('');
  });

  it('makes links beside a running node: for the first administrator, then for who is locked out', async () => {
    const { dataDir, printed, terminal } = place();
    const node = await openStore({ dataDir, role: 'node', clock });
    onTestFinished(() => node.close());
    expect(await loginLink({}, terminal)).toBe(0);
    const [, first] = /^http:\/\/localhost:8099\/setup#k=([0-9A-Z-]{14})\n/.exec(printed.out)!;
    expect(await node.oneTimeKey(hashToken(first!))).toMatchObject({ purpose: 'setup' });
    await createAdmin(create, terminal, stdin(good));
    expect(await node.oneTimeKey(hashToken(first!))).toBeNull();
    printed.out = '';
    expect(await loginLink({}, terminal)).toBe(0);
    const [, second] = /#k=([0-9A-Z-]{14})\nFor ada@rockets\.example/.exec(printed.out)!;
    expect(await node.oneTimeKey(hashToken(second!))).toMatchObject({ purpose: 'user' });
    expect(await runHelio(['admin', 'login-link', '--email', 'no@body.example'], terminal)).toBe(1);
    expect(printed.error).toContain('There is no user no@body.example');
  });
});

describe('a password at the terminal', () => {
  function keyboard() {
    const raw: boolean[] = [];
    const input = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (on: boolean) => {
        raw.push(on);
        return input;
      },
    }) as unknown as PassThrough & PasswordInput;
    return { input, raw };
  }

  async function type(first: string, second: string) {
    const { input, raw } = keyboard();
    let shown = '';
    const read = readPassword(input, false, (text) => {
      shown += text;
      if (text === 'Password: ') setImmediate(() => input.write(first));
      if (text === 'Once more: ') setImmediate(() => input.write(second));
    });
    return { password: await read, shown, raw };
  }

  it('is typed twice and never shown', async () => {
    const { password, shown, raw } = await type(`${good}x\u007f\r`, `${good}\n`);
    expect(password).toBe(good);
    expect(shown).toBe('Password: \nOnce more: \n');
    expect(raw).toEqual([true, false, true, false]);
  });

  it('is none after Ctrl+C, nothing, or two that differ', async () => {
    expect((await type('abc\u0003', '')).password).toBeNull();
    expect((await type('\r', '')).password).toBeNull();
    const differ = await type('one\r', 'two\r');
    expect([differ.password, differ.shown.includes('not the same')]).toEqual([null, true]);
  });
});

describe('the administrator of the environment', () => {
  const setUp = (needed: boolean, made: object = { kind: 'done', userId: 'usr_1' }) => {
    const forms: unknown[] = [];
    const create = async (form: unknown) => {
      forms.push(form);
      return made as never;
    };
    return { forms, needed: async () => needed, newKey: async () => 'AAAA-BBBB-CCCC', create };
  };

  it('is made at a start without one, else a key is', async () => {
    const { dataDir } = place();
    const adminPasswordFile = join(dataDir, 'password');
    writeFileSync(adminPasswordFile, `${good}\n`, { mode: 0o600 });
    const config = { adminEmail: 'ada@rockets.example', adminPasswordFile };
    const first = setUp(true);
    expect(await firstAdministrator(first, config)).toBeNull();
    expect(first.forms).toEqual([{ email: 'ada@rockets.example', name: 'ada', password: good }]);
    expect(await firstAdministrator(setUp(true), { adminEmail: null, adminPasswordFile: null })).toBe('AAAA-BBBB-CCCC');
    const later = setUp(false);
    expect(await firstAdministrator(later, config)).toBeNull();
    expect(later.forms).toEqual([]);
    const refused = setUp(true, { kind: 'fields', fields: { password: 'The password is too short.' } });
    await expect(firstAdministrator(refused, config)).rejects.toThrow(AdministratorRefused);
  });

  it('is refused at each start while everybody can open the password file', async () => {
    const { dataDir } = place();
    const adminPasswordFile = join(dataDir, 'password');
    writeFileSync(adminPasswordFile, `${good}\n`);
    chmodSync(adminPasswordFile, 0o644);
    const config = { adminEmail: 'ada@rockets.example', adminPasswordFile };
    for (const needed of [true, false]) {
      await expect(firstAdministrator(setUp(needed), config)).rejects.toThrow(`chmod 640 ${adminPasswordFile}`);
    }
    chmodSync(adminPasswordFile, 0o440);
    expect(await firstAdministrator(setUp(true), config)).toBeNull();
  });

  it('is named with a password file or not at all', () => {
    const env = { HELIO_ADMIN_EMAIL: 'ada@rockets.example' };
    expect(readConfig(env)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('HELIO_ADMIN_PASSWORD_FILE')],
    });
    expect(readConfig({ HELIO_ADMIN_EMAIL: 'nobody' })).toMatchObject({ ok: false });
  });
});
