/** `helio version`: what runs here. */
import { version } from '../version.ts';
import { exitCodes, type Terminal } from './terminal.ts';

export function printVersion(flags: { json?: boolean }, terminal: Terminal): number {
  const facts = { version, node: process.versions.node, platform: `${process.platform}-${process.arch}` };
  terminal.out(
    flags.json === true
      ? `${JSON.stringify(facts)}\n`
      : `Heliograph ${facts.version}   Node ${facts.node}   ${facts.platform}\n`,
  );
  return exitCodes.ok;
}
