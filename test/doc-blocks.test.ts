/**
 * Every code block of README and docs runs as a reader would run it: shell and programs against a started gateway,
 * records files through `helio apply`, other JSON through a parser. A block that cannot run here needs an entry with
 * its reason in `exceptions`; otherwise it fails.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runHelio } from '../packages/gateway/src/cli/program.ts';
import { phoneJpeg } from '../packages/gateway/src/media/media-fixture.ts';
import { bareEnv } from './props/bare-env.ts';
import { blocksOf, type DocBlock, docBlocks } from './props/doc-blocks.ts';
import { type SandboxGateway, startSandbox } from './props/sandbox.ts';

/** File, beginning of the block, and the reason why it does not run here. */
const exceptions: [file: string, begins: string, why: string][] = [
  ['README.md', 'npm ci && npm start', 'installs from the registry; the rest of this file runs what it would start'],
  ['CONTRIBUTING.md', 'npm ci\nnpm start', 'installs from the registry, as the README does'],
  ['README.md', 'npm ci && npm test', 'is this suite itself, and others'],
  ['docs/state-machine.md', 'accepted → queued', 'is a drawing'],
  ['docs/sign-in.md', '  First login ', 'is what a start prints'],
  ['docs/listen.md', '$ npx helio listen', 'is a terminal with its output'],
  [
    'docs/prove.md',
    '$ npx helio prove',
    'is a terminal with its output; packages/gateway/src/cli/prove.short.test.ts runs it',
  ],
  [
    'docs/prove.md',
    '$ sudo npx helio prove',
    'is a terminal with its output; test/interop/kannel.long.test.ts runs it',
  ],
  ['docs/postgresql.md', 'create role gateway', 'runs in packages/gateway/src/store/postgres-start.test.ts'],
  ['docs/backup.md', 'drop schema gateway cascade', 'runs in test/interop/postgres-restore.long.test.ts'],
  ['docs/backup.md', 'pg_restore --schema', 'runs in test/interop/postgres-restore.long.test.ts'],
  ['docs/postgresql.md', '# patroni:', 'test/patroni.ts runs it'],
  ['docs/postgresql.md', '# haproxy:', 'test/patroni.ts runs it'],
];
/** JSON that is not a whole document. */
const fragments: [file: string, begins: string, why: string][] = [
  ['docs/prove.md', '{\n  "name": "kannel"', 'is a peer file; packages/gateway/src/cli/prove/peer.test.ts reads it'],
  ['docs/mms.md', '{ "text": "Here it is"', 'is the part of an event that is about its media'],
];
/** Lines that need a second terminal; the rest of their block runs. */
const elsewhere = /^npx helio listen --forward-to .*\n/m;

const launcher = fileURLToPath(new URL('../packages/gateway/bin/helio.js', import.meta.url));
/** A folder of the workspace, so that a program finds the packages. */
const runFolder = fileURLToPath(new URL('../packages/gateway/', import.meta.url));
const blocks = docBlocks();
const isException = ({ file, text }: DocBlock) =>
  exceptions.some(([name, begins]) => name === file && text.startsWith(begins));
const running = blocks.filter((block) => !isException(block));
const of = (...languages: string[]) =>
  running
    .filter(({ language }) => languages.includes(language))
    .map((block) => [`${block.file}:${block.line}`, block] as const);

