/**
 * Makes the packages as they are published: `node packages/gateway/release.js [FOLDER]` leaves one .tgz of each in FOLDER
 * (`dist/` of the checkout unless told). TypeScript becomes JavaScript with its declarations, as no Node reads TypeScript
 * below node_modules; the gateway carries the built portal and the pages of the documentation. It checks nothing: that is
 * `npm run check`, which comes before.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const gateway = dirname(fileURLToPath(import.meta.url));
const packages = dirname(gateway);
const checkout = dirname(packages);
/** Each only needs those before it. */
const names = ['text', 'smpp', 'mms', 'client', 'gateway'];
const testFiles = ['*.test.ts', '*-fixture.ts', '*.contract.ts', 'contract/*'];

const out = resolve(process.argv[2] ?? join(checkout, 'dist'));
const work = mkdtempSync(join(tmpdir(), 'helio-release-'));

function node(...args) {
  execFileSync(process.execPath, args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** All at once: they are each other's sources. */
function compile() {
  const config = join(work, 'tsconfig.json');
  const compilerOptions = {
    ...{ noEmit: false, noCheck: true, declaration: true, rootDir: packages, outDir: join(work, 'built') },
    ...{ typeRoots: [join(checkout, 'node_modules/@types')] },
  };
  const include = names.map((name) => join(packages, name, 'src'));
  const exclude = testFiles.map((pattern) => join(packages, '*/src/**', pattern));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(checkout, 'tsconfig.json'), compilerOptions, include, exclude }),
  );
  node(join(checkout, 'node_modules/typescript/bin/tsc'), '-p', config);
}

/** `./src/index.ts` becomes what was built of it. */
function published({ scripts: _scripts, devDependencies: _dev, ...manifest }, extra) {
  const built = (path, ending) => path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, ending);
  const exports = Object.entries(manifest.exports ?? {}).map(([door, path]) => [
    door,
    { types: built(path, '.d.ts'), default: built(path, '.js') },
  ]);
  return {
    ...manifest,
    ...(exports.length > 0 && { exports: Object.fromEntries(exports) }),
    files: ['dist', ...extra],
  };
}

function stage(name) {
  const source = join(packages, name);
  const folder = join(work, name);
  mkdirSync(folder);
  renameSync(join(work, 'built', name, 'src'), join(folder, 'dist'));
  const extra = [];
  if (name === 'gateway') {
    cpSync(join(source, 'bin'), join(folder, 'bin'), { recursive: true });
    cpSync(join(packages, 'portal/dist'), join(folder, 'portal'), { recursive: true });
    extra.push('bin', 'portal');
  }
  for (const [from, file] of [
    [source, 'README.md'],
    [checkout, 'README.md'],
    [checkout, 'LICENSE'],
  ]) {
    if (existsSync(join(from, file)) && !existsSync(join(folder, file))) cpSync(join(from, file), join(folder, file));
  }
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(manifest, extra), null, 2)}\n`);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', out], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

try {
  node(join(packages, 'portal/build.js'));
  mkdirSync(out, { recursive: true });
  compile();
  for (const name of names) stage(name);
} finally {
  rmSync(work, { recursive: true, force: true });
}
