/** The command line as a person uses it: results on stdout, everything else on stderr, exit codes, next commands. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reasons } from '../model/reason.ts';
import { writeFirstSteps } from '../subjects/records/first-steps.ts';
import { runHelio } from './program.ts';

const password = 'pa55w0rd';

async function helio(args: string[], env: Record<string, string> = {}) {
  let out = '';
  let error = '';
  const exitCode = await runHelio(args, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    env,
  });
  return { out, error, exitCode };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'helio-cli-'));
}

describe('helio', () => {
  it('lists its commands', async () => {
    const { out, exitCode } = await helio(['--help']);
    expect(exitCode).toBe(0);
    const names = ['start', 'apply', 'first-steps', 'listen', 'trigger', 'explain', 'segments', 'version'];
    for (const name of names) expect(out).toContain(`\n  ${name} `);
  });

  it.each([
    [['bogus']],
    [['apply']],
    [['apply', 'a', 'b']],
    [['explain', '--bogus']],
    [['segments']],
    [['listen', '--forward-to']],
  ])('answers a wrong command line %j with the next command', async (args) => {
    const { out, error, exitCode } = await helio(args);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 2 });
    expect(error).toMatch(/^error: .*\n(.*\n)?Next: helio --help\n$/);
  });

  it('shows its commands when none is given', async () => {
    const { error, exitCode } = await helio([]);
    expect(exitCode).toBe(2);
    expect(error).toContain('Usage: helio');
  });

  it('stops at a wrong setting, before anything else', async () => {
    const { error, exitCode } = await helio(['start'], { PORT: 'x', HELIO_LGO: 'info' });
    expect(exitCode).toBe(78);
    expect(error).toContain('PORT is "x"; allowed: a whole number from 0 to 65535.\n');
    expect(error).toContain('Did you mean HELIO_LOG?');
    for (const command of [['first-steps'], ['apply', 'x.json']]) {
      expect((await helio(command, { PORT: 'x' })).exitCode).toBe(78);
    }
  });

  it('reports an odd setting in the log, below the card, and every problem at once', async () => {
    const { error, out } = await helio(['start'], { HELIO_PRT: '1', HELIO_LOG: 'loud', PORT: 'x' });
    expect(out).toBe('');
    expect(error).toContain('HELIO_PRT is not a setting');
    expect(error).toContain('HELIO_LOG is "loud"');
  });

  it('prints its version for people and for scripts', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect((await helio(['version'])).out).toContain(`Heliograph ${version}   Node ${process.versions.node}`);
    expect(JSON.parse((await helio(['version', '--json'])).out)).toMatchObject({ version });
    expect(await helio(['--version'])).toEqual(await helio(['version']));
  });
});

describe('helio explain', () => {
  it('shows every entry of a code, in any case', async () => {
    const { out, exitCode } = await helio(['explain', 'opted_out']);
    expect(exitCode).toBe(0);
    expect(out.match(/^OPTED_OUT {3}/gm)).toHaveLength(2);
    expect(out).toContain('What to do');
  });

  it('knows all codes of the catalogue', async () => {
    const { out } = await helio(['explain']);
    expect(out.trimEnd().split('\n')).toHaveLength(reasons.length);
    for (const { code } of reasons) expect((await helio(['explain', code])).exitCode).toBe(0);
  });

  it('says the same to a script', async () => {
    const one = JSON.parse((await helio(['explain', 'opted_out', '--json'])).out);
    expect(one.map(({ code, scope }: { code: string; scope: string }) => [code, scope])).toEqual([
      ['OPTED_OUT', 'recipient'],
      ['OPTED_OUT', 'outcome'],
    ]);
    expect(JSON.parse((await helio(['explain', '--json'])).out)).toHaveLength(reasons.length);
  });

  it('names the nearest for a code that is not there', async () => {
    expect(await helio(['explain', 'OPTEDOUT'])).toEqual({
      out: '',
      error: 'There is no code "OPTEDOUT". Did you mean OPTED_OUT?\nNext: helio explain OPTED_OUT\n',
      exitCode: 2,
    });
    expect((await helio(['explain', 'x'.repeat(200)])).error).toContain('Next: helio explain\n');
  });
});

describe('helio segments', () => {
  it('counts a plain text', async () => {
    const { out } = await helio(['segments', 'Hello']);
    expect(out).toBe('GSM-7   1 segment   5 units, 160 in a segment, 155 left\n');
  });

  it('shows the parts and who is guilty of them', async () => {
    const { out } = await helio(['segments', `“${'x'.repeat(100)}”`]);
    expect(out).toContain('UCS-2   2 segments   102 units, 67 in a segment, 32 left\n');
    expect(out).toMatch(/^ {2}2 {2}"x+”"$/m);
    expect(out).toContain('"“" U+201C   at 1   looks like "\\""');
    expect(out).toContain('With smart encoding: GSM-7, 1 segment\n');
  });

  it('says the same to a script', async () => {
    const { out } = await helio(['segments', '“Hi”', '--json']);
    const facts = { encoding: 'UCS-2', segments: 1, units: 4, unitsLeft: 66, perPart: 70, parts: ['“Hi”'] };
    expect(JSON.parse(out)).toMatchObject({ ...facts, forcing: [{ text: '“' }, { text: '”' }] });
  });

  it('takes any text at all', async () => {
    for (const text of ['', '🎉', '\ud800', 'e\u0301', '-- --']) {
      expect((await helio(['segments', '--', text])).exitCode).toBe(0);
    }
  });
});

describe('helio first-steps', () => {
  const steps = {
    baseUrl: 'http://localhost:4711',
    bearerToken: 'bt_sbx_x',
    authToken: 'at_sbx_x',
    from: '12025550199',
    handsets: ['12025550100'],
    smpp: { host: '127.0.0.1', port: 2775 },
  };

  it('shows the card again, with its secrets, and the same as JSON', async () => {
    const dataDir = newFolder();
    writeFirstSteps(dataDir, steps);
    const env = { HELIO_DATA: dataDir, HELIO_PRINT_SECRETS: '0' };
    const card = await helio(['first-steps'], env);
    expect(card.exitCode).toBe(0);
    expect(card.out).toContain("'http://localhost:4711/SendSMS?apikey=at_sbx_x'");
    expect(card.out).toContain('  Portal          http://localhost:4711\n');
    expect(card.out).toContain('Watch it arrive:  http://localhost:4711/handsets/12025550100\nLost this?');
    expect(JSON.parse((await helio(['first-steps', '--json'], env)).out)).toEqual(steps);
  });

  it('says what to do when there are none', async () => {
    const dataDir = newFolder();
    const none = await helio(['first-steps'], { HELIO_DATA: dataDir });
    expect(none).toMatchObject({ out: '', exitCode: 78, error: expect.stringContaining('Next: npm start\n') });
    writeFileSync(join(dataDir, 'first-steps.json'), 'garbage');
    expect((await helio(['first-steps'], { HELIO_DATA: dataDir })).exitCode).toBe(78);
    const off = await helio(['first-steps'], { HELIO_DATA: dataDir, HELIO_SANDBOX: '0' });
    expect(off).toMatchObject({ exitCode: 78, error: expect.stringContaining('HELIO_SANDBOX=1 npm start\n') });
  });
});

describe('helio apply', () => {
  const records = {
    accounts: [{ id: 'A', name: 'Acme' }],
    keys: [{ id: 'K', account: 'A', generate: true }],
    carriers: [{ id: 'smsc', host: 'smsc.example', system_id: 'x', passwordEnv: 'SMSC_PASSWORD' }],
  };

  function setUp() {
    const folder = newFolder();
    const file = join(folder, 'records.json');
    const write = (content: unknown) => writeFileSync(file, JSON.stringify(content));
    write(records);
    const env: Record<string, string> = { HELIO_DATA: join(folder, 'data'), SMSC_PASSWORD: password };
    return { file, write, env, keyFile: join(folder, 'data', 'secret.key') };
  }

  it('prints the changes and the new tokens once, and no other secret', async () => {
    const { file, env } = setUp();
    const dry = await helio(['apply', file, '--dry-run'], env);
    expect(dry.out).toBe('+ account A\n+ key K\n+ carrier smsc\n3 changes to make; nothing was written (--dry-run)\n');
    const first = await helio(['apply', file], env);
    expect(first.exitCode).toBe(0);
    expect(first.out).toContain('3 changes made\n');
    expect(first.out).toMatch(/key K {3}Bearer Token {3}bt_\w{50}\n.*key K {3}Auth Token {5}at_\w{50}\n$/);
    expect(first.out + first.error).not.toContain(password);
    expect(await helio(['apply', file], env)).toEqual({ out: 'no changes\n', error: '', exitCode: 0 });
  });

  it('shows records missing from the file on request', async () => {
    const { file, env, write } = setUp();
    await helio(['apply', file], env);
    write({ accounts: records.accounts });
    const { out } = await helio(['apply', file, '--verbose'], env);
    expect(out).toContain('= carrier smsc (not in the file, left as it is)\n');
    expect(out).toContain('no changes\n');
  });

  it('refuses to take something away without --yes or the code in the file', async () => {
    const { file, env, write } = setUp();
    await helio(['apply', file], env);
    const content = { accounts: [{ id: 'A', status: 'suspended', name: 'Acme Ltd' }] };
    write(content);
    const { out, error, exitCode } = await helio(['apply', file], env);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 78 });
    expect(error).toContain('it takes something away:\n  - account A status: active → suspended\nNothing was changed.');
    const dry = await helio(['apply', file, '--dry-run'], env);
    expect(dry).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('- account A status: active → suspended\n~ account A name: Acme → Acme Ltd\n'),
    });
    const [, confirm] = /"confirm": "([0-9a-f]{12})"/.exec(dry.out)!;
    expect(error).toContain(confirm);
    write({ ...content, confirm });
    expect((await helio(['apply', file], env)).out).toContain('2 changes made\n');
    write({ accounts: [{ id: 'A', destinations: ['US'] }] });
    expect((await helio(['apply', file, '--yes'], env)).out).toBe(
      '- account A destinations: [US, CA] → [US]\n1 change made\n',
    );
  });

  it('gives programs the same as one document', async () => {
    const { file, env, write } = setUp();
    const json = async (...flags: string[]) => {
      const { out, exitCode } = await helio(['apply', file, '--json', ...flags], env);
      return { ...JSON.parse(out), exitCode };
    };
    expect(await json()).toMatchObject({
      exitCode: 0,
      applied: true,
      changes: [
        { change: 'added', record: 'account', id: 'A', fields: [] },
        { change: 'added', record: 'key', id: 'K' },
        { change: 'added', record: 'carrier', id: 'smsc' },
      ],
      credentials: [{ key: 'K', bearerToken: expect.stringMatching(/^bt_/), authToken: expect.stringMatching(/^at_/) }],
    });
    expect(await json()).toMatchObject({ exitCode: 0, applied: true, changes: [], confirm: null, credentials: [] });
    write({
      accounts: [{ id: 'A', status: 'suspended' }],
      carriers: [{ id: 'smsc', password: 'other' }],
    });
    const changes = [
      {
        change: 'changed',
        record: 'account',
        id: 'A',
        fields: [{ name: 'status', before: 'active', after: 'suspended', takesAway: true }],
      },
      {
        change: 'changed',
        record: 'carrier',
        id: 'smsc',
        fields: [{ name: 'password', secret: true, takesAway: false }],
      },
    ];
    const refused = await json();
    expect(refused).toMatchObject({ exitCode: 78, applied: false, changes, confirm: expect.any(String) });
    expect(await json('--dry-run')).toMatchObject({ exitCode: 0, applied: false, dryRun: true, changes });
    expect(await json('--yes')).toMatchObject({ exitCode: 0, applied: true, changes });
    write({ account: [] });
    expect(await json()).toEqual({
      exitCode: 78,
      applied: false,
      problems: ['unknown field "account"; did you mean "accounts"?'],
    });
  });

  it('refuses a wrong file with every problem and changes nothing', async () => {
    const { file, env, write } = setUp();
    write({ ...records, accounts: [], routes: [{ id: 'R' }] });
    const { out, error, exitCode } = await helio(['apply', file], env);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 78 });
    expect(error).toContain('routes[0] (R): "carriers" is missing');
    expect(error).toMatch(/--dry-run\n$/);
    write(records);
    expect((await helio(['apply', file], env)).out).toContain('3 changes made');
  });

  it('ends with the next command when the key is open to others, or gone', async () => {
    const { file, env, keyFile } = setUp();
    await helio(['apply', file], env);
    chmodSync(keyFile, 0o644);
    const open = await helio(['apply', file], env);
    expect(open).toMatchObject({ out: '', exitCode: 78, error: expect.stringContaining(`chmod 600 ${keyFile}`) });
    rmSync(keyFile);
    const gone = await helio(['apply', file], env);
    expect(gone).toMatchObject({ out: '', exitCode: 78, error: expect.stringContaining('--reseal') });
    expect((await helio(['apply', file, '--reseal'], env)).out).toBe(
      '~ carrier smsc password changed\n1 change made\n',
    );
    expect((await helio(['apply', file], env)).out).toBe('no changes\n');
  });

  it('says so when the data folder cannot be made', async () => {
    const { file, env } = setUp();
    const { error, exitCode } = await helio(['apply', file], { ...env, HELIO_DATA: `${file}/data` });
    expect(exitCode).toBe(78);
    expect(error).toContain('ENOTDIR');
  });
});
