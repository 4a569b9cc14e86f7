/**
 * Every code block of the packages' READMEs runs, in the environment that its reader has (credentials, a peer, a
 * server), with this machine's addresses instead of the examples. A block without an entry in `around` fails.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { phoneJpeg } from '../packages/gateway/src/media/media-fixture.ts';
import { bareEnv } from './props/bare-env.ts';
import { type DocBlock, packageBlocks } from './props/doc-blocks.ts';
import { type SandboxGateway, startSandbox } from './props/sandbox.ts';

/** The environment of a block. */
interface Around {
  file: string;
  begins: string;
  /** Text of the block, and its replacement on this machine. */
  instead?: [shown: string, here: string][];
  before?: string;
  after?: string;
  /** The whole output, or a pattern; undefined allows any output. */
  prints?: string | RegExp;
}

const client = 'packages/client/README.md';
const mms = 'packages/mms/README.md';
const sandbox = 'packages/sandbox/README.md';
const smpp = 'packages/smpp/README.md';

const helio = `import { Heliograph } from '@heliograph/client';
const helio = new Heliograph();`;

/** The reader's message centre and its port. */
const centre = `import { startSandbox } from '@heliograph/sandbox';
const centre = await startSandbox({ host: '127.0.0.1', preferredPort: 0, system_id: 'me', password: 'secret' });`;

const photo = `import * as here from '@heliograph/mms';
const bytes = Buffer.from('/9j/4AAQSkZJRgABAQEAYABgAAD/2Q==', 'base64');
const ourDomain = 'mms.ours.example';
const picture = here.presentable({ ...here.emptyMessage, from: '12025550100', to: ['14155550123'],
  parts: [{ contentType: 'image/jpeg', contentId: '', fileName: 'Photo 1.JPG', bytes }] });`;

const submitSm = (port: string) => `{
  const { createClient } = await import('@heliograph/smpp');
  await new Promise((resolve) => {
    const peer = createClient({ host: '127.0.0.1', port: ${port}, bind: 'transceiver', system_id: 'heliograph', password: 'sandbox' }, {
      onBound: () => peer.submit({ source_addr: '12025550199', destination_addr: '12025550100', registered_delivery: 1,
        short_message: Buffer.from('Hello') }, resolve),
      onRequest: (request) => request.respond(0),
    });
    peer.start();
    globalThis.peer = peer;
  });
}`;

