/** The settings for a command, or the word of what is wrong with them. Every command reads them through here. */
import { type Config, readConfig } from '../config.ts';
import type { Terminal } from './terminal.ts';

/** Null when they cannot be used: everything has been said then, and the exit code is 78. */
export function usableConfig(terminal: Terminal): Config | null {
  const result = readConfig(terminal.env);
  for (const warning of result.warnings) terminal.error(`${warning}\n`);
  if (result.ok) return result.config;
  for (const problem of result.problems) terminal.error(`${problem}\n`);
  terminal.error('Set it right and run the command again. All settings: docs/configuration.md\n');
  return null;
}
