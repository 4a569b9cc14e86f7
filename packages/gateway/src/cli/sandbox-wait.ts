/**
 * `helio sandbox wait`: waits for a message on a handset that matches a pattern, and prints the match. For tests in any
 * language: `code=$(helio sandbox wait --to 12025550100 --match 'code (\d+)')`.
 */
import type { Heliograph } from '@heliograph/client';
import type { HandsetMessage } from '@heliograph/client/testing';
import { badConfigurationExitCode } from '../app/config.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { durationMs } from './duration.ts';
import { gatewayAccess, withGateway } from './gateway-access.ts';
import { wrongUsage } from './sandbox.ts';
import { exitCodes, type Terminal } from './terminal.ts';

export interface WaitFlags {
  to: string;
  match: string;
  timeout: string;
  after?: string;
  json?: boolean;
}

interface Found {
  message: HandsetMessage;
  match: RegExpMatchArray;
}

/** The longest wait of one call; the gateway allows 60. */
const waitSecondsMax = 20;

export async function wait(flags: WaitFlags, terminal: Terminal): Promise<number> {
  const timeoutMs = durationMs(flags.timeout);
  if (timeoutMs === null) {
    const given = JSON.stringify(flags.timeout);
    return wrongUsage(terminal, `--timeout is ${given}; it takes a time such as 500ms, 10s or 2m.`, 'wait');
  }
  const pattern = patternOf(flags.match);
  if (typeof pattern === 'string') return wrongUsage(terminal, pattern, 'wait');
  const access = gatewayAccess(terminal);
  if (access === null) return badConfigurationExitCode;
  return withGateway(access, terminal, {}, async (helio) => {
    const found = await find(helio, flags, pattern, timeoutMs);
    if (found === null) {
      terminal.error(`No message that fits ${pattern} came to ${flags.to} within ${flags.timeout}.\n`);
      terminal.error(`Next: helio sandbox messages ${flags.to}\n`);
      return exitCodes.refused;
    }
    const { message, match } = found;
    const json = JSON.stringify({ match: match[0], groups: match.slice(1), message });
    terminal.out(flags.json === true ? `${json}\n` : `${match[1] ?? match[0]}\n`);
    return exitCodes.ok;
  });
}

/** The newest match that is already there, else the first to arrive. */
async function find(
  { sandbox }: Heliograph,
  flags: WaitFlags,
  pattern: RegExp,
  timeoutMs: number,
): Promise<Found | null> {
  const untilMs = clock.monotonicMs() + timeoutMs;
  const leftMs = () => Math.max(0, untilMs - clock.monotonicMs());
  let { after } = flags;
  let found: Found | null = null;
  for (let waiting = false; ; ) {
    const waitSeconds = waiting ? Math.min(waitSecondsMax, Math.ceil(leftMs() / 1_000)) : 0;
    const page = await sandbox.messages(flags.to, { after, waitSeconds });
    for (const message of page) {
      after = message.id;
      const match = (message.text ?? '').match(pattern);
      if (match === null) continue;
      found = { message, match };
      if (waiting) return found;
    }
    if (page.length > 0) continue;
    if (found !== null || leftMs() === 0) return found;
    waiting = true;
  }
}

function patternOf(text: string): RegExp | string {
  try {
    return new RegExp(text, 'u');
  } catch (error) {
    return `--match is no regular expression: ${(error as Error).message}.`;
  }
}
