/**
 * `helio sandbox …`: handsets, faults and demo traffic of the sandbox, through the public API. Results go to stdout;
 * with `--json` nothing else does. The gateway decides which settings are valid.
 */
import type { Heliograph } from '@heliograph/client';
import { badConfigurationExitCode } from '../app/config.ts';
import { counted } from '../kernel/counted.ts';
import { gatewayAccess, withGateway } from './gateway-access.ts';
import { behaviourPairs, faultPairs, withBehaviour, withFaults } from './sandbox-pairs.ts';
import { exitCodes, type Terminal } from './terminal.ts';

export interface Shape {
  /** One JSON document. */
  json?: boolean;
  /** For lists: one JSON document on each line. */
  jsonl?: boolean;
}

type Work = (helio: Heliograph) => Promise<number>;

function withClient(terminal: Terminal, work: Work): Promise<number> {
  const access = gatewayAccess(terminal);
  return access === null ? Promise.resolve(badConfigurationExitCode) : withGateway(access, terminal, {}, work);
}

export function wrongUsage(terminal: Terminal, sentence: string, command: string): number {
  terminal.error(`${sentence}\nNext: helio sandbox ${command} --help\n`);
  return exitCodes.usage;
}

function list<T>(terminal: Terminal, { json, jsonl }: Shape, rows: readonly T[], line: (row: T) => string): number {
  if (json === true) terminal.out(`${JSON.stringify(rows)}\n`);
  else for (const row of rows) terminal.out(`${jsonl === true ? JSON.stringify(row) : line(row)}\n`);
  return exitCodes.ok;
}

function one<T extends object>(terminal: Terminal, { json }: Shape, value: T, text: string): number {
  terminal.out(json === true ? `${JSON.stringify(value)}\n` : `${text}\n`);
  return exitCodes.ok;
}

export function handsets(shape: Shape, terminal: Terminal): Promise<number> {
  return withClient(terminal, async (helio) =>
    list(terminal, shape, await helio.sandbox.handsets(), ({ number, messages, lastReceivedAt }) =>
      [number, counted(messages, 'message').padEnd(14), lastReceivedAt ?? ''].join('   ').trimEnd(),
    ),
  );
}

/** All messages of a handset, page after page. */
export function messages(number: string, flags: Shape & { sent?: boolean }, terminal: Terminal): Promise<number> {
  return withClient(terminal, async (helio) => {
    const found = [];
    for (let after: string | undefined; ; ) {
      const page = await helio.sandbox[flags.sent === true ? 'sent' : 'messages'](number, { after });
      found.push(...page);
      if (page.length === 0) break;
      after = page.at(-1)?.id;
    }
    return list(terminal, flags, found, ({ receivedAt, from, to, kind, text, media }) => {
      const other = flags.sent === true ? `to ${to}` : `from ${from}`;
      const pictures = media.length > 0 ? `   ${media.length} media` : '';
      return `${receivedAt}   ${other}   ${kind}   ${JSON.stringify(text)}${pictures}`;
    });
  });
}

export function reply(number: string, text: string, flags: Shape & { to?: string }, terminal: Terminal) {
  return withClient(terminal, async (helio) => {
    const queued = await helio.sandbox.reply(number, { text, ...(flags.to !== undefined && { to: flags.to }) });
    const parts = counted(queued.parts, 'part');
    return one(
      terminal,
      flags,
      queued,
      `${queued.from} → ${queued.to}   ${queued.encoding ?? queued.messageType}   ${parts}`,
    );
  });
}

/** Changes only the named settings; without a name it shows all. */
export function set(number: string, pairs: readonly string[], shape: Shape, terminal: Terminal): Promise<number> {
  return withClient(terminal, async ({ sandbox }) => {
    const { number: handset, ...now } = await sandbox.behaviour(number);
    const wanted = withBehaviour(now, pairs);
    if (typeof wanted === 'string') return wrongUsage(terminal, wanted, 'set');
    const { number: _, ...then } =
      pairs.length === 0 ? { ...now, number: handset } : await sandbox.setBehaviour(number, wanted);
    return one(terminal, shape, { number: handset, ...then }, behaviourPairs(then).join('   '));
  });
}

export function faults(pairs: readonly string[], shape: Shape, terminal: Terminal): Promise<number> {
  return withClient(terminal, async ({ sandbox }) => {
    const now = await sandbox.faults();
    const wanted = withFaults(now, pairs);
    if (typeof wanted === 'string') return wrongUsage(terminal, wanted, 'faults');
    const then = pairs.length === 0 ? now : await sandbox.setFaults(wanted);
    const on = faultPairs(then);
    return one(terminal, shape, then, on.length === 0 ? 'no faults' : on.join('   '));
  });
}

export function reset(shape: Shape, terminal: Terminal): Promise<number> {
  return withClient(terminal, async (helio) => {
    await helio.sandbox.reset();
    return one(terminal, shape, {}, 'The handsets are empty, behave normally, and no faults are on.');
  });
}

export function seed(flags: Shape & { demo?: boolean; remove?: boolean }, terminal: Terminal): Promise<number> {
  if ((flags.demo === true) === (flags.remove === true)) {
    return Promise.resolve(wrongUsage(terminal, 'Say --demo or --remove.', 'seed'));
  }
  return withClient(terminal, async ({ sandbox }) => {
    if (flags.remove === true) {
      const { removed } = await sandbox.removeDemo();
      return one(
        terminal,
        flags,
        { removed },
        removed === 0 ? 'There was no demo traffic.' : `${counted(removed, 'demo message')} removed.`,
      );
    }
    if (flags.json !== true) terminal.error('Making up 30 days of traffic …\n');
    const made = await sandbox.seedDemo();
    const since = made.from.slice(0, 10);
    return one(
      terminal,
      flags,
      made,
      `${made.messages} demo messages since ${since}.\nRemove them: helio sandbox seed --remove`,
    );
  });
}
