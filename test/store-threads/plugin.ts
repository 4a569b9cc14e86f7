/**
 * Stores opened inside a test process run on threads from one bundled file, rebuilt for each run, and a thread serves one
 * store after the other: starting threads and loading 200 modules was most of the CPU of a test that opens a store.
 * Gateways that tests start as processes, and the short and long suites, run the sources as users do.
 */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { bundled } from './start-thread.ts';

const root = join(import.meta.dirname, '../..');
const thread = join(import.meta.dirname, 'thread.ts');
/** The module that starts threads, and what takes its place. */
const replaced = join(root, 'packages/gateway/src/store/start-thread.ts');
const replacement = join(import.meta.dirname, 'start-thread.ts');

export function storeThreads(): Plugin {
  let ready: Promise<void> | undefined;
  return {
    name: 'store-threads',
    enforce: 'pre',
    configureVitest({ vitest }) {
      if (!existsSync(replaced)) throw new Error(`${replaced} is gone: what takes its place would not be used`);
      ready ??= writeThread(vitest.config.watch);
      return ready;
    },
    load(id) {
      return id === replaced ? `export { startThread } from ${JSON.stringify(replacement)};` : null;
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
