/**
 * The packages as published, in an empty folder without the repository: the gateway starts, shows the portal and the
 * documentation, and a text arrives, over the wire and through the published client. Dependencies are linked from the
 * checkout, so that the test needs no network.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const startMs = 30_000;

let folder: string;
let files: string[];
let gateway: ChildProcess;
let output = '';
const cardTitle = 'Send your first text';
let env: Record<string, string>;
let baseUrl: string;

const modules = () => join(folder, 'node_modules');
const manifestOf = (name: string) => JSON.parse(readFileSync(join(modules(), name, 'package.json'), 'utf8'));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helio-package-'));
  const packed = join(folder, 'packed');
  execFileSync(process.execPath, [join(checkout, 'packages/gateway/release.js'), packed]);
  install(packed);
  files = execFileSync('tar', ['tzf', join(packed, tarballOf('heliograph', packed))], { encoding: 'utf8' }).split('\n');
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  // A clean environment: HELIO_… variables or a loader of the test runner would hide a fault.
  env = { PATH: process.env.PATH!, HOME: folder, PORT: String(port), HELIO_HOST: '127.0.0.1', HELIO_SMPP_PORT: '0' };
  gateway = spawn(process.execPath, [join(modules(), 'heliograph/bin/helio.js'), 'start'], { cwd: folder, env });
  for (const stream of [gateway.stdout!, gateway.stderr!]) stream.on('data', (bytes) => (output += bytes));
  await ready();
});

afterAll(async () => {
  if (gateway?.exitCode === null) {
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** `heliograph-client-0.1.0.tgz` for `@heliograph/client`. */
function tarballOf(name: string, packed: string): string {
  const plain = name.replace('@', '').replace('/', '-');
  return readdirSync(packed).find((file) => new RegExp(`^${plain}-[0-9].*\\.tgz$`).test(file))!;
}

/** Installs the gateway's tarball; the client's is installed elsewhere, for a program of its own. */
function install(packed: string): void {
  for (const [name, place] of [
    ['heliograph', join(modules(), 'heliograph')],
    ['@heliograph/client', join(folder, 'app/node_modules/@heliograph/client')],
  ] as const) {
    mkdirSync(place, { recursive: true });
    execFileSync('tar', ['xzf', join(packed, tarballOf(name, packed)), '-C', place, '--strip-components=1']);
  }
  const { dependencies, bundleDependencies } = manifestOf('heliograph');
  for (const name of Object.keys(dependencies)) {
    if (bundleDependencies.includes(name)) continue;
    const place = join(modules(), name);
    mkdirSync(dirname(place), { recursive: true });
    const homes = ['packages/gateway', 'packages/mms', ''].map((home) => join(checkout, home, 'node_modules', name));
    symlinkSync(homes.find(existsSync)!, place);
  }
}

/** Resolves when the gateway accepts messages and has printed its start card, which may be the later of the two. */
async function ready(): Promise<void> {
  const until = Date.now() + startMs;
  while (Date.now() < until && gateway.exitCode === null) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.ok && output.includes(cardTitle)) return;
    await pause(100);
  }
  throw new Error(`the installed gateway did not start:\n${output}`);
}

async function page(path: string): Promise<string> {
  const answer = await fetch(`${baseUrl}${path}`, { headers: { accept: 'text/html' } });
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
  return answer.text();
}

