/**
 * `helio sandbox …` and `@heliograph/client/testing` against a live gateway, as scripts and tests use them: results on
 * stdout alone, exit codes, refusals that name the next command.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Heliograph } from '../../packages/client/src/index.ts';
import { createSandbox, type TestSandbox } from '../../packages/client/src/testing.ts';
import { runHelio } from '../../packages/gateway/src/cli/program.ts';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

const phone = '12025550100';
const other = '12025550103';

let gateway: SandboxGateway;
let sandbox: TestSandbox;
let env: Record<string, string>;

beforeAll(async () => {
  gateway = await startSandbox();
  const { bearerToken, authToken } = gateway.credentials;
  env = { HELIO_URL: gateway.url, HELIO_BEARER_TOKEN: bearerToken, HELIO_AUTH_TOKEN: authToken };
  sandbox = createSandbox({ baseUrl: gateway.url, ...gateway.credentials });
});
afterAll(() => gateway?.stop());
beforeEach(() => sandbox.reset());

async function helio(args: string[], more: Record<string, string> = {}) {
  const seen = { out: '', error: '' };
  const exitCode = await runHelio(args, {
    out: (text) => {
      seen.out += text;
    },
    error: (text) => {
      seen.error += text;
    },
    env: { ...env, ...more },
  });
  return { ...seen, exitCode };
}

const ok = (out: unknown) => ({ out, error: '', exitCode: 0 });

describe('helio sandbox', () => {
  it('shows handsets and their messages, as lines, as one document and as a document a line', async () => {
    await gateway.text(phone, 'Your code is 4711');
    expect(await helio(['sandbox', 'wait', '--to', phone, '--match', 'code'])).toEqual(ok('code\n'));
    const { out } = await helio(['sandbox', 'handsets']);
    expect(out.split('\n')[0]).toMatch(/^12025550100 {3}1 message\s+20\d\d-/);
    expect(JSON.parse((await helio(['sandbox', 'handsets', '--json'])).out)[0]).toMatchObject({ number: phone });
    const lines = (await helio(['sandbox', 'messages', phone, '--jsonl'])).out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['Your code is 4711']);
    expect((await helio(['sandbox', 'messages', phone])).out).toMatch(
      /from 12025550199 {3}SMS {3}"Your code is 4711"\n$/,
    );
  });

  it('answers from a handset', async () => {
    expect(await helio(['sandbox', 'reply', phone, 'YES', '--to', gateway.from])).toEqual(
      ok(`${phone} → ${gateway.from}   GSM-7   1 part\n`),
    );
    const sent = await helio(['sandbox', 'messages', phone, '--sent', '--json']);
    expect(JSON.parse(sent.out)).toMatchObject([{ from: phone, to: gateway.from, text: 'YES' }]);
    const refused = await helio(['sandbox', 'reply', other, 'YES']);
    expect(refused).toMatchObject({ out: '', exitCode: 1 });
    expect(refused.error).toMatch(/\(MISSING_FIELD\)\nNext: helio explain MISSING_FIELD\n$/);
  });

  it('waits for the next message, and prints what the pattern matched', async () => {
    const waiting = helio(['sandbox', 'wait', '--to', phone, '--match', 'code (\\d+)', '--timeout', '20s']);
    await gateway.text(phone, 'nothing of it');
    await gateway.text(phone, 'Your code 4711');
    expect(await waiting).toEqual(ok('4711\n'));
    // The newest message counts: a code of an earlier run must not match.
    await gateway.text(phone, 'Your code 4712');
    await sandbox.handset(phone).waitForMessage(/4712/);
    const found = await helio(['sandbox', 'wait', '--to', phone, '--match', 'code (\\d+)', '--json']);
    expect(JSON.parse(found.out)).toMatchObject({ match: 'code 4712', groups: ['4712'], message: { to: phone } });
    const { id } = JSON.parse(found.out).message;
    const vain = await helio(['sandbox', 'wait', '--to', phone, '--match', 'code', '--after', id, '--timeout', '0s']);
    expect(vain).toEqual({
      out: '',
      error: `No message that fits /code/u came to ${phone} within 0s.\nNext: helio sandbox messages ${phone}\n`,
      exitCode: 1,
    });
  });

  it.each([
    [['wait', '--to', phone, '--match', '('], 'wait'],
    [['wait', '--to', phone, '--match', 'x', '--timeout', 'soon'], 'wait'],
    [['set', phone, 'powr=off'], 'set'],
    [['set', phone, 'power'], 'set'],
    [['set', phone, 'receiptAfterMs=5'], 'set'],
    [['faults', 'refuseBind=perhaps'], 'faults'],
    [['faults', 'errorPercent=many'], 'faults'],
    [['seed'], 'seed'],
    [['seed', '--demo', '--remove'], 'seed'],
  ])('%j is a wrong command line', async (args, command) => {
    const { out, error, exitCode } = await helio(['sandbox', ...args]);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 2 });
    expect(error).toMatch(new RegExp(`\nNext: helio sandbox ${command} --help\n$`));
  });

  it('changes only the named settings of a handset', async () => {
    const all = 'power=off   inbox=space   autoReply="Later"   autoReplyAfterMs=50\n';
    expect(await helio(['sandbox', 'set', other, 'power=off'])).toEqual(ok('power=off   inbox=space\n'));
    expect(await helio(['sandbox', 'set', other, 'autoReply=Later', 'autoReplyAfterMs=50'])).toEqual(ok(all));
    expect(await helio(['sandbox', 'set', other])).toEqual(ok(all));
    await helio(['sandbox', 'set', other, 'autoReply=off', 'receipt=UNDELIV']);
    expect(JSON.parse((await helio(['sandbox', 'set', other, '--json'])).out)).toEqual({
      number: other,
      power: 'off',
      inbox: 'space',
      receipt: { outcome: 'UNDELIV', afterMs: 400 },
      autoReply: null,
    });
    expect(await helio(['sandbox', 'set', other, 'usual'])).toEqual(ok('power=on   inbox=space\n'));
    expect(await helio(['sandbox', 'set', other, 'power=maybe'])).toMatchObject({ out: '', exitCode: 1 });
  });

  it('injects faults, shows them and ends them', async () => {
    expect(await helio(['sandbox', 'faults'])).toEqual(ok('no faults\n'));
    expect(await helio(['sandbox', 'faults', 'errorPercent=5', 'duplicateReceipts=true'])).toEqual(
      ok('duplicateReceipts=true   errorPercent=5\n'),
    );
    expect(await helio(['sandbox', 'faults', 'duplicateReceipts=false'])).toEqual(ok('errorPercent=5\n'));
    expect(await helio(['sandbox', 'faults', 'off'])).toEqual(ok('no faults\n'));
  });

  it('resets handsets, behaviour and faults', async () => {
    await gateway.text(phone, 'old');
    await sandbox.handset(phone).waitForMessage(/old/);
    await helio(['sandbox', 'set', phone, 'inbox=full']);
    await helio(['sandbox', 'faults', 'errorPercent=5']);
    expect((await helio(['sandbox', 'reset', '--json'])).out).toBe('{}\n');
    expect(await helio(['sandbox', 'messages', phone])).toEqual(ok(''));
    expect(await helio(['sandbox', 'set', phone])).toEqual(ok('power=on   inbox=space\n'));
    expect(await helio(['sandbox', 'faults'])).toEqual(ok('no faults\n'));
  });

  it('says so when no gateway runs, or the credentials are wrong', async () => {
    const down = await helio(['sandbox', 'handsets'], { HELIO_URL: `http://127.0.0.1:${await freePort()}` });
    expect(down).toMatchObject({ out: '', exitCode: 5 });
    expect(down.error).toMatch(/Next: npm start\n$/);
    const stranger = await helio(['sandbox', 'handsets'], { HELIO_AUTH_TOKEN: 'at_wrong' });
    expect(stranger).toMatchObject({ out: '', exitCode: 1 });
    expect(stranger.error).toMatch(/Next: helio explain NOT_AUTHORIZED\n$/);
  });
});

describe('demo traffic', () => {
  it('is generated, shown everywhere, causes no events, and is removed with its usage', async () => {
    const mine = await gateway.text(phone, 'mine');
    await gateway.until(mine, ['delivered']);
    const client = new Heliograph({ baseUrl: gateway.url, ...gateway.credentials });
    const { next } = await client.events.list({ after: 'latest' });
    const seeded = await helio(['sandbox', 'seed', '--demo', '--json']);
    expect(seeded).toMatchObject({ error: '', exitCode: 0 });
    const made = JSON.parse(seeded.out);
    expect(made.messages).toBeGreaterThan(1_000);
    expect(await client.sandbox.demo()).toEqual(made);
    const newest = await gateway.get('/api/v1/messages?limit=100');
    expect(newest.json.data).toHaveLength(100);
    const again = await helio(['sandbox', 'seed', '--demo']);
    expect(again).toMatchObject({ out: '', exitCode: 1 });
    expect((await client.events.list({ after: next })).events).toEqual([]);
    const usageOf = async () => {
      const day = new Date().toISOString().slice(0, 10);
      const answer = await gateway.get('/api/v1/usage', {
        query: { groupBy: 'key', from: `${day.slice(0, 7)}-01`, to: day },
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.text;
    };
    await expect.poll(usageOf).toContain('demo:traffic');
    const removed = await helio(['sandbox', 'seed', '--remove', '--json']);
    expect(removed).toEqual(ok(`${JSON.stringify({ removed: made.messages })}\n`));
    expect(await helio(['sandbox', 'seed', '--remove'])).toEqual(ok('There was no demo traffic.\n'));
    expect(await client.sandbox.demo()).toBeNull();
    const left = await gateway.get('/api/v1/messages?limit=100');
    expect(left.json.data.map(({ messageId }: { messageId: string }) => messageId)).toContain(mine);
    for (const { from, to } of left.json.data) expect(`${from} ${to}`).toMatch(/^120255501\d\d 120255501\d\d$/);
    expect(await usageOf()).not.toContain('demo:');
  });
});

describe('@heliograph/client/testing', () => {
  it('waits for a matching message, and continues after it', async () => {
    const handset = sandbox.handset(phone);
    const waiting = handset.waitForMessage(/code (\d+)/);
    await gateway.text(phone, 'Welcome');
    await gateway.text(phone, 'Your code 1111');
    await gateway.text(phone, 'Your code 2222');
    expect(await waiting).toMatchObject({ to: phone, from: gateway.from, text: 'Your code 1111' });
    expect((await handset.waitForMessage(/code (\d+)/g, { from: gateway.from })).match[1]).toBe('2222');
    expect(await handset.messages()).toEqual([]);
  });

  it('says what came instead when nothing matches in time', async () => {
    await gateway.text(phone, 'Hello');
    const handset = sandbox.handset(phone);
    await expect(handset.waitForMessage(/code/, { timeoutMs: 900 })).rejects.toMatchObject({
      reason: 'TIMEOUT',
      detail: `No message that fits /code/ came to ${phone} within 900 ms. What came: "Hello".`,
    });
    const ended = handset.waitForMessage(/code/, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(ended).rejects.toThrow('enough');
    const elsewhere = sandbox.handset(other).waitForMessage(/./, { timeoutMs: 0 });
    await expect(elsewhere).rejects.toMatchObject({ detail: expect.stringContaining('Nothing came.') });
  });

  it('answers from the handset, and makes it behave', async () => {
    const handset = sandbox.handset(other);
    expect(await handset.reply({ text: 'Hi', to: gateway.from })).toMatchObject({ from: other, parts: 1 });
    await handset.behave({ inbox: 'full' });
    await gateway.until(await gateway.text(other, 'x'), ['undelivered']);
    await sandbox.faults({ errorPercent: 1 });
    await sandbox.reset();
    await gateway.until(await gateway.text(other, 'y'), ['delivered']);
    expect(await handset.reply('to the last')).toMatchObject({ to: gateway.from });
  });
});
