/** `helio start`: runs the gateway until it is told to stop. */
import { badConfigurationExitCode } from '../config.ts';
import type { Terminal } from './terminal.ts';
import { usableConfig } from './usable-config.ts';

export async function start(terminal: Terminal): Promise<number> {
  const config = usableConfig(terminal);
  if (config === null) return badConfigurationExitCode;
  const { run } = await import('../run.ts');
  return run(config);
}
