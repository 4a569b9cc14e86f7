import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The packages of protocols that a program loads which imports this file of the gateway. */
function protocolsOf(...paths: string[]): string[] {
  const urls = paths.map((path) => new URL(path, import.meta.url).href);
  const script = `
    import { registerHooks } from 'node:module';
    const found = new Set();
    registerHooks({
      load(url, context, next) {
        const [name] = url.match(/packages\\/(smpp|mms)\\/src\\/index\\.ts|node_modules\\/(undici|nodemailer|smtp-server|fast-xml-parser)\\//) ?? [];
        if (name !== undefined) found.add(name);
        return next(url, context);
      },
    });
    for (const url of ${JSON.stringify(urls)}) await import(url);
    console.log(JSON.stringify([...found].sort()));
  `;
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as string[];
}

it('records files are read without a protocol library', () => {
  expect(protocolsOf('./kinds.ts', '../records/apply.ts', '../cli/apply.ts')).toEqual([]);
});

it('would notice: opening the adapters loads them', () => {
  expect(protocolsOf('./smpp/adapter.ts', './mm7/adapter.ts')).toContain('packages/smpp/src/index.ts');
});
