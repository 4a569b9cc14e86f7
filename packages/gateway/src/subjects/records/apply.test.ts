/** Applying a records file: all or nothing, the same file twice changes nothing, and no output contains a secret. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { openStore } from '../../app/open-store.ts';
import { machineClock, machineRandom } from '../../kernel/machine.ts';
import { carrierSecretPlace } from '../../kernel/sealed-place.ts';
import { createSealer, SealingRefused } from '../../kernel/sealing.ts';
import { keyOf } from '../../kernel/sealing-fixture.ts';
import { hashCredential } from '../../model/credential.ts';
import { type ApplyParts, applyFile, RecordsRefused } from './apply.ts';
import { memoryRecords, newFolder, recordsFile, sealer, smppOf } from './records-fixture.ts';

const password = 'pa55w0rd';
const place = carrierSecretPlace('smsc', 'smpp.password');
const bearerToken = 'bearer-token-of-this-test';
const authToken = 'auth-token-of-this-test-';

const whole = {
  accounts: [{ id: 'A1', name: 'Acme' }],
  campaigns: [{ id: 'C1', account: 'A1', status: 'approved' }],
  numbers: [{ number: '12025550111', account: 'A1', campaign: 'C1' }],
  keys: [{ id: 'K1', account: 'A1', bearerToken, authToken }],
  carriers: [{ id: 'smsc', host: '127.0.0.1', system_id: 'acme', password }],
  routes: [{ id: 'all', carriers: ['smsc'] }],
};

function setUp() {
  const store = memoryRecords();
  const clock = movedClock();
  const random = steadyRandom();
  const apply = (content: unknown, more: Partial<ApplyParts> = {}) =>
    applyFile(recordsFile(content), { store, sealer, clock, random, env: {}, ...more });
  return { store, clock, apply };
}

async function problemsOf(content: unknown, more: Partial<ApplyParts> = {}): Promise<readonly string[]> {
  const { store, apply } = setUp();
  const error = await apply(content, more).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RecordsRefused)) throw new Error(`not refused: ${inspect(error)}`);
  expect(store.writes()).toBe(0);
  expect(inspect(error)).not.toContain(password);
  return error.problems;
}

describe('applying a whole file', () => {
  it('puts everything on record with the defaults', async () => {
    const { store, apply, clock } = setUp();
    const { lines } = await apply(whole);
    expect(lines).toEqual([
      '+ account A1',
      '+ campaign C1',
      '+ number 12025550111',
      '+ key K1',
      '+ carrier smsc',
      '+ route all',
    ]);
    const { accounts, numbers, campaigns, apiKeys, carriers, routes } = store.now();
    expect(accounts[0]).toMatchObject({ accountId: 'A1', status: 'active', destinations: ['US', 'CA'] });
    expect(campaigns[0]).toMatchObject({ campaignId: 'C1', environment: 'live', name: 'C1' });
    expect(numbers[0]).toEqual({
      number: '12025550111',
      accountId: 'A1',
      environment: 'live',
      smsEnabled: true,
      mmsEnabled: true,
      campaignId: 'C1',
      messagesPerSecond: 0,
    });
    expect(apiKeys[0]).toMatchObject({
      bearerHash: hashCredential(bearerToken),
      authHash: hashCredential(authToken),
      createdAt: clock.now(),
      revokedAt: null,
      requestsPerSecond: 50,
    });
    expect(carriers[0]).toMatchObject({ environment: 'live', enabled: true, smpp: { port: 2775, system_type: '' } });
    expect(sealer.open(smppOf(carriers[0]).password, place)).toBe(password);
    expect(routes[0]).toMatchObject({ prefix: '', number: null, kind: null, carrierIds: ['smsc'] });
    expect(JSON.stringify(store.now())).not.toContain(password);
    expect(JSON.stringify(store.now())).not.toContain(bearerToken);
  });

  it('changes nothing the second time', async () => {
    const { store, apply } = setUp();
    await apply(whole);
    const before = store.now();
    expect((await apply(whole)).lines).toEqual([]);
    expect(store.now()).toEqual(before);
  });

  it('prints each change on one line, never a secret', async () => {
    const { store, apply } = setUp();
    await apply(whole);
    const { lines } = await apply(
      {
        campaigns: [{ ...whole.campaigns[0], status: 'suspended' }],
        numbers: [{ ...whole.numbers[0], mmsEnabled: false, campaign: null }],
        keys: [{ ...whole.keys[0], authToken: 'another-token-of-this-test', expiresAt: '2030-01-01T00:00:00Z' }],
        carriers: [{ ...whole.carriers[0], password: 'other', binds: 2 }],
      },
      { confirmed: true },
    );
    expect(lines).toEqual([
      '- campaign C1 status: approved → suspended',
      '- number 12025550111 campaign: C1 → none, mmsEnabled: true → false',
      '- key K1 Auth Token changed',
      '~ key K1 expiresAt: none → 2030-01-01T00:00:00.000Z',
      expect.stringMatching(/^~ carrier smsc (binds: 1 → 2, password changed|password changed, binds: 1 → 2)$/),
    ]);
    expect(store.now().accounts).toHaveLength(1);
  });

  it('deletes nothing and says what it left alone', async () => {
    const { store, apply } = setUp();
    await apply(whole);
    const { lines, untouched } = await apply({ accounts: whole.accounts });
    expect(lines).toEqual([]);
    expect(untouched).toEqual(['campaign C1', 'number 12025550111', 'key K1', 'carrier smsc', 'route all']);
    expect(store.now().routes).toHaveLength(1);
  });

  it('writes nothing in a dry run and reports the same', async () => {
    const { store, apply } = setUp();
    const dry = await apply(whole, { dryRun: true });
    expect(store.writes()).toBe(0);
    expect((await apply(whole)).lines).toEqual(dry.lines);
  });

  it('works on the real store, beside another process that holds it', async () => {
    const options = { dataDir: newFolder(), clock: machineClock };
    const node = await openStore({ ...options, role: 'node' });
    const tool = await openStore({ ...options, role: 'tool' });
    const path = recordsFile(whole);
    const parts = { store: tool, sealer, clock: machineClock, random: machineRandom, env: {} };
    try {
      const before = await node.recordsVersion();
      expect((await applyFile(path, parts)).lines).toHaveLength(6);
      expect(await node.recordsVersion()).toBeGreaterThan(before);
      expect((await node.records()).numbers[0]!.number).toBe('12025550111');
      expect((await applyFile(path, parts)).lines).toEqual([]);
    } finally {
      await tool.close();
      await node.close();
    }
  });
});

describe('key pairs', () => {
  const generated = (more: object = {}) => ({
    accounts: whole.accounts,
    keys: [{ id: 'K2', account: 'A1', generate: true, ...more }],
  });

  it('makes a pair once and keeps it', async () => {
    const { store, apply } = setUp();
    const first = await apply(generated());
    expect(first.generated).toHaveLength(1);
    const [pair] = first.generated;
    expect(pair!.bearerToken.reveal()).toMatch(/^bt_(?!sbx_)/);
    expect(store.now().apiKeys[0]!.authHash).toBe(hashCredential(pair!.authToken.reveal()));
    expect(inspect(first) + JSON.stringify(first)).not.toContain(pair!.authToken.reveal());
    const second = await apply(generated());
    expect(second).toMatchObject({ lines: [], generated: [] });
  });

  it('makes none in a dry run', async () => {
    const { apply } = setUp();
    expect((await apply(generated(), { dryRun: true })).generated).toEqual([]);
    expect((await apply(generated())).generated).toHaveLength(1);
  });

  it('revokes, keeps the time of it, and never brings a pair back', async () => {
    const { store, apply, clock } = setUp();
    await apply(generated());
    const revokedAt = clock.now();
    expect((await apply(generated({ revoked: true }), { confirmed: true })).lines).toEqual([
      '- key K2 revoked: false → true',
    ]);
    clock.set(revokedAt + 1_000);
    expect((await apply(generated({ revoked: true }))).lines).toEqual([]);
    expect(store.now().apiKeys[0]!.revokedAt).toBe(revokedAt);
    expect((await apply(generated())).lines).toEqual([]);
    await expect(apply(generated({ revoked: false }))).rejects.toThrow(/key K2: it was revoked and stays so/);
  });

  it('stays on its side', async () => {
    const { apply } = setUp();
    await apply(generated());
    await expect(apply(generated({ environment: 'sandbox' }))).rejects.toThrow(/its environment is live for good/);
  });

  it('knows which token is which', async () => {
    const { apply } = setUp();
    const made = (await apply(generated())).generated[0]!;
    const [bt, at] = [made.bearerToken.reveal(), made.authToken.reveal()];
    const pair = (bearer: string, auth: string, environment = 'live') =>
      problemsOf({
        accounts: whole.accounts,
        keys: [{ id: 'K', account: 'A1', environment, bearerToken: bearer, authToken: auth }],
      });
    expect(await pair(at, bt)).toEqual([expect.stringContaining('its bearerToken is the auth token of a live pair')]);
    expect(await pair(bt, at, 'sandbox')).toEqual([expect.stringContaining('allowed: the bearer token of a sandbox')]);
    expect(await pair(bt, bt)).toEqual([expect.stringContaining('are the same')]);
    const mistyped = `${bt.slice(0, -1)}${bt.endsWith('0') ? '1' : '0'}`;
    expect(await pair(mistyped, at)).toEqual([expect.stringContaining('bearerToken is something else (not shown)')]);
  });
});

describe('carrier passwords', () => {
  const carrier = (source: object) => ({ carriers: [{ id: 'smsc', host: 'smsc.example', system_id: 'x', ...source }] });

  it('come from a file beside the records file, or from the environment', async () => {
    const { store, apply } = setUp();
    const folder = newFolder();
    writeFileSync(join(folder, 'pw'), `${password}\n`);
    const path = recordsFile(carrier({ passwordFile: 'pw' }), folder);
    await applyFile(path, { store, sealer, clock: movedClock(), random: steadyRandom() });
    expect(sealer.open(smppOf(store.now().carriers[0]).password, place)).toBe(password);
    expect((await apply(carrier({ passwordEnv: 'PW' }), { env: { PW: password } })).lines).toEqual([]);
    expect((await apply(carrier({ passwordEnv: 'PW' }), { env: { PW: 'next' } })).lines).toEqual([
      '~ carrier smsc password changed',
    ]);
  });

  it.each([
    [{}, 'it has 0 passwords; allowed: one of "password", "passwordFile", "passwordEnv"'],
    [{ password, passwordEnv: 'PW' }, 'it has 2 passwords'],
    [{ passwordEnv: 'NOT_SET' }, 'the variable NOT_SET is not there or cannot be read'],
    [{ passwordFile: 'nowhere' }, 'the file nowhere is not there or cannot be read'],
    [{ passwordEnv: 'EMPTY' }, 'the variable EMPTY holds no password of 1 to 64 ASCII characters'],
  ])('are refused by name: %j', async (source, expected) => {
    const problems = await problemsOf(
      { ...carrier(source), routes: [{ id: 'R', carriers: ['smsc'] }] },
      { env: { EMPTY: '' } },
    );
    expect(problems).toEqual([expect.stringContaining(`carrier smsc: ${expected}`)]);
  });

  it('are not touched with another key, unless they are sealed anew', async () => {
    const { store, apply } = setUp();
    await apply(carrier({ password }));
    const other = createSealer(keyOf(9));
    await expect(apply({ accounts: whole.accounts }, { sealer: other })).rejects.toThrow(SealingRefused);
    expect(store.writes()).toBe(1);
    const { lines } = await apply(carrier({ password }), { sealer: other, reseal: true });
    expect(lines).toEqual(['~ carrier smsc password changed']);
    expect(other.open(smppOf(store.now().carriers[0]).password, place)).toBe(password);
  });
});

describe('a file that is not applied', () => {
  it.each([
    ['', 'the file is not valid JSON at line 1, column 1'],
    ['{"accounts":[],}', 'the file is not valid JSON at line 1, column 16'],
    [`{"carriers":[{"password":"${password}" oops}]}`, 'the file is not valid JSON at line 1, column 37'],
    ['{"keys":[],"k\\u0065ys":[]}', 'the file has a field for the second time at line 1, column 12'],
    ['{"keys":\n[{"id":1} {}]}', 'the file is not valid JSON at line 2, column 11'],
    ['{"keys":[]', 'the file is not valid JSON at line 1, column 11'],
    ['{"keys":[}', 'the file is not valid JSON at line 1, column 10'],
    ['{"keys":[]}}', 'the file is not valid JSON at line 1, column 12'],
    ['{"a\nb":1}', 'the file is not valid JSON at line 1, column 2'],
    ['{"__proto__":{}}', 'unknown field "__proto__"'],
    ['[]', 'the file is a list; allowed: an object with lists'],
    ['null', 'the file is null; allowed: an object with lists'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'the file is a list; allowed'],
  ])('says what is wrong with it, case %#', async (content, expected) => {
    expect(await problemsOf(content)).toEqual([expect.stringContaining(expected)]);
  });

  it('is no text', async () => {
    const path = recordsFile('');
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
    const parts = { store: memoryRecords(), sealer, clock: movedClock(), random: steadyRandom() };
    await expect(applyFile(path, parts)).rejects.toThrow('the file is not UTF-8 text');
    writeFileSync(path, '\ufeff{}');
    expect((await applyFile(path, parts)).lines).toEqual([]);
  });

  it('cannot be read', async () => {
    const { store } = setUp();
    const parts = { store, sealer, clock: movedClock(), random: steadyRandom() };
    await expect(applyFile('/nowhere.json', parts)).rejects.toThrow(/nowhere.json was not applied:\n.*\(ENOENT\)/);
    await expect(applyFile(newFolder(), parts)).rejects.toThrow(RecordsRefused);
  });

  it('is reported with all its problems, each with place, value and allowed values', async () => {
    const problems = await problemsOf({
      accounts: [{ id: 'A1', nam: 'x', destinations: ['USA'] }, 5],
      numbers: [{ number: '+12025550111', account: 'A1', smsEnabled: 'yes' }],
      carriers: [{ id: 'smsc', host: 'a b', system_id: 'sixteen-letters-', password: 7, port: 0, pasword: password }],
      carrers: [],
    });
    expect(problems).toEqual([
      'unknown field "carrers"; did you mean "carriers"?',
      'accounts[0] (A1): "name" is missing; allowed: a text of 1 to 100 characters on one line',
      'accounts[0] (A1): unknown field "nam"; did you mean "name"?',
      expect.stringMatching(/^accounts\[0\] \(A1\): destinations\[0\] is "USA"; allowed: a country as two capital/),
      'accounts[1]: this entry is 5; allowed: an object',
      expect.stringMatching(/^numbers\[0\] \(\+12025550111\): number is "\+12025550111"; allowed: digits without plus/),
      'numbers[0] (+12025550111): smsEnabled is "yes"; allowed: true or false',
      'carriers[0] (smsc): unknown field "pasword"; did you mean "password"?',
      'carriers[0] (smsc): host is "a b"; allowed: an IP address or a host name',
      'carriers[0] (smsc): port is 0; allowed: a whole number from 1 to 65535',
      'carriers[0] (smsc): system_id is "sixteen-letters-"; allowed: 1 to 15 ASCII characters',
      'carriers[0] (smsc): password is something else (not shown); allowed: 1 to 64 ASCII characters',
    ]);
  });

  it('names an id twice', async () => {
    expect(await problemsOf({ accounts: [...whole.accounts, ...whole.accounts] })).toEqual([
      'accounts[1] (A1): this one is in the file already, as accounts[0]',
    ]);
  });
});

describe('rules between records', () => {
  const accounts = [...whole.accounts, { id: 'A2', name: 'Other' }];
  const sandboxNumber = { number: '12025550199', account: 'A1', environment: 'sandbox' };

  it.each([
    [
      'a number on an account that is not there',
      { numbers: [{ number: '12025550111', account: 'A3' }] },
      'number 12025550111: its account A3 is neither in the file nor on record; did you mean A1?',
    ],
    [
      "a number on another account's campaign",
      { campaigns: whole.campaigns, numbers: [{ number: '12025550111', account: 'A2', campaign: 'C1' }] },
      'number 12025550111: it is on account A2 and its campaign C1 on A1; both must be on one',
    ],
    [
      'a name without its countries',
      { numbers: [{ number: 'Acme', account: 'A1' }] },
      'number Acme: a name needs the countries where it may send, such as DE, FR',
    ],
    [
      'a name that would send MMS',
      { numbers: [{ number: 'Acme', account: 'A1', countries: ['DE'], mmsEnabled: true }] },
      'number Acme: a name sends no MMS',
    ],
    [
      'a verified number that needs a campaign',
      { numbers: [{ number: '12025550111', account: 'A1', verified: true }] },
      'number 12025550111: only toll-free numbers and short codes are verified; others need a campaign',
    ],
    [
      'a sandbox number on a live campaign',
      { campaigns: whole.campaigns, numbers: [{ ...sandboxNumber, campaign: 'C1' }] },
      'number 12025550199: it is sandbox and its campaign C1 is live; sandbox and live never mix',
    ],
    [
      'a campaign nobody knows',
      { numbers: [{ number: '12025550111', account: 'A1', campaign: 'C9' }] },
      'number 12025550111: its campaign C9 is neither in the file nor on record',
    ],
    [
      'a key on an account that is not there',
      { keys: [{ ...whole.keys[0], account: 'nobody' }] },
      'key K1: its account nobody is neither in the file nor on record',
    ],
    [
      'two keys with one token',
      { keys: [whole.keys[0], { ...whole.keys[0], id: 'K2', authToken: 'one-more-token-of-this-test' }] },
      'keys K1 and K2: they have the same Bearer Token; each pair needs its own',
    ],
    [
      'a route to a carrier that is not there',
      { carriers: whole.carriers, routes: [{ id: 'R', carriers: ['smcs'] }] },
      'route R: its carrier smcs is neither in the file nor on record; did you mean smsc?',
    ],
    [
      'a sandbox route to a real carrier',
      { carriers: whole.carriers, routes: [{ id: 'R', environment: 'sandbox', carriers: ['smsc'] }] },
      'route R: it is sandbox and its carrier smsc is live; sandbox and live never mix',
    ],
    [
      'a live route for a sandbox number',
      {
        numbers: [sandboxNumber],
        carriers: whole.carriers,
        routes: [{ id: 'R', number: '12025550199', carriers: ['smsc'] }],
      },
      'route R: it is live and its number 12025550199 is sandbox; sandbox and live never mix',
    ],
    [
      'a route for a campaign of the other side',
      {
        campaigns: [{ id: 'CS', account: 'A1', environment: 'sandbox', status: 'approved' }],
        carriers: whole.carriers,
        routes: [{ id: 'R', campaign: 'CS', carriers: ['smsc'] }],
      },
      'route R: it is live and its campaign CS is sandbox; sandbox and live never mix',
    ],
    [
      'an MMS route to an SMPP carrier',
      { carriers: whole.carriers, routes: [{ id: 'R', kind: 'MMS', carriers: ['smsc'] }] },
      'route R: it is for MMS and its carrier smsc (smpp) takes SMS only',
    ],
    [
      "the simulated carrier's id",
      { carriers: [{ ...whole.carriers[0], id: 'sim-carrier' }] },
      'carrier sim-carrier: this id is a simulated carrier of the sandbox, which the gateway keeps itself; choose another',
    ],
  ])('refuses %s', async (_, content, expected) => {
    expect(await problemsOf({ accounts, ...content })).toEqual([expected]);
  });

  it('allows 49 numbers on a campaign and no more', async () => {
    const numbers = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ number: `120255502${10 + i}`, account: 'A1', campaign: 'C1' }));
    const { apply } = setUp();
    await apply({ ...whole, numbers: numbers(49) });
    await expect(apply({ numbers: numbers(50) })).rejects.toThrow(
      'campaign C1: it has 50 numbers; allowed: at most 49',
    );
  });

  it('lets a key name only numbers of its own account and environment', async () => {
    const { apply } = setUp();
    await apply({ ...whole, keys: [{ ...whole.keys[0], numbers: ['12025550111'], dailyCap: 5 }] });
    await expect(apply({ keys: [{ ...whole.keys[0], numbers: ['12025550177'] }] })).rejects.toThrow(
      'key K1: its number 12025550177 is not a live number of its account',
    );
  });

  it('holds what is on record to the rules too', async () => {
    const { apply } = setUp();
    await apply(whole);
    await expect(apply({ campaigns: [{ ...whole.campaigns[0], environment: 'sandbox' }] })).rejects.toThrow(
      'number 12025550111: it is live and its campaign C1 is sandbox',
    );
  });
});

describe('docs/configuration.md', () => {
  it('shows a records file that can be applied', async () => {
    const page = readFileSync(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8');
    const example = /```json\n([\s\S]*?)```/.exec(page)![1];
    const { apply } = setUp();
    expect((await apply(example, { env: { CARRIER_PASSWORD: password } })).lines.length).toBeGreaterThan(5);
  });
});
