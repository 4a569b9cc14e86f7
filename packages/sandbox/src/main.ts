/** `heliograph-sandbox` as a process: starts the message centre, prints where it listens, and stops at a signal. */
import { readFileSync } from 'node:fs';
import { type Control, startControl } from './control.ts';
import type { Logger } from './machine.ts';
import { help, readCommandLine, type Settings } from './options.ts';
import type { Said } from './said.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { atPort } from './servers.ts';

const wrongUseExitCode = 64;
const failedExitCode = 1;

/** Runs until SIGTERM or SIGINT; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  // The reader of our output may close it (`heliograph-sandbox | head`).
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const command = readCommandLine(args);
  switch (command.kind) {
    case 'help':
      return print(help, 0);
    case 'version':
      return print(`${version()}\n`, 0);
    case 'wrong':
      return complain(`${command.sentence} See: heliograph-sandbox --help`, wrongUseExitCode);
    case 'start':
      return await run(command.settings);
  }
}

async function run(settings: Settings): Promise<number> {
  const stopped = signalled();
  let sandbox: Sandbox | undefined;
  let control: Control;
  try {
    sandbox = await start(settings);
    control = await startControl(sandbox, { host: settings.host, port: settings.httpPort });
  } catch (error) {
    await sandbox?.stop();
    return complain(whyNot(error as NodeJS.ErrnoException), failedExitCode);
  }
  print(card(settings, sandbox, control), 0);
  if (!/^(127\.|::1$|localhost$)/.test(settings.host)) {
    complain(`There is no login: anyone who reaches ${settings.host} can read and change this sandbox.`, 0);
  }
  await stopped;
  sandbox.endWaits();
  await control.stop();
  await sandbox.stop();
  return 0;
}

function start({ host, quiet, ...settings }: Settings): Promise<Sandbox> {
  return startSandbox({
    host,
    exactPorts: true,
    preferredPort: settings.smppPort,
    system_id: settings.system_id,
    password: settings.password,
    mm7: {
      preferredPort: settings.mm7Port,
      username: settings.mm7Username,
      password: settings.mm7Password,
      gateway: () => settings.mm7To,
    },
    mm4: {
      preferredPort: settings.mm4Port,
      ownDomain: settings.mm4Domain,
      peerDomain: settings.mm4PeerDomain,
      gateway: () => settings.mm4To,
    },
    logger,
    ...(!quiet && { said: (message: Said) => void print(`${lineOf(message)}\n`, 0) }),
  });
}

/** Messages for the operator go to stderr. */
const logger: Logger = {
  debug: () => {},
  info: (fields, message) => void complain(logLine(fields, message), 0),
  warn: (fields, message) => void complain(logLine(fields, message), 0),
  error: (fields, message) => void complain(logLine(fields, message), 0),
};

function logLine(fields: object, message = ''): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${value instanceof Error ? value.message : value}`,
  );
  return [message, ...shown].join(' ');
}

function card(settings: Settings, { port, mm7, mm4 }: Sandbox, { url }: Control): string {
  const { host, system_id, mm7To, mm4To } = settings;
  const to = (target: string | undefined, option: string): string => target ?? `nowhere (${option})`;
  return `Test message centre. Stop it with Ctrl+C.
  SMPP      ${atPort(host, port)}  system_id ${system_id}
  MM7       ${mm7.url}  reports and replies to ${to(mm7To?.url, '--mm7-to')}
  MM4       ${atPort(mm4.host, mm4.port)}  for ${settings.mm4Domain}, reports and replies to ${to(mm4To ? atPort(mm4To.host, mm4To.port) : undefined, '--mm4-to')}
  handsets  ${url}/handsets
`;
}

/** One line for a message on the wire. */
function lineOf({ link, direction, command, sequence, status, own, handset, messageId, text }: Said): string {
  const arrow = direction === 'to_carrier' ? '→' : '←';
  const pair = handset == null ? [] : direction === 'to_carrier' ? [own, handset] : [handset, own];
  const parts = [
    sequence && `#${sequence}`,
    pair.length > 0 && pair.join(' to '),
    status,
    messageId && `id ${messageId}`,
  ];
  const line = [link, arrow, command, ...parts.filter(Boolean), ...(text == null ? [] : [JSON.stringify(text)])];
  // Text from a peer must not control the terminal.
  return line.join(' ').replace(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
}

function whyNot({ code, message, ...error }: NodeJS.ErrnoException): string {
  const { address, port } = error as { address?: string; port?: number };
  const where = `port ${port} of ${address}`;
  if (code === 'EADDRINUSE') return `Cannot listen on ${where}: it is in use. Choose another; 0 takes any free port.`;
  if (code === 'EACCES') return `Cannot listen on ${where}: ports below 1024 need a privilege.`;
  if (code === 'EADDRNOTAVAIL') return `Cannot listen on ${address}: this machine has no such address.`;
  return `Cannot start: ${message}`;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** The first signal stops in order; the second ends the process at once, as without a handler. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

function print(text: string, exitCode: number): number {
  process.stdout.write(text);
  return exitCode;
}

function complain(sentence: string, exitCode: number): number {
  process.stderr.write(`${sentence}\n`);
  return exitCode;
}
