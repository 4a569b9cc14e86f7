/** `helio start`: runs the gateway until a signal stops it. */
import { spawn } from 'node:child_process';
import { badConfigurationExitCode, readConfig } from '../app/config.ts';
import type { Terminal } from './terminal.ts';
import { printProblems } from './usable-config.ts';

export interface StartFlags {
  open?: boolean;
}

export async function start(flags: StartFlags, terminal: Terminal): Promise<number> {
  const result = readConfig(terminal.env);
  if (!result.ok) {
    printProblems(result, terminal);
    return badConfigurationExitCode;
  }
  const { run } = await import('../app/run.ts');
  // Nothing may be printed above the start card: warnings about settings go to the log.
  const { config, warnings } = result;
  return run(config, { warnings, ...(flags.open === true && { openBrowser: (url) => openBrowser(url, terminal) }) });
}

/** The program that opens a URL, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer'],
};

/** Opens a page in the browser on this machine. A failure is only reported. */
export function openBrowser(url: string, terminal: Pick<Terminal, 'error' | 'env'>, platform = process.platform): void {
  const [command, ...args] = openers[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env: { ...terminal.env } });
  child.once('error', () => terminal.error(`No browser could be opened (${command}). Open the link yourself.\n`));
  child.unref();
}
