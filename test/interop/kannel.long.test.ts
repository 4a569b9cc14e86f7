/**
 * The Kannel example of docs/prove.md with a real Kannel (Debian: `kannel`): the command starts, kills and calls it,
 * and its figures match its own evidence. The test does not judge Kannel's results.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../packages/gateway/src/cli/prove/report.ts';
import { bareEnv } from '../props/bare-env.ts';
import { docBlocks } from '../props/doc-blocks.ts';

const launcher = fileURLToPath(new URL('../../packages/gateway/bin/helio.js', import.meta.url));

it('reports the truth about Kannel after a kill', async (ctx) => {
  const needed = 'needs kannel (apt-get install kannel)';
  if (spawnSync('bearerbox', ['--version']).error !== undefined) {
    if (process.env.CI !== undefined) throw new Error(needed);
    ctx.skip(needed);
  }
  const folder = mkdtempSync(join(tmpdir(), 'helio-kannel-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const example = docBlocks().find(({ file, language }) => file === 'docs/prove.md' && language === 'json');
  const peer = join(folder, 'kannel.json');
  const kept = join(folder, 'kept');
  writeFileSync(peer, example!.text);
  const { out, error } = await new Promise<{ out: string; error: string }>((done) => {
    const args = [
      launcher,
      'prove',
      '--json',
      '--peer',
      peer,
      '--keep',
      kept,
      '--faults',
      'kill,restart',
      '--kills',
      '1',
    ];
    execFile(process.execPath, args, { env: bareEnv() }, (_fault, out, error) => done({ out, error }));
  });
  const { gateway, failure, faults, total } = JSON.parse(out) as Report;
  expect([gateway, failure], error).toEqual(['kannel', null]);
  expect(faults.map(({ fault }) => fault)).toEqual(['kill', 'restart']);
  expect(total.acknowledged).toBeGreaterThan(100);
  const linesOf = (name: string) => readFileSync(join(kept, name), 'utf8').trim().split('\n');
  const acknowledged = linesOf('acknowledged.txt').map((line) => line.split('\t')[0]!);
  const copies = new Map<string, number>();
  for (const line of linesOf('arrived.txt')) {
    const [to] = line.split('\t') as [string];
    copies.set(to, (copies.get(to) ?? 0) + 1);
  }
  expect(total).toMatchObject({
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((to) => !copies.has(to)).length,
    doubled: [...copies.values()].filter((count) => count > 1).length,
    flagged: null,
  });
});
