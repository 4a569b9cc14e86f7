/**
 * The client as published, in a folder without the repository: it loads by `import` and by `require`, under the pinned
 * Node and the one on the path, and TypeScript finds its types from both kinds of module.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(checkout, 'node_modules/typescript/bin/tsc');

let folder: string;
let installed: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'helio-client-'));
  const packed = join(folder, 'packed');
  execFileSync(process.execPath, [join(checkout, 'packages/gateway/release.js'), packed, '--only', 'client'], {
    stdio: 'ignore',
  });
  installed = join(folder, 'node_modules/@heliograph/client');
  mkdirSync(installed, { recursive: true });
  const [tarball] = readdirSync(packed);
  execFileSync('tar', ['xzf', join(packed, tarball!), '-C', installed, '--strip-components=1']);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The pinned Node, and the first one on the path outside this checkout, because users have other versions. */
const nodes = [
  process.execPath,
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .filter((place) => !place.includes('node_modules'))
    .map((place) => join(place, 'node'))
    .filter((place) => existsSync(place))
    .slice(0, 1),
];

const doors = {
  '@heliograph/client': ['Heliograph', 'HeliographError', 'usageGroupings', 'webhooks'],
  '@heliograph/client/testing': ['createSandbox', 'sandbox'],
};

const run = (node: string, file: string, code: string): string => {
  writeFileSync(join(folder, file), code);
  // A clean environment: HELIO_… or a loader of the test runner would hide a fault.
  return execFileSync(node, [file], { cwd: folder, env: { PATH: process.env.PATH }, encoding: 'utf8' });
};

describe.each(nodes)('with %s', (node) => {
  it.each(Object.entries(doors))('%s is loaded by require and by import', (name, names) => {
    const print = `console.log(JSON.stringify([${names.map((one) => `typeof door.${one}`)}]))`;
    const required = run(node, 'program.cjs', `const door = require('${name}'); ${print}`);
    const imported = run(node, 'program.mjs', `import * as door from '${name}'; ${print}`);
    expect(JSON.parse(required)).not.toContain('undefined');
    expect(required).toBe(imported);
  });

  it('signs and verifies the same in both', () => {
    const code = `
      const secret = 'whsec_' + Buffer.alloc(32, 7).toString('base64');
      const body = JSON.stringify({ type: 'webhook.test', timestamp: '2026-01-01T00:00:00.000Z', data: {} });
      const headers = webhooks.sign({ id: 'evt_1', body, secret });
      console.log(webhooks.verify(body, headers, secret).type);`;
    const required = run(node, 'sign.cjs', `const { webhooks } = require('@heliograph/client');${code}`);
    const imported = run(node, 'sign.mjs', `import { webhooks } from '@heliograph/client';${code}`);
    expect([required, imported]).toEqual(['webhook.test\n', 'webhook.test\n']);
  });
});

describe('TypeScript', () => {
  const source = `
    import { Heliograph, HeliographError, type SendAnswer, type Usage } from '@heliograph/client';
    import { createSandbox } from '@heliograph/client/testing';

    export async function send(helio: Heliograph): Promise<SendAnswer> {
      return await helio.sendSMS({ from: '12025550199', to: ['12025550100'], text: 'Hi' });
    }
    export const usage = (helio: Heliograph): Promise<Usage> => helio.usage.get({ groupBy: 'day' });
    export const isRefused = (error: unknown): boolean => error instanceof HeliographError && error.status === 400;
    export const handset = createSandbox({ baseUrl: 'http://localhost', bearerToken: 'b', authToken: 'a' }).handset('1');
  `;
  const check = (file: string, code: string, ...options: string[]): string => {
    writeFileSync(join(folder, file), code);
    const strict = ['--noEmit', '--strict', '--target', 'es2022', '--types', ''];
    try {
      return execFileSync(process.execPath, [tsc, ...strict, ...options, file], { cwd: folder, encoding: 'utf8' });
    } catch (error) {
      return String((error as { stdout?: string }).stdout);
    }
  };

  it.each([
    ['node16', 'app.cts'],
    ['node16', 'app.mts'],
    ['nodenext', 'app.cts'],
    ['nodenext', 'app.mts'],
  ])('module %s: %s finds the types of its own kind of module', (module, file) => {
    expect(check(file, source, '--module', module)).toBe('');
    expect(check(file, `${source}\nvoid new Heliograph({ baseUrl: 7 });`, '--module', module)).toContain(
      "Type 'number' is not assignable to type 'string'",
    );
  });

  it('moduleResolution bundler', () => {
    expect(check('app.ts', source, '--module', 'preserve', '--moduleResolution', 'bundler')).toBe('');
  });
});

it('names only files that it contains', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const named = JSON.stringify(manifest).match(/\.\/dist\/[^"]+/g)!;
  expect(named.length).toBeGreaterThanOrEqual(11);
  expect(named.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  expect(manifest).not.toHaveProperty('scripts');
  expect(manifest).not.toHaveProperty('dependencies');
});