/** `cat` is a picture in base64. */
const around = (gateway: SandboxGateway, messageId: string, cat: string, centrePorts: Ports): Around[] => [
  {
    file: client,
    begins: 'import { Heliograph, HeliographError }',
    instead: [
      ['https://sms.example.com', gateway.url],
      ['msg_01K…', messageId],
    ],
    before: 'const { HELIO_BEARER_TOKEN: bearerToken, HELIO_AUTH_TOKEN: authToken } = process.env;',
    after: 'console.log(message.text);',
    prints: 'Hello\n',
  },
  {
    file: client,
    begins: 'const { url } = await helio.media.upload',
    before: `${helio}\nconst readFile = async () => Buffer.from('${cat}', 'base64');`,
    after: 'console.log(new URL(url).pathname.slice(0, 7));',
    prints: '/media/\n',
  },
  {
    file: client,
    begins: "import { webhooks } from '@heliograph/client'",
    before: `const rawBody = JSON.stringify({ type: 'message.received', timestamp: new Date().toISOString(), data: { from: '1', text: 'Hi' } });
      process.env.WEBHOOK_SECRET = 'whsec_' + Buffer.alloc(32, 7).toString('base64');
      const request = { headers: webhooks.sign({ id: 'evt_1', body: rawBody, secret: process.env.WEBHOOK_SECRET }) };`,
    prints: '1 Hi\n',
  },
  {
    file: client,
    begins: "import { sandbox } from '@heliograph/client/testing'",
    before: `${helio}\nconst beforeEach = async (run) => { await run();
      await helio.sendSMS({ from: '12025550199', to: ['12025550100'], text: 'Your code 424242' }); };`,
    instead: [['beforeEach(() =>', 'await beforeEach(() =>']],
    after: 'console.log(text, match[1]);',
    prints: 'Your code 424242 424242\n',
  },
  {
    file: client,
    begins: '// waits for what comes',
    // A program has to end here, so its first event ends the loop.
    instead: [['console.log(event.id, event.data);', 'console.log(event.type); break;']],
    before: `${helio}\nconst { events: [{ id: lastId }] } = await helio.events.list();
      const signal = AbortSignal.timeout(20_000);\nawait helio.events.trigger('message.received');`,
    after: 'console.log(Array.isArray(events), typeof next);',
    prints: 'message.received\ntrue string\n',
  },
  {
    file: client,
    begins: 'const { endpointId, secret } = await helio.endpoints.create',
    instead: [["campaign: 'C1'", "campaign: 'SBX-DEMO'"]],
    before: helio,
    after: `await helio.optOuts.remove({ contact: '12025550100', campaign: 'SBX-DEMO', reason: 'end of the test' });
      await helio.endpoints.delete(endpointId);\nconsole.log(secret.slice(0, 6));`,
    prints: /^whsec_\n$/m,
  },
  {
    file: client,
    begins: 'const { total, groups } = await helio.usage.get',
    before: helio,
    after: 'console.log(recipientsMax, title !== "" && fix.length > 0);',
    prints: /\n1000 true\n$/,
  },
  {
    file: 'packages/guarded-fetch/README.md',
    begins: 'import { createGuardedFetch, machineAddresses }',
    instead: [
      ["'https://example.com/picture.jpg'", 'shop'],
      // The test's shop is on this machine.
      ['allowPrivate: false', 'allowPrivate: true'],
    ],
    before: `import { createServer } from 'node:http';
      const server = createServer((_request, answer) => answer.writeHead(200, { 'content-type': 'image/jpeg' }).end('picture'));
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const shop = 'http://127.0.0.1:' + server.address().port + '/picture.jpg';`,
    after: 'server.close();',
    prints: '200 image/jpeg 7\n',
  },
  {
    file: mms,
    begins: 'import { emptyMessage, mm7Dialect',
    before: `${photo}
      const post = async (headers, body) => {
        const authorization = 'Basic ' + Buffer.from('heliograph:sandbox').toString('base64');
        const answer = await fetch('${centrePorts.mm7}', { method: 'POST', headers: { ...headers, authorization }, body });
        return { status: answer.status, contentType: answer.headers.get('content-type') ?? '', body: Buffer.from(await answer.arrayBuffer()) };
      };
      const say = (outcome) => console.log(outcome.kind);`,
    instead: [['body: answer.body }));\n}', 'body: answer.body }));\n  say(outcome);\n}']],
    prints: 'accepted\n',
  },
  {
    file: mms,
    begins: 'import { readMm4, responseTo, writeMm4 }',
    before: `${photo.replace('const bytes', 'const jpeg').replace("fileName: 'Photo 1.JPG', bytes", "fileName: 'Photo 1.JPG', bytes: jpeg")}
      const message = picture;
      const bytes = here.writeMm4({ type: 'MM4_forward.REQ', transactionId: 'tx-2', messageId: 'm-2', ackRequest: true, replyTo: '',
        hidesSender: false, message }, { ourDomain: 'mms.carrier.example', peerDomain: ourDomain, date: new Date() }).bytes;
      const peerDomain = 'mms.carrier.example';`,
    after: 'console.log(mail.bytes.length > 100, read.kind, read.message.type);',
    prints: 'true message MM4_forward.REQ\n',
  },
  {
    file: sandbox,
    begins: "import { startSandbox } from '@heliograph/sandbox'",
    instead: [['// … have your gateway bind to sandbox.port and send a text …', submitSm('sandbox.port')]],
    after: `console.log(messages.map(({ text }) => text));\nawait globalThis.peer.stop();`,
    prints: "[ 'Hello' ]\n",
  },
  {
    file: smpp,
    begins: 'import { createClient, isReceipt, parseReceipt }',
    before: `${centre}
      const fill = () => client.submit({ source_addr: '12025550199', destination_addr: '12025550100', short_message: Buffer.from('Hi') },
        async ({ kind }) => { console.log(kind); await client.stop(); await centre.stop(); });`,
    instead: [["host: 'smsc.example', port: 3550, tls: true", "host: '127.0.0.1', port: centre.port, tls: false"]],
    prints: 'response\n',
  },
  {
    file: smpp,
    begins: 'onRequest: (request) => {',
    before: `import { isReceipt, parseReceipt, status } from '@heliograph/smpp';
      const save = async () => {};
      const handlers = {`,
    after: `};
      const short_message = Buffer.from('id:7 sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:');
      handlers.onRequest({ pdu: { command: 'deliver_sm', esm_class: 4, short_message, tlvs: [] }, respond: (code) => console.log(code) });`,
    prints: '0\n',
  },
  {
    file: smpp,
    begins: 'const server = createServer(',
    instead: [["listen(2775, '0.0.0.0')", "listen(0, '127.0.0.1')"]],
    before: `import { createServer, status } from '@heliograph/smpp';
      const known = (system_id, password) => system_id === 'heliograph' && password === 'sandbox';
      const newId = () => 'm-1';`,
    after: `${submitSm('port').replace(', resolve)', ', (outcome) => { console.log(outcome.pdu.message_id); resolve(); })')}
      await globalThis.peer.stop();\nawait server.close();`,
    prints: 'm-1\n',
  },
  {
    file: smpp,
    begins: 'import { readContent, textToParts }',
    before: `const sent = [];
      const done = () => {};
      const client = { submit: (fields) => sent.push(fields) };
      const pdu = { command: 'deliver_sm', esm_class: 0, data_coding: 0, short_message: Buffer.from('Hi'), tlvs: [] };`,
    after: 'console.log(made.encoding, sent.length, text, encoding);',
    prints: 'GSM-7 3 Hi GSM-7\n',
  },
  {
    file: 'packages/text/README.md',
    begins: 'import { concatUdh, countSegments',
    after:
      'console.log(encoding, parts.map(({ units }) => units), forcing[0].indexes.slice(0, 3), header.ok, header.concat.sequence);',
    prints: 'UCS-2 [ 67, 29 ] [ 2, 14, 26 ] true 2\n',
  },
];

