/** Two companies on one gateway: neither ever sees, uses or changes the other's data. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials, type SandboxGateway, startSandbox } from '../props/sandbox.ts';

const run = promisify(execFile);
const helio = resolve(fileURLToPath(new URL('../../packages/gateway/bin/helio.js', import.meta.url)));

const pair = (name: string): Credentials => ({
  bearerToken: `bearer-of-${name}-0123456789-canary`,
  authToken: `auth-of-${name}-0123456789-canary`,
});

const company = (name: string, number: string) => ({
  accounts: [{ id: name, name }],
  campaigns: [{ id: `${name}-campaign`, account: name, environment: 'sandbox', name, status: 'approved' }],
  numbers: [
    { number, account: name, environment: 'sandbox', smsEnabled: true, mmsEnabled: true, campaign: `${name}-campaign` },
  ],
  keys: [{ id: `${name}-key`, account: name, environment: 'sandbox', name, scopes: ['send', 'read'], ...pair(name) }],
});

const one = company('one', '12025550151');
const two = company('two', '12025550152');
const both = {
  accounts: [...one.accounts, ...two.accounts],
  campaigns: [...one.campaigns, ...two.campaigns],
  numbers: [...one.numbers, ...two.numbers],
  keys: [...one.keys, ...two.keys],
};

let gateway: SandboxGateway;

beforeAll(async () => {
  gateway = await startSandbox({ records: both });
});
afterAll(() => gateway.stop());

const sendAs = (credentials: Credentials, more: object = {}, headers: Record<string, string> = {}) =>
  gateway.send({ from: '12025550151', to: ['12025550100'], text: 'Hi', ...more }, { credentials, headers });

/** Asynchronous, so that this process notices connections that the gateway closes meanwhile. */
async function apply(records: object, name: string): Promise<string> {
  const file = join(gateway.dataDir, '..', `${name}.json`);
  writeFileSync(file, JSON.stringify(records));
  const { stdout } = await run(process.execPath, [helio, 'apply', file, '--yes'], {
    env: { ...process.env, HELIO_DATA: gateway.dataDir },
    encoding: 'utf8',
  });
  return stdout;
}

async function until(check: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > end) throw new Error('did not happen in time');
    await new Promise((done) => setTimeout(done, 50));
  }
}

describe('two companies', () => {
  it('each send from their own number', async () => {
    expect((await sendAs(pair('one'))).json).toMatchObject({ success: true });
    expect((await sendAs(pair('two'), { from: '12025550152' })).json).toMatchObject({ success: true });
  });

  it('SEC-03 tokens of two pairs are no pair', async () => {
    const mixed = { bearerToken: pair('one').bearerToken, authToken: pair('two').authToken };
    expect(await sendAs(mixed)).toMatchObject({ status: 400, json: { reason: 'NOT_AUTHORIZED' } });
  });

  it('SEC-16 either credential twice is no pair', async () => {
    for (const value of Object.values(pair('one'))) {
      const answer = await sendAs({ bearerToken: value, authToken: value });
      expect(answer).toMatchObject({ status: 400, json: { reason: 'NOT_AUTHORIZED' } });
    }
  });

  it('SEC-19 a number of the other company is not found, as an unknown one', async () => {
    const others = await sendAs(pair('one'), { from: '12025550152' });
    const unknown = await sendAs(pair('one'), { from: '12025550153' });
    expect(others).toMatchObject({ status: 400, json: { reason: 'SENDER_NOT_FOUND' } });
    expect(others.text.replace('12025550152', 'N')).toBe(unknown.text.replace('12025550153', 'N'));
  });

  it('SEC-20 a message of the other company is not found, byte for byte as a missing one', async () => {
    const sent = await sendAs(pair('one'));
    const { messageId } = sent.json.schema.resultResponses[0];
    const mine = await gateway.get(`/api/v1/messages/${messageId}`, { credentials: pair('one') });
    const others = await gateway.get(`/api/v1/messages/${messageId}`, { credentials: pair('two') });
    const missing = await gateway.get('/api/v1/messages/msg_00000000000000000000000000', { credentials: pair('two') });
    expect(mine.status).toBe(200);
    expect(others.status).toBe(404);
    expect(others.text.replace(messageId, 'ID')).toBe(missing.text.replace('msg_00000000000000000000000000', 'ID'));
    const list = await gateway.get('/api/v1/messages', { credentials: pair('two') });
    expect(list.text).not.toContain('12025550151');
  });

  it('SEC-21 idempotency keys and reference ids of two companies do not meet', async () => {
    const key = { 'idempotency-key': 'same' };
    const first = await sendAs(pair('one'), { referenceId: 'same' }, key);
    const second = await sendAs(pair('two'), { from: '12025550152', referenceId: 'same' }, key);
    expect(first.json.success && second.json.success).toBe(true);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
  });

  it('SEC-22 fields that only we may set are ignored and reported', async () => {
    const answer = await sendAs(pair('one'), {
      status: 'delivered',
      tenantId: 'two',
      accountId: 'two',
      price: 0,
      resultResponses: [],
    });
    expect(answer.json.success).toBe(true);
    expect(answer.headers.get('x-unknown-fields')).toContain('tenantId');
    const { messageId } = answer.json.schema.resultResponses[0];
    expect((await gateway.get(`/api/v1/messages/${messageId}`, { credentials: pair('one') })).status).toBe(200);
    expect((await gateway.get(`/api/v1/messages/${messageId}`, { credentials: pair('two') })).status).toBe(404);
  });

  it('SEC-26 strings with a meaning in SQL, templates, HTML or headers are sent unchanged', async () => {
    const texts = [
      "'; drop table messages; --",
      '%_\\',
      '{{7*7}} #{7*7}',
      '<script>alert(1)</script>',
      'a\r\nX: y',
      '=1+1',
    ];
    for (const text of texts) {
      const answer = await sendAs(pair('one'), { text, referenceId: text, to: ['12025550104'] });
      expect(answer.json).toMatchObject({ success: true, schema: { text, referenceId: text } });
    }
    // Each text is delivered separately: one may arrive before another.
    await until(async () => {
      const handset = await gateway.get('/api/v1/sandbox/handsets/12025550104/messages', {
        credentials: pair('one'),
      });
      const arrived = handset.json.data.map((message: { text: string }) => message.text);
      return texts.every((text) => arrived.includes(text));
    });
  });

  it('SEC-27 numbers in any other form are refused per recipient', async () => {
    const to = ['+12025550100', '1 2025550100', '1202555010A', '120', '1234567890123456', '١٢٠٢٥٥٥٠١٠٠'];
    const answer = await sendAs(pair('one'), { to });
    expect(answer.json.schema.resultResponses.map((entry: { status: string }) => entry.status)).toEqual(
      to.map(() => 'INVALID_NUMBER'),
    );
  });
});

