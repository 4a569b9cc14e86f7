/**
 * `helio listen` between a gateway and a local server on loopback: nothing is lost and events stay in order, whatever
 * breaks.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { writeFirstSteps } from '../subjects/records/first-steps.ts';
import { type ListenFlags, listenWith } from './listen.ts';
import { event, fakeGateway, localServer } from './listen-fixture.ts';
import { freePort } from './prove/free-port.ts';

const first = { bearerToken: 'bt_sbx_x', authToken: 'at_sbx_x', from: '1', handsets: [], smpp: { host: '', port: 1 } };

/** A data folder with the first steps of a gateway at `baseUrl`. */
function dataFolder(baseUrl = 'http://127.0.0.1:9'): string {
  const folder = mkdtempSync(join(tmpdir(), 'h5-listen-'));
  writeFirstSteps(folder, { baseUrl, ...first });
  return folder;
}

/** Runs the command; `stop` is Ctrl+C. Pauses take no time and are recorded. */
function listening(flags: ListenFlags, env: Record<string, string>, onWait: (stop: () => void) => void = () => {}) {
  const seen = { out: '', error: '', waits: [] as number[] };
  const enough = new AbortController();
  const exitCode = listenWith(
    flags,
    {
      out: (text) => {
        seen.out += text;
      },
      error: (text) => {
        seen.error += text;
      },
      env,
    },
    {
      clock: machineClock,
      random: machineRandom,
      enough: enough.signal,
      wait: async (ms) => {
        seen.waits.push(ms);
        onWait(stop);
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  );
  const stop = () => {
    enough.abort();
    return exitCode;
  };
  onTestFinished(() => void stop().catch(() => {}));
  const ready = () => expect.poll(() => seen.error).toContain('Ready.');
  return { seen, exitCode, stop, ready };
}

async function printedSecret(folder: string): Promise<string> {
  const { seen, exitCode } = listening({ printSecret: true }, { HELIO_DATA: folder });
  expect(await exitCode).toBe(0);
  return seen.out.trim();
}

/** Gateway, data folder, local server and their common secret. */
async function setUp(port = 0) {
  const gateway = await fakeGateway();
  const folder = dataFolder(gateway.baseUrl);
  const secret = await printedSecret(folder);
  const env = { HELIO_DATA: folder };
  return { gateway, folder, secret, env, server: () => localServer(() => secret, port) };
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => `evt_${i + 1}`);
const idsOf = (got: { id: string }[]) => got.map(({ id }) => id);

describe('helio listen', () => {
  it('hands each event on as the gateway would, and shows a line for it', async () => {
    const { gateway, env, server } = await setUp();
    const local = await server();
    gateway.log(event(99));
    const { seen, stop, ready } = listening({ forwardTo: local.url }, env);
    await ready();
    expect(seen.error).toBe(`Ready. Forwarding to ${local.url}. Secret: helio listen --print-secret   Stop: Ctrl+C\n`);
    gateway.log(event(1), event(2, 'message.delivered'));
    gateway.log(event(3));
    await expect.poll(() => seen.out).toContain('evt_3');
    expect(local.got).toEqual([event(1), event(2, 'message.delivered'), event(3)]);
    expect(seen.out.split('\n')[1]).toMatch(/^\d\d:\d\d:\d\d {2}message\.delivered {4}evt_2 {2}→ 200 \(\d+ ms\)$/);
    expect(await stop()).toBe(0);
  });

  it('shows events alone when they are to go nowhere, and all about them as JSON', async () => {
    const { gateway, env } = await setUp();
    const shown = listening({ json: true, from: 'pos_0', types: 'message.received, webhook.test' }, env);
    gateway.log(event(1), event(2, 'message.sent'), event(3, 'webhook.test'));
    await expect.poll(() => shown.seen.out).toContain('evt_3');
    const lines = shown.seen.out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([event(1), event(3, 'webhook.test')]);
    expect(shown.seen.error).toContain('Ready. Showing events only');
    expect(gateway.requests[0]).toContain('after=pos_0&types=message.received%2Cwebhook.test');
    expect(await shown.stop()).toBe(0);
  });

  it('reports the result of each try to programs', async () => {
    const { gateway, env, server } = await setUp();
    const local = await server();
    local.statuses.push(503);
    const { seen, ready } = listening({ forwardTo: local.url, json: true }, env);
    await ready();
    gateway.log(event(1));
    await expect.poll(() => seen.out.trim().split('\n')).toHaveLength(2);
    const tries = seen.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(tries).toMatchObject([
      { ...event(1), attempt: 1, kind: 'answered', status: 503, durationMs: expect.any(Number) },
      { id: 'evt_1', attempt: 2, status: 200 },
    ]);
  });

  it('waits for a local server that is not there: says so once, loses nothing, keeps the order', async () => {
    const port = await freePort();
    const { gateway, env, server } = await setUp(port);
    const { seen, ready } = listening({ forwardTo: `http://127.0.0.1:${port}/hooks` }, env);
    await ready();
    gateway.log(event(1), event(2));
    await expect.poll(() => seen.waits.length).toBeGreaterThan(7);
    gateway.log(event(3));
    const local = await server();
    await expect.poll(() => local.got).toHaveLength(3);
    expect(idsOf(local.got)).toEqual(ids(3));
    expect(seen.out.match(/nobody there/g)).toHaveLength(1);
    expect(seen.out).toMatch(/evt_1 {2}→ nobody there \(ECONNREFUSED\); trying until somebody is\n/);
    expect(seen.waits.slice(0, 5)).toEqual([500, 1_000, 2_000, 4_000, 4_000]);
  });

  it('tries an event again that fails, five times in all, and goes on with the next', async () => {
    const { gateway, env, server } = await setUp();
    const local = await server();
    local.statuses.push(500, 302, 404, 503, 500);
    const { seen, ready } = listening({ forwardTo: local.url }, env);
    await ready();
    gateway.log(event(1), event(2));
    await expect.poll(() => seen.out).toContain('evt_2');
    expect(idsOf(local.got)).toEqual([...Array(5).fill('evt_1'), 'evt_2']);
    expect(seen.out).toMatch(/evt_1 {2}→ 302 \(\d+ ms\); once more soon\n/);
    expect(seen.out).toMatch(/evt_1 {2}→ 500 \(\d+ ms\); given up\n/);
  });

  it('goes on where it was after a break of the connection to the gateway', async () => {
    const { gateway, env, server } = await setUp();
    const local = await server();
    const { seen, ready } = listening({ forwardTo: local.url }, env);
    await ready();
    gateway.log(event(1));
    await expect.poll(() => local.got).toHaveLength(1);
    gateway.down();
    await expect.poll(() => seen.waits.length).toBeGreaterThan(5);
    gateway.log(event(2), event(3));
    gateway.up();
    await expect.poll(() => local.got).toHaveLength(3);
    expect(idsOf(local.got)).toEqual(ids(3));
    expect(seen.error.match(/could not be reached/g)).toHaveLength(1);
    expect(seen.error).toContain('Connected again.\n');
  });

  it('waits for a gateway that is not there yet', async () => {
    const { gateway, env } = await setUp();
    gateway.down();
    const { seen, ready, stop } = listening({}, env);
    await expect.poll(() => seen.waits.length).toBeGreaterThan(3);
    gateway.up();
    await ready();
    expect(seen.error).not.toContain('Connected again');
    expect(await stop()).toBe(0);
  });

  it('ends at once and well, even while it waits for a local server', async () => {
    const { gateway, env } = await setUp();
    const { seen, ready, stop } = listening({ forwardTo: `http://127.0.0.1:${await freePort()}` }, env);
    await ready();
    gateway.log(event(1));
    await expect.poll(() => seen.out).toContain('nobody there');
    expect(await stop()).toBe(0);
  });
});

describe('helio listen --resume', () => {
  it('begins where the last run ended, and after no event twice', async () => {
    const { gateway, env, folder, server } = await setUp();
    const local = await server();
    const run = () => listening({ forwardTo: local.url, resume: true }, env);
    const one = run();
    await one.ready();
    expect(one.seen.error).toContain('Nothing to resume here yet');
    gateway.log(event(1));
    await expect.poll(() => one.seen.out).toContain('evt_1');
    await one.stop();
    gateway.log(event(2));
    const two = run();
    await expect.poll(() => local.got).toHaveLength(2);
    expect(idsOf(local.got)).toEqual(ids(2));
    expect(two.seen.error).not.toContain('Nothing to resume');
    expect(statSync(join(folder, 'listen-cursor.json')).mode & 0o777).toBe(0o600);
  });

  it('hands an event on again that nobody had taken yet', async () => {
    const port = await freePort();
    const { gateway, env, server } = await setUp(port);
    const one = listening({ forwardTo: `http://127.0.0.1:${port}/hooks`, resume: true }, env);
    await one.ready();
    gateway.log(event(1), event(2));
    await expect.poll(() => one.seen.out).toContain('nobody there');
    await one.stop();
    const local = await server();
    listening({ forwardTo: local.url, resume: true }, env);
    await expect.poll(() => idsOf(local.got)).toEqual(ids(2));
  });

  it('keeps its place within a page', async () => {
    const { gateway, env, server } = await setUp();
    const local = await server();
    local.statuses.push(200, 500);
    const one = listening({ forwardTo: local.url, resume: true }, env, (stop) => stop());
    await one.ready();
    gateway.log(event(1), event(2));
    expect(await one.exitCode).toBe(0);
    listening({ forwardTo: local.url, resume: true }, env);
    await expect.poll(() => idsOf(local.got)).toEqual(['evt_1', 'evt_2', 'evt_2']);
  });

  it.each([
    ['garbage', 'garbage'],
    ['null', 'null'],
    ['another gateway’s', '{"baseUrl":"http://else","cursor":"pos_7"}'],
  ])('begins now when what was kept is %s', async (_what, content) => {
    const { gateway, env, folder } = await setUp();
    writeFileSync(join(folder, 'listen-cursor.json'), content, { mode: 0o600 });
    const { ready } = listening({ resume: true }, env);
    await ready();
    expect(gateway.requests[0]).toContain('after=latest');
  });
});

describe('helio listen --print-secret', () => {
  it('prints the secret of this installation, always the same, kept for its owner alone', async () => {
    const folder = dataFolder();
    const secret = await printedSecret(folder);
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await printedSecret(folder)).toBe(secret);
    expect(await printedSecret(dataFolder())).not.toBe(secret);
    expect(statSync(join(folder, 'listen-secret')).mode & 0o777).toBe(0o600);
  });

  it('keeps it in the folder of the user when the gateway is named by the environment', async () => {
    const home = mkdtempSync(join(tmpdir(), 'h5-home-'));
    const gateway = { HELIO_URL: 'https://sms.example', HELIO_BEARER_TOKEN: 'b', HELIO_AUTH_TOKEN: 'a' };
    const places = [
      [{ HOME: home }, '.config/heliograph/listen-secret'],
      [{ HOME: home, XDG_CONFIG_HOME: join(home, 'xdg') }, 'xdg/heliograph/listen-secret'],
    ] as const;
    for (const [env, path] of places) {
      const { seen, exitCode } = listening({ printSecret: true }, { ...env, ...gateway });
      expect([await exitCode, seen.error]).toEqual([0, '']);
      expect(readFileSync(join(home, path), 'utf8')).toBe(seen.out);
    }
  });

  it('is refused when the file is open to others, or holds something else', async () => {
    const folder = dataFolder();
    await printedSecret(folder);
    const path = join(folder, 'listen-secret');
    chmodSync(path, 0o644);
    const open = listening({ printSecret: true }, { HELIO_DATA: folder });
    expect([await open.exitCode, open.seen.out]).toEqual([78, '']);
    expect(open.seen.error).toContain(`Run: chmod 600 ${path}\n`);
    chmodSync(path, 0o600);
    writeFileSync(path, 'garbage');
    const garbage = listening({ printSecret: true }, { HELIO_DATA: folder });
    expect(await garbage.exitCode).toBe(78);
    expect(garbage.seen.error).toContain('Delete it');
  });

  it('is refused when there can be no such file', async () => {
    const file = join(dataFolder(), 'first-steps.json');
    const gateway = { HELIO_URL: 'https://sms.example', HELIO_BEARER_TOKEN: 'b', HELIO_AUTH_TOKEN: 'a' };
    const { seen, exitCode } = listening({ printSecret: true }, { ...gateway, XDG_CONFIG_HOME: file });
    expect([await exitCode, seen.out]).toEqual([78, '']);
    expect(seen.error).toContain('cannot be used (ENOTDIR)');
  });
});

describe('helio listen refuses', () => {
  it.each<[ListenFlags, string]>([
    [{ forwardTo: 'localhost:3000' }, '--forward-to takes'],
    [{ forwardTo: 'ftp://x' }, '--forward-to takes'],
    [{ forwardTo: 'http://me:secret@x' }, '--forward-to takes'],
    [{ from: '' }, '--from takes'],
    [{ from: 'pos_1', resume: true }, '--from and --resume'],
    [{ types: 'message.recieved' }, 'Did you mean message.received?\nNext: helio listen --types message.received\n'],
    [{ types: '' }, 'There is no event type ""'],
  ])('the flags %j', async (flags, text) => {
    const { seen, exitCode } = listening(flags, { HELIO_DATA: dataFolder() });
    expect([await exitCode, seen.out]).toEqual([2, '']);
    expect(seen.error).toContain(text);
    expect(seen.error).toMatch(/\nNext: helio listen/);
    expect(seen.error).not.toContain('secret');
  });

  it('to go on when the gateway refuses', async () => {
    const { gateway, env } = await setUp();
    gateway.answer = { status: 400, reason: 'NOT_AUTHORIZED' };
    const { seen, exitCode } = listening({}, env);
    expect(await exitCode).toBe(1);
    expect(seen.error).toBe('Why. (NOT_AUTHORIZED)\nNext: helio explain NOT_AUTHORIZED\n');
  });

  it('to guess a gateway', async () => {
    const none = listening({}, { HELIO_DATA: mkdtempSync(join(tmpdir(), 'h5-none-')) });
    expect(await none.exitCode).toBe(78);
    expect(none.seen.error).toMatch(/Next: npm start\n$/);
    const half = listening({}, { HELIO_URL: 'https://sms.example', HELIO_DATA: dataFolder() });
    expect(await half.exitCode).toBe(78);
    expect(half.seen.error).toMatch(/^Not set: HELIO_BEARER_TOKEN and HELIO_AUTH_TOKEN\. /);
    const odd = { HELIO_URL: 'sms.example', HELIO_BEARER_TOKEN: 'b', HELIO_AUTH_TOKEN: 'a' };
    const wrong = listening({}, { ...odd, XDG_CONFIG_HOME: mkdtempSync(join(tmpdir(), 'h5-xdg-')) });
    expect(await wrong.exitCode).toBe(78);
    expect(wrong.seen.error).toContain('HELIO_URL');
  });
});

describe('Ctrl+C', () => {
  it('ends the process with exit code 0, also when it comes twice', async () => {
    const { gateway, folder, server } = await setUp();
    const local = await server();
    const entry = fileURLToPath(new URL('./helio.ts', import.meta.url));
    const child = spawn(process.execPath, [entry, 'listen', '--forward-to', local.url], {
      env: { ...process.env, HELIO_DATA: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let out = '';
    let error = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      error += chunk;
    });
    const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
    await expect.poll(() => error).toContain('Ready.');
    gateway.log(event(1));
    await expect.poll(() => out).toContain('evt_1');
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(error.split('\n')).toHaveLength(2);
  });
});
