/** `helio start`: runs the gateway until a signal stops it. */
import { badConfigurationExitCode, readConfig } from '../config.ts';
import { openBrowser } from './open-browser.ts';
import type { Terminal } from './terminal.ts';
import { tellProblems } from './usable-config.ts';

export interface StartFlags {
  open?: boolean;
}

export async function start(flags: StartFlags, terminal: Terminal): Promise<number> {
  const result = readConfig(terminal.env);
  if (!result.ok) {
    tellProblems(result, terminal);
    return badConfigurationExitCode;
  }
  const { run } = await import('../run.ts');
  // Nothing may stand above the start card: warnings about settings go to the log.
  const { config, warnings } = result;
  return run(config, { warnings, ...(flags.open === true && { openBrowser: (url) => openBrowser(url, terminal) }) });
}
