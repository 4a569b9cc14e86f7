/**
 * Stores opened inside a test process run their threads from one bundled file, rebuilt for each run: loading 150
 * modules twice was half the CPU of opening a SQLite store. Gateways that tests start as processes run the sources, as
 * users do.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
const thread = join(root, 'packages/gateway/src/app/store-thread.ts');
/**
 * A fixed path: the next run finds the file in V8's compile cache, and vitest keeps transformed modules between runs.
 */
const bundled = join(root, 'node_modules/.cache/heliograph/store-thread.mjs');
/** The file that names the threads' entry file. */
const opening = '/packages/gateway/src/app/open-store.ts';
const named = "import.meta.url.replace(/open-store(\\.\\w+)$/, 'store-thread$1')";

export function bundledThread(): Plugin {
  let ready: Promise<void> | undefined;
  return {
    name: 'bundled-store-thread',
    // Sees the sources as they are written.
    enforce: 'pre',
    configureVitest({ vitest }) {
      ready ??= writeThread(vitest.config.watch);
      return ready;
    },
    transform(code, id) {
      if (!id.endsWith(opening)) return null;
      if (!code.includes(named))
        throw new Error(`${opening} names its thread in another way: see test/bundled-thread.ts`);
      return { code: code.replace(named, JSON.stringify(pathToFileURL(bundled).href)), map: null };
    },
  };
}

/** While vitest watches, the sources change: then the file only imports them. */
async function writeThread(isWatched: boolean): Promise<void> {
  const code = isWatched ? `import ${JSON.stringify(pathToFileURL(thread).href)};\n` : await bundle();
  mkdirSync(dirname(bundled), { recursive: true });
  // A parallel run may be reading the file.
  writeFileSync(`${bundled}.${process.pid}`, code);
  renameSync(`${bundled}.${process.pid}`, bundled);
}

async function bundle(): Promise<string> {
  const made = await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: thread, write: false, minify: false, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const [output] = [made].flat();
  if (output === undefined || !('output' in output)) throw new Error('the threads of the store were not bundled');
  return output.output[0].code;
}