function helio(...args: string[]): string {
  return execFileSync(process.execPath, [join(modules(), 'heliograph/bin/helio.js'), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
}

describe('the published packages', () => {
  it('contain the build, and neither sources nor tests', () => {
    for (const wanted of [
      'dist/cli/helio.js',
      'bin/helio.js',
      'portal/index.html',
      'portal/docs/index.html',
      'portal/docs/api.html',
      'portal/docs/search.json',
      'LICENSE',
      'LICENSES.txt',
      'node_modules/@heliograph/smpp/dist/index.js',
      'node_modules/@heliograph/guarded-fetch/dist/index.js',
      'node_modules/@heliograph/guarded-fetch/LICENSE',
      'node_modules/@heliograph/sandbox/dist/main.js',
      'node_modules/@heliograph/sandbox/bin/heliograph-sandbox.js',
      'node_modules/@heliograph/sandbox/LICENSE',
    ])
      expect(files).toContain(`package/${wanted}`);
    const strange = files.filter((file) =>
      /(?<!\.d)\.ts$|\.test\.|-fixture\.|\.contract\.|\.map$|node_modules\/(?!@heliograph\/)|scarf/.test(file),
    );
    expect(strange).toEqual([]);
    for (const name of ['heliograph', 'heliograph/node_modules/@heliograph/client']) {
      const text = JSON.stringify(manifestOf(name));
      expect(text).not.toContain('src/');
      expect(text).not.toContain('file:');
      expect(text).not.toMatch(/scarf|swagger/);
    }
    const licences = readFileSync(join(modules(), 'heliograph/LICENSES.txt'), 'utf8');
    for (const name of ['react', 'minisearch', 'fast-xml-parser', 'sharp', 'undici', 'ipaddr.js'])
      expect(licences).toMatch(new RegExp(`^${name} [0-9.]+: (MIT|Apache-2.0)$`, 'm'));
    expect(licences).not.toContain('scarf');
  });

  it('are the same bytes when somebody else makes them again, and come with a bill of materials', () => {
    const packed = join(folder, 'packed');
    const again = join(folder, 'packed-again');
    const release = join(checkout, 'packages/gateway/release.js');
    execFileSync('sh', ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, release, again], {
      stdio: 'ignore',
      env: { ...process.env, TZ: 'Asia/Tokyo' },
    });
    const names = readdirSync(packed);
    expect(readdirSync(again)).toEqual(names);
    const { version } = manifestOf('heliograph');
    expect(names).toEqual(expect.arrayContaining([`heliograph-${version}.tgz`, `heliograph-${version}.cdx.json`]));
    const bytes = (place: string, name: string) => readFileSync(join(place, name)).toString('base64');
    expect(names.filter((name) => bytes(packed, name) !== bytes(again, name))).toEqual([]);
    const bill = JSON.parse(readFileSync(join(packed, `heliograph-${version}.cdx.json`), 'utf8'));
    // The portal's build dependencies are listed beside the gateway's own.
    for (const name of ['react', 'minisearch', 'fastify'])
      expect(bill.components.filter((component: { name: string }) => component.name === name)).toHaveLength(1);
  });

  it('start where there is no repository, with the portal and the documentation', async () => {
    expect(output).toContain(cardTitle);
    const home = await page('/');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(home)?.[1];
    expect((await fetch(`${baseUrl}${script}`)).status).toBe(200);
    expect(await page('/docs')).toContain('Heliograph');
    expect(await page('/docs/sandbox')).toContain('handset');
    expect(await page('/docs/api')).toContain('id="sendSMS"');
    expect((await fetch(`${baseUrl}/docs/search.json`)).status).toBe(200);
    expect(existsSync(join(folder, 'data'))).toBe(true);
  });

  it('send a text that arrives on its handset, by command and by client', async () => {
    const { bearerToken, authToken, from, handsets } = JSON.parse(helio('first-steps', '--json'));
    const [to] = handsets;
    const program = `
      import { Heliograph } from '@heliograph/client';
      import { createSandbox } from '@heliograph/client/testing';
      const access = { baseUrl: '${baseUrl}', bearerToken: '${bearerToken}', authToken: '${authToken}' };
      const { schema } = await new Heliograph(access).sendSMS({ from: '${from}', to: ['${to}'], text: 'Your code is 4711' });
      const { match } = await createSandbox(access).handset('${to}').waitForMessage(/code is (\\d+)/);
      console.log(schema.resultResponses[0].status, match[1]);`;
    const ran = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: join(folder, 'app'),
      env,
      encoding: 'utf8',
    });
    expect(ran).toBe('SUCCESS 4711\n');
    expect(helio('sandbox', 'wait', '--to', to, '--match', 'code is (\\d+)')).toBe('4711\n');
  });

  it('name the next command as a package has it', () => {
    const empty = { ...env, HELIO_DATA: join(folder, 'empty') };
    const command = [join(modules(), 'heliograph/bin/helio.js'), 'first-steps'];
    const { status, stderr } = spawnSync(process.execPath, command, { cwd: folder, env: empty, encoding: 'utf8' });
    expect(status).toBe(78);
    expect(stderr).toMatch(/Next: helio start\n$/);
  });

  it('start a test message centre alone', () => {
    const { bin } = manifestOf('heliograph');
    const command = join(modules(), 'heliograph', bin['heliograph-sandbox']);
    const version = execFileSync(process.execPath, [command, '--version'], { cwd: folder, env, encoding: 'utf8' });
    expect(version).toBe(`${manifestOf('heliograph').version}\n`);
  });

  it('prove on this machine that a kill loses nothing, without anything of the repository', () => {
    const { gateway: name, passed, total } = JSON.parse(helio('prove', '--time', '20s', '--faults', 'kill', '--json'));
    expect(name).toBe(`heliograph ${manifestOf('heliograph').version}`);
    expect([passed, total.lost]).toEqual([true, 0]);
    expect(total.acknowledged).toBeGreaterThan(50);
  });

  it('explain codes and count segments without a gateway', () => {
    expect(helio('explain', 'OPTED_OUT')).toContain('OPTED_OUT');
    expect(helio('segments', 'Hello')).toContain('GSM-7   1 segment');
    expect(helio('version', '--json')).toContain(manifestOf('heliograph').version);
  });
});
