/**
 * Builds the portal into `dist/` unless that was already built from these sources. Concurrent builds are safe: each has
 * its own folder, and the last one to finish replaces `dist/`.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const mark = 'built-from';
const ownFiles = ['index.html', 'vite.config.ts', 'package.json', 'licences.js', 'build.js', '../../package-lock.json'];

function sources() {
  const hash = createHash('sha256');
  const own = ['src', 'public', 'docs', '../text/src', '../../docs'].flatMap((folder) => files(join(here, folder)));
  for (const path of [...own, ...ownFiles.map((name) => join(here, name))]) {
    hash
      .update(`${relative(here, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function builtFrom() {
  try {
    return readFileSync(join(dist, mark), 'utf8');
  } catch {
    return null;
  }
}

/** Smaller files are not worth another file. */
const packedBytesMin = 1_000;

const packedKinds = /\.(css|html|js|json|svg)$/;

/**
 * Packs the files once, here: as small as it gets takes longer than anybody who asks for one should wait. The gateway holds
 * only these in memory. It writes into the first page, which is therefore not packed.
 */
async function pack(folder) {
  const isPacked = (path) => packedKinds.test(path) && path !== join(folder, 'index.html');
  const large = files(folder).filter((path) => isPacked(path) && statSync(path).size >= packedBytesMin);
  await Promise.all(
    large.map(async (path) => writeFileSync(`${path}.br`, await promisify(brotliCompress)(readFileSync(path)))),
  );
}

/** The names of the documentation's script and style, which change with their content. */
function docsAssets({ output }) {
  const entry = output.find(({ type, isEntry, name }) => type === 'chunk' && isEntry && name === 'docs');
  const [style] = entry.viteMetadata.importedCss;
  return { script: `/${entry.fileName}`, style: `/${style}` };
}

/** On a busy machine the other process needs a moment to remove an old build. */
const placeTriesMax = 20;
const placeWaitMs = 100;

/** Another build may replace it at the same moment; it was made from the same sources. */
function takePlace(folder) {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(dist, { recursive: true, force: true });
      renameSync(folder, dist);
      return;
    } catch (error) {
      if (builtFrom() === wanted) return;
      if (tries === placeTriesMax) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, placeWaitMs);
    }
  }
}

// A test runner may have set another value, but users get a production build.
process.env.NODE_ENV = 'production';

const wanted = sources();
if (builtFrom() !== wanted) {
  const startedMs = performance.now();
  process.stderr.write('Building the portal, once …');
  const { build } = await import('vite');
  const { writeDocs } = await import('./docs/pages.js');
  const { writeLicences } = await import('./licences.js');
  const folder = mkdtempSync(join(here, 'dist-'));
  try {
    const built = await build({
      configFile: join(here, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: folder },
    });
    writeDocs(join(here, '../../docs'), join(folder, 'docs'), docsAssets(built));
    writeLicences([here, join(here, '../gateway')], join(folder, 'licences.json'));
    await pack(folder);
    writeFileSync(join(folder, mark), wanted);
    takePlace(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stderr.write(` ${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`);
}