describe('changes of the records reach a running gateway', () => {
  it('SEC-04 a disabled number, a suspended campaign and account, a revoked pair', async () => {
    const reason = async () => (await sendAs(pair('one'))).json.reason;
    await apply({ numbers: [{ ...one.numbers[0], smsEnabled: false }] }, 'off');
    await until(async () => (await reason()) === 'SENDER_NOT_ENABLED');
    await apply(
      {
        numbers: [{ ...one.numbers[0], smsEnabled: true }],
        campaigns: [{ ...one.campaigns[0], status: 'suspended' }],
      },
      'campaign',
    );
    await until(async () => (await reason()) === 'CAMPAIGN_NOT_ACTIVE');
    await apply({ numbers: [{ ...one.numbers[0], campaign: null }] }, 'none');
    await until(async () => (await reason()) === 'CAMPAIGN_REQUIRED');
    await apply({ accounts: [{ ...one.accounts[0], status: 'suspended' }] }, 'account');
    await until(async () => (await reason()) === 'ACCOUNT_SUSPENDED');
    const [key] = one.keys;
    await apply({ accounts: [{ ...one.accounts[0], status: 'active' }], keys: [{ ...key, revoked: true }] }, 'revoked');
    await until(async () => (await reason()) === 'NOT_AUTHORIZED');
    expect((await sendAs(pair('two'), { from: '12025550152' })).json.success).toBe(true);
  });
});

describe('secrets', () => {
  it('SEC-09 SEC-17 SEC-75 no credential is in any file, log line or command line', async () => {
    await sendAs(pair('two'), { from: '12025550152' });
    await gateway.get('/nowhere', { credentials: pair('two') });
    await gateway.send('{', { credentials: pair('two') });
    const files = filesBelow(join(gateway.dataDir, '..')).filter(
      (file) => !file.endsWith('records.json') && !file.endsWith('revoked.json'),
    );
    const canaries = Object.values(pair('two'));
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const bytes = readFileSync(file, 'latin1');
      for (const canary of canaries) expect(bytes.includes(canary), file).toBe(false);
    }
    const commandLine = readFileSync(`/proc/${gateway.gateway.pid}/cmdline`, 'latin1');
    expect(canaries.some((canary) => commandLine.includes(canary))).toBe(false);
  });

  it('SEC-17 the seeded pair is readable in first-steps.json only', async () => {
    const { bearerToken, authToken } = gateway.credentials;
    const holders = filesBelow(gateway.dataDir).filter((file) => {
      const bytes = readFileSync(file, 'latin1');
      return bytes.includes(bearerToken) || bytes.includes(authToken);
    });
    expect(holders.map((file) => file.slice(gateway.dataDir.length + 1))).toEqual(['first-steps.json']);
    expect(statSync(holders[0]!).mode & 0o777).toBe(0o600);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