/** Addresses of the started test message centre. */
interface Ports {
  http: string;
  smpp: string;
  mm7: string;
}

const runFolder = fileURLToPath(new URL('../packages/gateway/', import.meta.url));
const sandboxProgram = fileURLToPath(new URL('../packages/sandbox/bin/heliograph-sandbox.js', import.meta.url));
const anyPorts = ['--smpp-port', '0', '--mm7-port', '0', '--mm4-port', '0', '--http-port', '0'];
const blocks = packageBlocks();

let gateway: SandboxGateway;
let messageId: string;
let cat: string;
let messageCentre: ChildProcess;
let card = '';
let ports: Ports;
beforeAll(async () => {
  gateway = await startSandbox();
  cat = (await phoneJpeg(64, 48)).toString('base64');
  messageId = await gateway.text('12025550100', 'Hello');
  await gateway.until(messageId, ['delivered']);
  messageCentre = spawn(process.execPath, [sandboxProgram, ...anyPorts]);
  for await (const bytes of messageCentre.stdout!) {
    card += bytes;
    if (card.includes('/handsets\n')) break;
  }
  const at = (pattern: RegExp) => pattern.exec(card)![1]!;
  ports = { http: at(/handsets {2}http:\/\/(\S+)\/handsets/), smpp: at(/SMPP +\S+:(\d+)/), mm7: at(/MM7 +(\S+)/) };
});
afterAll(async () => {
  if (messageCentre?.exitCode === null) {
    messageCentre.kill('SIGTERM');
    await once(messageCentre, 'exit');
  }
  await gateway?.stop();
});

