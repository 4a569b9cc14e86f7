#!/usr/bin/env node
/** The `heliograph-sandbox` command. Plain JavaScript, so that a Node that is too old is told so in a sentence. */
import { existsSync } from 'node:fs';

/** The first that reads TypeScript as it is. */
const nodeMajorMin = 24;
const badConfigurationExitCode = 78;

const source = new URL('../src/main.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
  process.stderr.write(`heliograph-sandbox needs Node ${nodeMajorMin} or newer; this is ${process.version}.\n`);
  process.exitCode = badConfigurationExitCode;
} else {
  // A release holds only what was built; where the source lies beside it, the source is what counts.
  const { main } = await import(existsSync(source) ? source : new URL('../dist/main.js', import.meta.url));
  process.exitCode = await main(process.argv.slice(2));
}
