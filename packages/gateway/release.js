/**
 * Makes the packages as they are published: `node packages/gateway/release.js [FOLDER] [--only NAME]` leaves one .tgz of each
 * in FOLDER (`dist/` of the checkout unless told). TypeScript becomes JavaScript with its declarations, as no Node reads
 * TypeScript below node_modules. The gateway's carries all that it needs of this repository: the sister packages, the built
 * portal with the documentation; beside it lies its bill of materials (`heliograph-….cdx.json`). The client's
 * can be loaded by `require` too. The same sources give the same bytes. It checks nothing: that is `npm run check`, which
 * comes before.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSbom } from './sbom.js';

const gateway = dirname(fileURLToPath(import.meta.url));
const packages = dirname(gateway);
const checkout = dirname(packages);
/** Each only needs those before it. */
const allNames = ['text', 'smpp', 'mms', 'client', 'guarded-fetch', 'sandbox', 'gateway'];
const testFiles = ['*.test.ts', '*-fixture.ts', '*.contract.ts', 'contract/*'];
const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const names = values.only === undefined ? allNames : [values.only];
const out = resolve(positionals[0] ?? join(checkout, 'dist'));
const work = mkdtempSync(join(tmpdir(), 'helio-release-'));

function node(...args) {
  execFileSync(process.execPath, args, { cwd: checkout, stdio: ['ignore', process.stderr, 'inherit'] });
}

function readManifest(name) {
  return JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Sources of the folders below `root` into folders of the same name below `outDir`. */
function compile(root, folders, outDir, more = {}) {
  const config = join(work, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, noCheck: true, declaration: true, rootDir: root, outDir },
    ...{ typeRoots: [join(checkout, 'node_modules/@types')], ...more },
  };
  const include = folders.map((folder) => join(root, folder, 'src'));
  const exclude = testFiles.map((pattern) => join(root, '*/src/**', pattern));
  writeJson(config, { extends: join(checkout, 'tsconfig.json'), compilerOptions, include, exclude });
  node(join(checkout, 'node_modules/typescript/bin/tsc'), '-p', config);
}

/** The same sources for `require`: what a file is, Node and TypeScript read from the package.json above it. */
function compileForRequire(name, folder) {
  const root = join(work, 'commonjs');
  const mark = { type: 'commonjs' };
  cpSync(join(packages, name, 'src'), join(root, name, 'src'), { recursive: true });
  writeJson(join(root, name, 'package.json'), mark);
  compile(root, [name], join(work, 'built-commonjs'), { verbatimModuleSyntax: false });
  renameSync(join(work, 'built-commonjs', name, 'src'), folder);
  writeJson(join(folder, 'package.json'), mark);
}

