/** Reads the settings for a command, or prints what is wrong with them. Every command uses this. */
import { type Config, type ConfigResult, readConfig } from '../app/config.ts';
import type { Terminal } from './terminal.ts';

/** Null when they cannot be used: the error is already printed, and the exit code is 78. */
export function usableConfig(terminal: Terminal): Config | null {
  const result = readConfig(terminal.env);
  if (!result.ok) {
    printProblems(result, terminal);
    return null;
  }
  for (const warning of result.warnings) terminal.error(`${warning}\n`);
  return result.config;
}

export function printProblems({ problems, warnings }: ConfigResult & { ok: false }, terminal: Terminal): void {
  for (const line of [...warnings, ...problems]) terminal.error(`${line}\n`);
  terminal.error('Set it right and run the command again. All settings: docs/configuration.md\n');
}
