import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The protocol packages that a program loads when it imports these files of the gateway and then runs `more`. */
function protocolsOf(paths: string[], more = ''): string[] {
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
    ${more}
    console.log(JSON.stringify([...found].sort()));
  `;
  return printedBy(script) as string[];
}

/** Runs a module in the gateway's folder; returns the JSON that it prints. */
function printedBy(script: string): unknown {
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('records files are read without a protocol library', () => {
  expect(protocolsOf(['./kinds.ts', '../subjects/records/apply.ts', '../cli/apply.ts'])).toEqual([]);
});

it('would notice: opening the adapters loads them', () => {
  expect(protocolsOf(['./smpp/adapter.ts', './mm7/adapter.ts'])).toContain('packages/smpp/src/index.ts');
});

it('carriers load what their own kind needs', () => {
  const open = new URL('./open.ts', import.meta.url).href;
  const load = (kind: string) => `
    const { createAdapters } = await import(${JSON.stringify(open)});
    await createAdapters().load([{ kind: ${JSON.stringify(kind)} }]);
  `;
  expect(protocolsOf([], load('smpp'))).toEqual(['packages/smpp/src/index.ts']);
  expect(protocolsOf([], load('mm4'))).not.toContain('packages/smpp/src/index.ts');
});

it('a gateway loads the libraries of its carriers and of the sandbox when it has them', () => {
  expect(protocolsOf(['../app/main.ts'])).toEqual([]);
});

/** Whether a program that imports these modules loads the HTTP client that is built into Node. */
function loadsFetch(modules: string[]): boolean {
  return printedBy(`
    for (const module of ${JSON.stringify(modules)}) await import(module);
    console.log(process.moduleLoadList.some((name) => name.includes('undici')));
  `) as boolean;
}

it('a gateway starts without the HTTP client of Node, which an import of node:http brings along', () => {
  expect(loadsFetch([new URL('../app/main.ts', import.meta.url).href])).toBe(false);
  expect(loadsFetch(['node:http'])).toBe(true);
});
