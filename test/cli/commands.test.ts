/** docs/cli.md names every existing command, and no other. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runHelio } from '../../packages/gateway/src/cli/program.ts';

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');

async function help(...args: string[]): Promise<string[]> {
  let text = '';
  const out = (more: string) => {
    text += more;
  };
  const terminal = { out, error: () => {}, env: {} };
  expect(await runHelio([...args, '--help'], terminal)).toBe(0);
  const commands = text.split('\nCommands:\n')[1] ?? '';
  return [...commands.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!).filter((name) => name !== 'help');
}

describe('docs/cli.md', () => {
  it('names every command, and no other', async () => {
    const names: string[] = [];
    for (const name of await help()) {
      const inner = await help(name);
      names.push(...(inner.length === 0 ? [name] : inner.map((one) => `${name} ${one}`)));
    }
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) expect(page, name).toContain(`\`helio ${name}`);
    const documented = [...page.matchAll(/`helio ((?:sandbox |admin |backup )?[a-z][a-z-]*)/g)].map(
      ([, name]) => name!,
    );
    for (const name of documented.filter((one) => one !== 'sandbox')) expect(names, name).toContain(name);
  });
});