/** `./src/index.ts` becomes what was built of it. */
function built(path, folder, ending) {
  return path.replace(/^\.\/src\//, `./${folder}/`).replace(/\.ts$/, ending);
}

function entryPoint(path, folder) {
  return { types: built(path, folder, '.d.ts'), default: built(path, folder, '.js') };
}

function published({ scripts: _scripts, devDependencies: _dev, exports: sources = {}, ...manifest }, extra = []) {
  const exports = Object.entries(sources).map(([name, path]) => [name, entryPoint(path, 'dist')]);
  return {
    ...manifest,
    ...(exports.length > 0 && { exports: Object.fromEntries(exports) }),
    files: ['dist', ...(manifest.bin === undefined ? [] : ['bin']), ...extra],
  };
}

/** Both kinds of module, each with its types; `main` and `typesVersions` are for tools that read no `exports`. */
function publishedTwice(manifest) {
  const { exports: sources, ...rest } = published(manifest);
  const entryPoints = Object.keys(sources).map((name) => {
    const path = manifest.exports[name];
    return [name, { import: entryPoint(path, 'dist'), require: entryPoint(path, 'dist/cjs') }];
  });
  const others = Object.entries(manifest.exports).filter(([name]) => name !== '.');
  const older = others.map(([name, path]) => [name.replace('./', ''), [built(path, 'dist/cjs', '.d.ts')]]);
  const main = entryPoint(manifest.exports['.'], 'dist/cjs');
  return {
    ...rest,
    main: main.default,
    types: main.types,
    typesVersions: { '*': Object.fromEntries(older) },
    exports: { ...Object.fromEntries(entryPoints), './package.json': './package.json' },
  };
}

/** The sister packages lie inside, with what they need from a registry beside what the gateway needs. */
function publishedWhole(manifest, folder) {
  const own = Object.keys(manifest.dependencies).filter((name) => name.startsWith('@heliograph/'));
  const dependencies = { ...manifest.dependencies };
  for (const name of own) {
    const short = name.replace('@heliograph/', '');
    const { dependencies: needed = {} } = readManifest(short);
    for (const [other, version] of Object.entries(needed)) {
      if (!own.includes(other)) dependencies[other] = version;
    }
    cpSync(join(work, short), join(folder, 'node_modules', name), { recursive: true });
  }
  return {
    ...published({ ...manifest, dependencies }, ['portal', 'LICENSES.txt']),
    bin: { ...manifest.bin, ...binsOf(own) },
    bundleDependencies: own,
  };
}

/** The commands of the packages that lie inside: npm links only those of the outer one. */
function binsOf(own) {
  const bins = own.flatMap((name) =>
    Object.entries(readManifest(name.replace('@heliograph/', '')).bin ?? {}).map(([command, path]) => [
      command,
      `node_modules/${name}/${path}`,
    ]),
  );
  return Object.fromEntries(bins);
}

function licences(folder) {
  return JSON.parse(readFileSync(join(folder, 'portal/licences.json'), 'utf8'));
}

function carryPages(folder) {
  cpSync(join(packages, 'portal/dist'), join(folder, 'portal'), { recursive: true });
  const { packages: parts, texts } = licences(folder);
  const entries = parts.map(({ name, version, licence, text }) => {
    const title = `${name} ${version}: ${licence}`;
    return `${title}\n${'-'.repeat(title.length)}\n\n${text === null ? '(It brings no text.)' : texts[text]}\n`;
  });
  writeFileSync(
    join(folder, 'LICENSES.txt'),
    `What this package carries or needs, with its licences.\n\n${entries.join('\n\n')}`,
  );
}

function stage(name) {
  const source = join(packages, name);
  const folder = join(work, name);
  mkdirSync(folder);
  renameSync(join(work, 'built', name, 'src'), join(folder, 'dist'));
  if (name === 'client') compileForRequire(name, join(folder, 'dist/cjs'));
  if (existsSync(join(source, 'bin'))) cpSync(join(source, 'bin'), join(folder, 'bin'), { recursive: true });
  if (name === 'gateway') carryPages(folder);
  for (const [from, file] of [
    [source, 'README.md'],
    [checkout, 'README.md'],
    [checkout, 'LICENSE'],
  ]) {
    if (existsSync(join(from, file)) && !existsSync(join(folder, file))) cpSync(join(from, file), join(folder, file));
  }
  const manifest = readManifest(name);
  const ways = { client: publishedTwice, gateway: publishedWhole };
  writeJson(join(folder, 'package.json'), ways[name]?.(manifest, folder) ?? published(manifest));
  // The umask of whoever makes it, and of whoever checked it out, must not be in the package.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', folder]);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (name === 'gateway')
    writeJson(join(out, `heliograph-${manifest.version}.cdx.json`), createSbom(licences(folder).packages));
}

try {
  if (names.includes('gateway')) node(join(packages, 'portal/build.js'));
  mkdirSync(out, { recursive: true });
  // All at once: they are each other's sources.
  compile(packages, names, join(work, 'built'));
  for (const name of names) stage(name);
} finally {
  rmSync(work, { recursive: true, force: true });
}
