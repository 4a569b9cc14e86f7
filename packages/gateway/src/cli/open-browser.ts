/** Shows a page in the browser of the person at this machine. A failure is only reported. */
import { spawn } from 'node:child_process';
import type { Terminal } from './terminal.ts';

/** What opens a URL, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer'],
};

export function openBrowser(url: string, terminal: Pick<Terminal, 'error' | 'env'>, platform = process.platform): void {
  const [command, ...args] = openers[platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env: { ...terminal.env } });
  child.once('error', () => terminal.error(`No browser could be opened (${command}). Open the link yourself.\n`));
  child.unref();
}