function run(command: string, args: string[]): Promise<{ code: number; out: string; error: string }> {
  const env = {
    ...bareEnv(),
    HELIO_URL: gateway.url,
    HELIO_AUTH_TOKEN: gateway.credentials.authToken,
    HELIO_BEARER_TOKEN: gateway.credentials.bearerToken,
  };
  return new Promise((resolve) => {
    execFile(command, args, { cwd: runFolder, env, timeout: 60_000 }, (fault, out, error) =>
      resolve({ code: fault === null ? 0 : Number(fault.code ?? -1), out, error }),
    );
  });
}

/** Runs as a module of the workspace, which finds the packages. */
async function runProgram(program: string) {
  const file = join(runFolder, `package-block-${process.pid}.mts`);
  onTestFinished(() => rmSync(file, { force: true }));
  writeFileSync(file, program);
  return run(process.execPath, [file]);
}

const inLanguage = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map((block): [string, DocBlock] => [`${block.file}:${block.line}`, block]);

describe("code blocks of the packages' READMEs", () => {
  it('are of a language that runs here', () => {
    expect(blocks.length).toBeGreaterThan(15);
    expect(blocks.filter(({ language }) => !['ts', 'sh', ''].includes(language))).toEqual([]);
  });

  it.each(inLanguage('ts'))('%s', async (_place, { file, text }) => {
    const entries = around(gateway, messageId, cat, ports);
    const entry = entries.find((one) => one.file === file && text.startsWith(one.begins));
    if (entry === undefined) throw new Error('nothing is known of what stands around this block');
    let edited = text;
    for (const [shown, here] of entry.instead ?? []) {
      expect(edited).toContain(shown);
      edited = edited.replaceAll(shown, here);
    }
    const { before = '', after = '', prints } = entry;
    const ran = await runProgram(`${before}\n${edited}\n${after}\n`);
    expect({ code: ran.code, error: ran.error }).toEqual({ code: 0, error: '' });
    if (prints !== undefined)
      expect(ran.out).toEqual(typeof prints === 'string' ? prints : expect.stringMatching(prints));
  });

  it('exist for every entry', () => {
    const gone = around(gateway, messageId, cat, ports).filter(
      ({ file, begins }) => !blocks.some((block) => block.file === file && block.text.startsWith(begins)),
    );
    expect(gone).toEqual([]);
  });

  it.each(inLanguage('sh'))('%s', async (_place, { text }) => {
    // This program was started above, with free ports.
    if (text === 'npx heliograph-sandbox\n') return expect(messageCentre.exitCode).toBeNull();
    expect(await runProgram(`${submitSm(ports.smpp)}\nawait globalThis.peer.stop();`)).toMatchObject({
      code: 0,
      error: '',
    });
    // The handset has the text when its receipt goes out, 0.4 s later.
    const messages = () => fetch(`http://${ports.http}/handsets/12025550100/messages`).then((answer) => answer.text());
    await vi.waitFor(async () => expect(await messages()).toContain('Hello'), { timeout: 60_000, interval: 50 });
    const { code, out } = await run('bash', ['-euc', text.replaceAll('127.0.0.1:8088', ports.http)]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).not.toHaveProperty('error');
  });

  it.each(inLanguage(''))('%s is what the program prints, but for the ports', (_place, { text }) => {
    const withoutPorts = (printed: string) => printed.replaceAll(/(?<=127\.0\.0\.1:)\d+/g, 'PORT');
    expect(withoutPorts(card)).toBe(withoutPorts(text));
  });
});
