/**
 * `helio listen`: shows the account's events as they happen, and posts them to a server on this machine. It changes
 * nothing at the gateway: endpoints get their deliveries as before.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Heliograph } from '@heliograph/client';
import { badConfigurationExitCode } from '../app/config.ts';
import type { Clock, Random } from '../kernel/clock.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import type { Secret } from '../kernel/secret.ts';
import { eventTypeProblem } from './event-type.ts';
import { createForward, type Forward } from './forward.ts';
import { gatewayAccess, withGateway } from './gateway-access.ts';
import { type CursorFile, cursorFile, listenSecret } from './listen-files.ts';
import { createListenLines, type ListenLines } from './listen-lines.ts';
import { exitCodes, type Terminal } from './terminal.ts';

export interface ListenFlags {
  forwardTo?: string;
  types?: string;
  from?: string;
  resume?: boolean;
  printSecret?: boolean;
  json?: boolean;
}

export interface ListenParts {
  clock: Clock;
  random: Random;
  /** Pauses; shorter when `signal` aborts. Keeps the process alive. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Aborts after enough events. */
  enough: AbortSignal;
}

/** How long one call waits at the gateway for the next event. */
const waitSeconds = 25;

/** Listens until Ctrl+C, which ends it with success. */
export async function listen(flags: ListenFlags, terminal: Terminal): Promise<number> {
  const controller = new AbortController();
  const end = () => controller.abort();
  // The listeners stay until the end: terminal and launcher may both pass the same signal on.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, end);
  const wait: ListenParts['wait'] = (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined);
  return listenWith(flags, terminal, { clock: machineClock, random: machineRandom, wait, enough: controller.signal });
}

export async function listenWith(flags: ListenFlags, terminal: Terminal, parts: ListenParts): Promise<number> {
  const types = flags.types?.split(',').map((type) => type.trim());
  const problem = flagProblem(flags, types);
  if (problem !== null) {
    terminal.error(problem);
    return exitCodes.usage;
  }
  const access = gatewayAccess(terminal);
  if (access === null) return badConfigurationExitCode;
  const secret = listenSecret(access.folder, parts.random);
  if (typeof secret === 'string') {
    terminal.error(`${secret}\n`);
    return badConfigurationExitCode;
  }
  if (flags.printSecret === true) {
    terminal.out(`${secret.reveal()}\n`);
    return exitCodes.ok;
  }
  const kept = flags.resume === true ? cursorFile(access.folder, access.baseUrl) : null;
  const lines = createListenLines(terminal, { ...flags, clock: parts.clock });
  const options = { wait: parts.wait, random: parts.random.fraction, hooks: { onRetry: lines.lost } };
  return withGateway(access, terminal, options, async (helio) => {
    const after = startAt(flags, kept, terminal);
    const forward = forwardTo(flags, secret, parts, lines);
    await follow(helio, { after, types, kept, forward, lines, enough: parts.enough });
    return exitCodes.ok;
  });
}

/** The error for invalid flags; null for valid ones. */
function flagProblem(flags: ListenFlags, types: readonly string[] | undefined): string | null {
  const wrong = (sentence: string) => `${sentence}\nNext: helio listen --help\n`;
  if (flags.forwardTo !== undefined && !isTarget(flags.forwardTo)) {
    return wrong('--forward-to takes an http or https URL without user name, such as http://localhost:3000/hooks.');
  }
  if (flags.resume === true && flags.from !== undefined)
    return wrong('--from and --resume cannot both say where to begin.');
  if (flags.from === '') return wrong('--from takes the id of an event, a cursor, or now.');
  for (const type of types ?? []) {
    const problem = eventTypeProblem(type, 'listen --types');
    if (problem !== null) return problem;
  }
  return null;
}

function isTarget(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
}

function startAt({ from = 'now' }: ListenFlags, kept: CursorFile | null, terminal: Terminal): string {
  if (kept === null) return from === 'now' ? 'latest' : from;
  const cursor = kept.read();
  if (cursor === null) terminal.error('Nothing to resume here yet: beginning with what happens from now on.\n');
  return cursor ?? 'latest';
}

function forwardTo({ forwardTo: url }: ListenFlags, secret: Secret, parts: ListenParts, lines: ListenLines): Forward {
  if (url !== undefined)
    return createForward({ url, secret, clock: parts.clock, wait: parts.wait, report: lines.forwarded });
  return async (event) => lines.seen(event);
}

interface Following {
  after: string;
  types: readonly string[] | undefined;
  kept: CursorFile | null;
  forward: Forward;
  lines: ListenLines;
  enough: AbortSignal;
}

/** Handles one event after the other, so that a message's events stay in order. Ends after enough events. */
async function follow(helio: Heliograph, following: Following): Promise<void> {
  const { types, kept, forward, lines, enough: signal } = following;
  // Waits out a lost connection, however long it lasts.
  const options = { signal, maxRetries: Number.POSITIVE_INFINITY };
  let { after } = following;
  try {
    // The first call does not wait: its answer gives the position in the log, and no later event is missed.
    for (let wait = 0; ; wait = waitSeconds) {
      const page = await helio.events.list({ after, types, waitSeconds: wait }, options);
      lines.connected();
      for (const event of page.events) {
        await forward(event, signal);
        kept?.write(event.id);
      }
      after = page.next;
      kept?.write(after);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
