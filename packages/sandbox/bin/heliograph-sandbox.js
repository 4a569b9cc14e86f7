#!/usr/bin/env node
/**
 * The `heliograph-sandbox` command. Plain JavaScript, so that a Node that is too old gets a sentence, not a syntax
 * error.
 */
import { existsSync } from 'node:fs';

/** The first Node that runs TypeScript directly. */
const nodeMajorMin = 24;
const badConfigurationExitCode = 78;

const source = new URL('../src/main.ts', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
  process.stderr.write(`heliograph-sandbox needs Node ${nodeMajorMin} or newer; this is ${process.version}.\n`);
  process.exitCode = badConfigurationExitCode;
} else {
  // A release holds only the built files; where the source lies beside them, it is used.
  const { main } = await import(existsSync(source) ? source : new URL('../dist/main.js', import.meta.url));
  process.exitCode = await main(process.argv.slice(2));
}
