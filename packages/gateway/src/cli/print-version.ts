/** `helio version`: prints the installed version. */
import { version } from '../kernel/version.ts';
import { exitCodes, type Terminal } from './terminal.ts';

const facts = { version, node: process.versions.node, platform: `${process.platform}-${process.arch}` };

export function versionLine(): string {
  return `Heliograph ${facts.version}   Node ${facts.node}   ${facts.platform}`;
}

export function printVersion(flags: { json?: boolean }, terminal: Terminal): number {
  terminal.out(`${flags.json === true ? JSON.stringify(facts) : versionLine()}\n`);
  return exitCodes.ok;
}