let gateway: SandboxGateway;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helio-docs-'));
  gateway = await startSandbox();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const script = (name: string, lines: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  script('helio', `exec '${process.execPath}' '${launcher}' "$@"`);
  script('npx', '[ "$1" = helio ] || exit 127\nshift\nexec helio "$@"');
  // The reader's own app: it sends a code at login.
  script(
    'curl',
    `for word in "$@"; do case $word in https://my-app.test/*)
       exec ${JSON.stringify(realCurl)} -sf "$HELIO_URL/SendSMS" -H "Authorization: Bearer $HELIO_BEARER_TOKEN" \\
         -H "X-Api-Key: $HELIO_AUTH_TOKEN" -H 'Content-Type: application/json' \\
         -d '{"from":"12025550199","to":["12025550100"],"text":"Your code 424242"}' ;; esac; done
     exec ${JSON.stringify(realCurl)} "$@"`,
  );
  writeFileSync(join(folder, 'cat.jpg'), await phoneJpeg(64, 48));
  // A handset can only answer after it got a text.
  await gateway.until(await gateway.text('12025550100', 'Hello'), ['delivered']);
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const realCurl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();

interface Ran {
  code: number;
  out: string;
  error: string;
}

function run(command: string, args: string[], input = ''): Promise<Ran> {
  const env = {
    ...bareEnv(),
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    HELIO_URL: gateway.url,
    HELIO_AUTH_TOKEN: gateway.credentials.authToken,
    HELIO_BEARER_TOKEN: gateway.credentials.bearerToken,
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd: folder, env, timeout: 30_000 }, (fault, out, error) =>
      resolve({ code: fault === null ? 0 : Number(fault.code ?? -1), out, error }),
    );
    // A program may end without reading its input.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Fills in the credentials that the reader copies from the start card. */
function withOwnCredentials(text: string): string {
  return text
    .replaceAll('http://localhost:8088', gateway.url)
    .replaceAll('at_sbx_…', gateway.credentials.authToken)
    .replaceAll('bt_sbx_…', gateway.credentials.bearerToken);
}

describe('code blocks', () => {
  it('are of a language that runs here, or stand in the list', () => {
    const known = ['sh', 'json', 'js', 'ts', 'python', 'php', 'go', 'ruby', ''];
    const isShell = ({ language, text }: DocBlock) => language !== '' || text.startsWith('helio ');
    const others = running.filter((block) => !known.includes(block.language) || !isShell(block));
    expect(others.map(({ file, line, text }) => `${file}:${line} ${text.slice(0, 60)}`)).toEqual([]);
  });

  it('of the list are still there', () => {
    for (const [file, begins] of [...exceptions, ...fragments]) {
      expect(
        blocks.some((block) => block.file === file && block.text.startsWith(begins)),
        `${file}: ${begins}`,
      ).toBe(true);
    }
  });

  it('are found with their lines, also indented; one without an end is an error', () => {
    expect(blocksOf('x.md', 'a\n  ```sh\n  b\n  ```\n')).toEqual([
      { file: 'x.md', line: 3, language: 'sh', text: 'b\n' },
    ]);
    expect(blocksOf('x.md', '~~~js\n```\n~~~\n')).toMatchObject([{ language: 'js', text: '```\n' }]);
    expect(() => blocksOf('x.md', '```sh\nb\n')).toThrow('x.md: the block at line 2 has no end');
  });
});

describe('shell', () => {
  it.each(of('sh', ''))('%s', async (_place, { text }) => {
    const { code, out, error } = await run('bash', [
      // Without a shell above it and with a socket as stdin, bash assumes an rsh session and reads the machine's
      // settings.
      '--norc',
      '-euo',
      'pipefail',
      '-c',
      withOwnCredentials(text).replace(elsewhere, ''),
    ]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    // Each JSON answer is an envelope that reports success.
    for (const line of out.split('\n').filter((line) => line.startsWith('{'))) {
      expect(JSON.parse(line), line).toMatchObject({ success: true });
    }
  });
});

it('docs/tutorials/first-text.md shows the answer that its call gets', async () => {
  const ofTutorial = (language: string, begins: string) =>
    blocks.find(
      (one) => one.file.endsWith('/first-text.md') && one.language === language && one.text.startsWith(begins),
    )!;
  const call = ofTutorial('sh', 'curl -sS "$HELIO_URL/SendSMS"');
  const { out } = await run('bash', ['--norc', '-c', withOwnCredentials(call.text)]);
  const own = /(?<="(?:referenceId|messageId)":")[^"]*/g;
  expect(out.trim().replaceAll(own, '…')).toBe(
    JSON.stringify(JSON.parse(ofTutorial('json', '{').text)).replaceAll(own, '…'),
  );
});

/** Whether the JSON is a whole document of a kind shown in the docs, recognised by its names. */
function isWhole(value: Record<string, unknown>): boolean {
  const has = (...names: string[]) => names.every((name) => name in value);
  return has('success') || has('type', 'timestamp', 'data') || has('$schema') || has('referenceId', 'deliveryReceipt');
}

const recordKinds = ['accounts', 'brands', 'campaigns', 'numbers', 'keys', 'carriers', 'routes', 'endpoints', 'alerts'];

describe('JSON', () => {
  it.each(of('json'))('%s', async (_place, { file, text }) => {
    const value = JSON.parse(text) as Record<string, unknown>;
    // An answer: the envelope of the contract.
    if ('success' in value)
      expect(value).toMatchObject({ success: true, reason: 'SUCCESS', detail: expect.any(String) });
    if (!Object.keys(value).every((name) => recordKinds.includes(name))) {
      const isFragment = fragments.some(([name, begins]) => name === file && text.startsWith(begins));
      expect(
        isWhole(value) || isFragment,
        'an answer, an event, a schema, a records file, or a fragment of the list',
      ).toBe(true);
      return;
    }
    const own = mkdtempSync(join(tmpdir(), 'helio-docs-apply-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    const records = join(own, 'records.json');
    writeFileSync(records, text);
    const passwords = [...text.matchAll(/"passwordEnv": "(\w+)"/g)].map(([, name]) => [name, 'a password']);
    const seen = { out: '', error: '' };
    const terminal = {
      out: (line: string) => {
        seen.out += line;
      },
      error: (line: string) => {
        seen.error += line;
      },
      env: { HELIO_DATA: join(own, 'data'), ...Object.fromEntries(passwords) },
    };
    expect({ code: await runHelio(['apply', records], terminal), error: seen.error }).toEqual({ code: 0, error: '' });
    expect(seen.out).toMatch(/\d+ changes? made/);
  });

  it('the answer of the README has the fields of a real one', async () => {
    const { json } = await gateway.send({ from: gateway.from, to: ['12025550100'], text: 'Hello from my gateway' });
    const [shown] = of('json').filter(([place]) => place.startsWith('README.md'));
    expect(shapeOf(JSON.parse(shown![1].text))).toEqual(shapeOf(json));
  });
});

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const payload = '{"type":"webhook.test"}';

function signedHeaders(body = payload): Record<string, string> {
  const at = new Date();
  const id = 'evt_01JD8Z6QF2X5T9V3B7N1KMHGCA_1';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': `v1,bm90IHRoaXMgb25l ${new Webhook(secret).sign(id, at, body)}`,
  };
}

/** Programs to run one after another; the last one keeps running. */
const startReceiver: Record<string, (file: string, port: number) => [string, ...string[]][]> = {
  js: (file) => [[process.execPath, file]],
  python: (file) => [['python3', file]],
  php: (file, port) => [['php', '-S', `127.0.0.1:${port}`, file]],
  ruby: (file) => [['ruby', file]],
  go: (file) => [['go', 'build', '-o', `${file}.bin`, file], [`${file}.bin`]],
};
const endings: Record<string, string> = { js: 'mjs', python: 'py', php: 'php', ruby: 'rb', go: 'go' };

/** Starts a receiver of the tutorial; resolves once it accepts connections; it ends with the test. */
async function receiver(language: string, text: string, place: string): Promise<{ port: number; output(): string }> {
  const port = await freePort();
  const file = join(place, `receiver.${endings[language]}`);
  writeFileSync(file, text);
  const env = {
    ...bareEnv(),
    HOME: place,
    GOCACHE: join(tmpdir(), 'helio-go-cache'),
    PORT: String(port),
    WEBHOOK_SECRET: secret,
  };
  const commands = startReceiver[language]!(file, port);
  for (const [command, ...args] of commands.slice(0, -1)) execFileSync(command, args, { env, cwd: place });
  const [command, ...args] = commands.at(-1)!;
  const child = spawn(command, args, { env, cwd: place, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).then(
      () => true,
      () => out,
    );
  await expect.poll(answers).toBe(true);
  return { port, output: () => out };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Signature checks are functions: each must accept a genuine signature and refuse a changed body. */
const signatureChecks: Record<string, { command: string; args: (program: string) => string[]; calls: string }> = {
  js: {
    command: process.execPath,
    args: (program) => ['--input-type=module', '-e', program],
    calls: 'for (const [h, body] of given) console.log(isGenuine(h, body, secret));',
  },
  python: {
    command: 'python3',
    args: (program) => ['-c', program],
    calls: 'for h, body in given: print(str(is_genuine(h, body.encode(), secret)).lower())',
  },
  php: {
    command: 'php',
    args: (program) => ['-r', program],
    calls: 'foreach ($given as [$h, $body]) echo is_genuine($h, $body, $secret) ? "true\\n" : "false\\n";',
  },
};
const given = () => [
  [signedHeaders(), payload],
  [signedHeaders(), `${payload} `],
  [{ ...signedHeaders(), 'webhook-timestamp': '1700000000' }, payload],
];

describe('programs', () => {
  const isCheck = ({ text }: DocBlock) => /is_?genuine/i.test(text);
  const isReceiver = ({ text }: DocBlock) => text.includes('WEBHOOK_SECRET');

  it.for(of('js', 'python', 'php').filter(([, block]) => isCheck(block)))(
    '%s',
    async ([, { language, text }], { skip }) => {
      const { command, args, calls } = signatureChecks[language]!;
      // Only CI is sure to have PHP.
      const mayLack = language === 'php' && process.env.CI === undefined;
      if (mayLack && (await run('php', ['-v'])).code !== 0) skip('PHP is not on this machine');
      const data = JSON.stringify(JSON.stringify({ given: given(), secret }));
      const read = {
        js: `const { given, secret } = JSON.parse(${data});`,
        python: `import json\nd = json.loads(${data})\ngiven, secret = d["given"], d["secret"]`,
        php: `['given' => $given, 'secret' => $secret] = json_decode(${data.replaceAll('$', '\\$')}, true);`,
      }[language];
      const ran = await run(command, args(`${text}\n${read}\n${calls}\n`));
      expect(ran).toEqual({ code: 0, out: 'true\nfalse\nfalse\n', error: '' });
    },
  );

  it('in a language that needs another program are signature checks or receivers', () => {
    const others = of('python', 'php', 'go', 'ruby').filter(([, block]) => !isCheck(block) && !isReceiver(block));
    expect(others.map(([place]) => place)).toEqual([]);
    expect(receivers().map(([, { language }]) => language)).toEqual(['js', 'python', 'php', 'go', 'ruby']);
  });

  const receivers = () => of('js', 'python', 'php', 'go', 'ruby').filter(([, block]) => isReceiver(block));

  it.for(receivers())('%s takes genuine events and refuses others', async ([, { language, text }], { skip }) => {
    const [command] = startReceiver[language]!('', 0)[0]!;
    // Only CI is sure to have all of them.
    const mayLack = process.env.CI === undefined && language !== 'js';
    if (mayLack && (await run('sh', ['-c', `command -v ${command}`])).code !== 0) skip(`no ${language} here`);
    const place = mkdtempSync(join(folder, 'receiver-'));
    const { port, output } = await receiver(language, text, place);
    const body = '{"type":"message.received","data":{"from":"12025550100","text":"YES"}}';
    const post = async (headers: Record<string, string>, sent: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status;
    const signed = signedHeaders(body);
    expect(await post(signed, `${body} `)).toBe(400);
    expect(await post({ ...signed, 'webhook-timestamp': '1700000000' }, body)).toBe(400);
    expect(await post({}, body)).toBe(400);
    expect(output()).not.toContain('YES');
    expect(await post(signed, body)).toBe(204);
    await expect.poll(output).toContain('12025550100: YES');
  });

  it.each(of('js', 'ts').filter(([, block]) => !isCheck(block) && !isReceiver(block)))(
    '%s',
    async (_place, { language, text }) => {
      const file = join(runFolder, `doc-block-${process.pid}.${language === 'ts' ? 'mts' : 'mjs'}`);
      onTestFinished(() => rmSync(file, { force: true }));
      // Stands in for the reader's test runner: their app sends a code after the handsets are emptied.
      const beforeEach = `globalThis.beforeEach = async (run) => {
      await run();
      const { HELIO_URL, HELIO_AUTH_TOKEN, HELIO_BEARER_TOKEN } = process.env;
      await fetch(HELIO_URL + '/SendSMS', { method: 'POST', headers: { authorization: 'Bearer ' + HELIO_BEARER_TOKEN,
        'x-api-key': HELIO_AUTH_TOKEN, 'content-type': 'application/json' },
        body: JSON.stringify({ from: '12025550199', to: ['12025550100'], text: 'Your code 424242' }) });
    };`;
      const [imports, rest] = [text.match(/^import .*$/gm) ?? [], text.replace(/^import .*$/gm, '')];
      writeFileSync(file, `${imports.join('\n')}\n${beforeEach}\n${rest}`);
      const ran = await run(process.execPath, [file]);
      expect({ code: ran.code, error: ran.error }).toEqual({ code: 0, error: '' });
    },
  );
});
