/**
 * The gateway as a process: the start card, signals, exit codes, and ending at once when something that must not happen
 * happened. Everything about messages is `main.ts`'s.
 */

import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { applyReport } from './cli/apply-report.ts';
import { describeFailure } from './cli/failure.ts';
import { isBound, startCard } from './cli/start-card.ts';
import type { Config } from './config.ts';
import { createLog, type Log } from './logger.ts';
import { type Gateway, startGateway } from './main.ts';
import { StoreBroken } from './store/store.ts';
import { compileSooner } from './tier-up.ts';

/** sysexits.h EX_SOFTWARE: a bug. A disk that failed under a commit ends the process by SIGKILL (137). */
const brokenExitCode = 70;
const repeatMs = 1_000;
/** With the exit codes that shells give to processes ended by them. */
const stopSignals = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;

export interface RunOptions {
  /** What was found about the settings; they are told in the log. */
  warnings?: readonly string[];
  /** Shows the portal in a browser once it is there. */
  openBrowser?: (url: string) => void;
}

/**
 * Nothing but the start card is the first thing on the terminal, so the log waits for it; but no longer than this, or nobody
 * could see what a start that hangs is doing.
 */
const logHeldMsMax = 10_000;
/** How long the card waits for the simulated carrier, to say truly that it is bound. */
const boundWaitMs = 2_000;
const boundLookMs = 20;

/** Runs until SIGTERM or SIGINT and resolves with the exit code. A second signal does not wait for the drain. */
export async function run(config: Config, { warnings = [], openBrowser }: RunOptions = {}): Promise<number> {
  const log = createLog({ level: config.logLevel, held: true });
  setTimeout(log.release, logHeldMsMax).unref();
  for (const warning of warnings) log.logger.warn({}, warning);
  // Whatever is not handled where it happens is a bug or a broken machine: nobody may be answered after it.
  const broken = (error: unknown): never => endAt(log, error);
  process.on('uncaughtException', broken);
  process.on('unhandledRejection', broken);
  let started = false;
  const stopped = signalled(() => started);
  let gateway: Gateway;
  try {
    gateway = await startGateway({ config, logger: log.logger, broken });
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) return broken(error);
    // The sentence is the last thing on the terminal, not buried above the log.
    await log.close();
    process.stderr.write(failure.text);
    return failure.exitCode;
  }
  started = true;
  compileSooner();
  process.stdout.write(startCard({ ...gateway, config, binds: await settledBinds(gateway.sandboxBinds) }));
  // Generated pairs are shown this once: nobody could ask for them again.
  if (gateway.applied !== null && gateway.applied.generated.length > 0) {
    process.stdout.write(applyReport(gateway.applied, {}));
  }
  log.release();
  for (const warning of gateway.applied?.warnings ?? []) log.logger.warn({ file: config.configFile }, warning);
  openBrowser?.(firstPage(gateway));
  const signal = await stopped;
  log.logger.info({ signal }, 'stopping: what is under way is finished first');
  await gateway.stop();
  log.logger.info({}, 'stopped');
  await log.close();
  return 0;
}

/** The binds of the simulated carrier as soon as all are up, or as they are when the card has waited long enough. */
async function settledBinds(look: () => readonly string[]): Promise<readonly string[]> {
  const endMs = performance.now() + boundWaitMs;
  for (;;) {
    const states = look();
    if (states.every(isBound) || performance.now() > endMs) return states;
    await wait(boundLookMs);
  }
}

/** Whoever sits at this terminal may set up the first administrator. */
function firstPage({ baseUrl, setupKey }: Gateway): string {
  return setupKey === null ? baseUrl : `${baseUrl}/setup#k=${setupKey}`;
}

function endAt(log: Log, error: unknown): never {
  const message = 'ended at once: nothing may be answered after this';
  if (error instanceof StoreBroken) {
    // An ordinary exit would close the database, which writes and syncs once more on the disk that has just failed.
    writeSync(2, `${JSON.stringify({ level: 'error', msg: message, err: error.message })}\n`);
    process.kill(process.pid, 'SIGKILL');
  }
  log.logger.error({ err: error }, message);
  process.exit(brokenExitCode);
}

/**
 * A launcher and a terminal may both pass the same signal on, so that a repeat within a moment is no second wish. While the
 * gateway still starts there is nothing to finish.
 */
function signalled(started: () => boolean): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAtMs: number | null = null;
    for (const [signal, exitCode] of stopSignals) {
      process.on(signal, () => {
        const now = performance.now();
        firstAtMs ??= now;
        if (!started() || now - firstAtMs > repeatMs) process.exit(exitCode);
        resolve(signal);
      });
    }
  });
}
