/** Peer files: how placeholders and templates are filled in, and the error for each mistake. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { docBlocks } from '../../../../../test/props/doc-blocks.ts';
import { readPeer } from './peer.ts';

const places = { run: '/scratch/run', sink: 2_775, window: 10, home: '/home' };
const small = {
  name: 'toy',
  start: [['toy', '--port', '@PORT@']],
  ready_port: '@PORT@',
  url_port: '@PORT@',
  single: { path: '/send?to={to}' },
};

function read(content: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'helio-peer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'peer.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readPeer(file, places);
}

it('fills in places, and one free port for each name, wherever it stands', async () => {
  const peer = await read({
    ...small,
    files: { 'toy.conf': ['centre = @SINK@', 'box = @PORT2@'] },
    setup: ['mkdir @RUN@/spool'],
    start: [['toy', '--port', '@PORT@'], { run: 'toy-box --window @WINDOW@', after_port: '@PORT2@' }],
    env: { TOY: '@HOME@' },
  });
  const [main, box] = peer.start;
  expect(main).toEqual({ command: ['toy', '--port', String(peer.port)], afterPort: null });
  expect(box).toEqual({ command: ['sh', '-c', 'toy-box --window 10'], afterPort: expect.any(Number) });
  expect(box!.afterPort).not.toBe(peer.port);
  expect(peer).toMatchObject({
    files: [{ path: '/scratch/run/toy.conf', text: `centre = 2775\nbox = ${box!.afterPort}\n` }],
    setup: [{ command: ['sh', '-c', 'mkdir /scratch/run/spool'] }],
    env: { TOY: '/home' },
    readyPort: peer.port,
    records: null,
  });
});

it('writes requests by the template', async () => {
  const get = await read(small);
  expect(get.request('49123', '7')).toEqual({ method: 'GET', path: '/send?to=49123', headers: [], body: null });
  const single = {
    method: 'POST',
    path: '/x',
    header: 'Authorization: Bearer a: b',
    body: '{"to":"{to}","n":"{mid}"}',
  };
  const post = (await read({ ...small, single })).request('49123', '7');
  expect(post).toMatchObject({ method: 'POST', path: '/x', body: '{"to":"49123","n":"7"}' });
  expect(post.headers).toContainEqual(['Authorization', 'Bearer a: b']);
});

it('takes any 2xx for an acknowledgement, or only answers that fit', async () => {
  const any = await read(small);
  expect([200, 202, 302, 503].map((status) => any.acknowledged(status, ''))).toEqual(['', '', null, null]);
  const some = await read({ ...small, single: { ...small.single, accepted: '^0: ' } });
  expect(some.acknowledged(202, '0: Accepted')).toBe('');
  expect(some.acknowledged(202, '2: Unknown')).toBeNull();
});

it('reads the file of our own benchmarks', async () => {
  const file = fileURLToPath(new URL('../../../../../bench/peer/heliograph.json', import.meta.url));
  expect(await readPeer(file, places)).toMatchObject({ name: 'heliograph', port: 18_100 });
});

it('reads the example of the documentation', async () => {
  const example = docBlocks().find(({ file, language }) => file === 'docs/prove.md' && language === 'json');
  const { name, start, port } = await read(example!.text);
  expect([name, start.map(({ command }) => command[0])]).toEqual(['kannel', ['bearerbox', 'smsbox']]);
  expect(port).toBeGreaterThan(0);
});

it.each([
  ['{', /cannot be read as JSON/],
  [{ ...small, start: undefined }, /must have required property 'start'/],
  [{ ...small, start: [] }, /start must NOT have fewer than 1 items/],
  [{ ...small, strat: [] }, /additional properties: strat/],
  [{ ...small, single: { path: '/send' } }, /no \{to\}/],
  [{ ...small, single: { ...small.single, accepted: '(' } }, /single.accepted is no regular expression/],
  [{ ...small, single: { ...small.single, header: 'no colon' } }, /it takes lines such as/],
  [{ ...small, url_port: 'eighty' }, /url_port is "eighty"; it takes a port/],
  [{ ...small, env: { A: '@SNIK@' } }, /no placeholder @SNIK@/],
])('refuses %j', async (content, sentence) => {
  await expect(read(content)).rejects.toThrow(sentence);
});

it('refuses a file that is not there', async () => {
  await expect(readPeer('/nowhere/peer.json', places)).rejects.toThrow('There is no file /nowhere/peer.json.');
});
