/** Runs the gateway as a process: start card, signals, exit codes, and an immediate end after a fatal error. */
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { applyReport, leftOutReport } from '../cli/apply-report.ts';
import { describeFailure } from '../cli/failure.ts';
import { isBound, startCard } from '../cli/start-card.ts';
import { brokenExitCode, endAtOnce } from '../kernel/end-at-once.ts';
import { createLog, type Log } from '../kernel/json-log.ts';
import { collectWhenQuiet } from '../kernel/spare-memory.ts';
import { compileSooner } from '../kernel/tier-up.ts';
import { StoreBroken } from '../store/faults.ts';
import { StoreCorrupt } from '../store/store-damaged.ts';
import type { Config } from './config.ts';
import { type Gateway, startGateway } from './main.ts';

/** The exit code after a SIGTERM from the launcher. */
const orphanedExitCode = 143;
const repeatMs = 1_000;
/** Each with the exit code that shells report for it. */
const stopSignals = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;

export interface RunOptions {
  /** Warnings about the settings, for the log. */
  warnings?: readonly string[];
  /** Opens the portal in a browser once it is available. */
  openBrowser?: (url: string) => void;
}

/**
 * The start card must be the first output on the terminal, so the log waits for it, but no longer than this: otherwise
 * a start that hangs would show nothing.
 */
const logHeldMsMax = 10_000;
/** How long the card waits for the simulated carrier, so that it can report it as bound. */
const boundWaitMs = 2_000;
const boundLookMs = 20;
const leftOutWarning =
  'HELIO_CONFIG was applied in part: entries that take something away wait for a confirmation, see: helio apply FILE --dry-run';

/** Runs until SIGTERM or SIGINT and resolves with the exit code. A second signal does not wait for the drain. */
export async function run(config: Config, { warnings = [], openBrowser }: RunOptions = {}): Promise<number> {
  const log = createLog({ level: config.logLevel, held: true });
  setTimeout(log.release, logHeldMsMax).unref();
  for (const warning of warnings) log.logger.warn({}, warning);
  // An unhandled error is a bug or a broken machine: no request may be answered after it.
  let started = false;
  const broken = (error: unknown): never => endAt(log, error, started ? null : config);
  process.on('uncaughtException', broken);
  process.on('unhandledRejection', broken);
  const stopped = signalled(() => started);
  let gateway: Gateway;
  try {
    gateway = await startGateway({ config, logger: log.logger, broken });
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) return broken(error);
    // Closed first, so that the sentence is the last output on the terminal.
    await log.close();
    process.stderr.write(failure.text);
    return failure.exitCode;
  }
  started = true;
  compileSooner();
  collectWhenQuiet();
  process.stdout.write(startCard({ ...gateway, config, binds: await settledBinds(gateway.sandboxBinds) }));
  // Generated key pairs are shown only here: they cannot be retrieved later.
  if (gateway.applied !== null && gateway.applied.generated.length > 0) {
    process.stdout.write(applyReport(gateway.applied, {}));
  }
  if (gateway.applied?.unconfirmed != null) process.stdout.write(leftOutReport(gateway.applied.unconfirmed));
  log.release();
  const leftOut = gateway.applied?.unconfirmed?.leftOut.length ?? 0;
  if (leftOut > 0) log.logger.warn({ file: config.configFile, changes: leftOut }, leftOutWarning);
  for (const warning of gateway.applied?.warnings ?? []) log.logger.warn({ file: config.configFile }, warning);
  openBrowser?.(firstPage(gateway));
  const signal = await stopped;
  log.logger.info({ signal }, 'stopping: what is under way is finished first');
  await gateway.stop();
  log.logger.info({}, 'stopped');
  await log.close();
  return 0;
}

/** The binds of the simulated carrier once all are up, or their current state when the wait is over. */
async function settledBinds(look: () => readonly string[]): Promise<readonly string[]> {
  const endMs = performance.now() + boundWaitMs;
  for (;;) {
    const states = look();
    if (states.every(isBound) || performance.now() > endMs) return states;
    await wait(boundLookMs);
  }
}

/** The person at this terminal may create the first administrator. */
function firstPage({ baseUrl, setupKey }: Gateway): string {
  return setupKey === null ? baseUrl : `${baseUrl}/setup#k=${setupKey}`;
}

/** `starting`: the configuration of a start in progress; null once it has started. */
function endAt(log: Log, error: unknown, starting: Config | null): never {
  const message = 'ended at once: nothing may be answered after this';
  if (error instanceof StoreBroken) {
    const failure = error instanceof StoreCorrupt && starting !== null ? describeFailure(error, starting) : null;
    writeSync(2, failure?.text ?? `${JSON.stringify({ level: 'error', msg: message, err: error.message })}\n`);
    endAtOnce(failure?.exitCode ?? brokenExitCode);
  }
  log.logger.error({ err: error }, message);
  process.exit(brokenExitCode);
}

/**
 * A launcher and a terminal may both forward one signal, so a repeat within a moment is ignored. A gateway that is
 * still starting, or stands by, has nothing to finish: its stop was asked for, and is no failure.
 */
function signalled(started: () => boolean): Promise<NodeJS.Signals | 'the launcher is gone'> {
  return new Promise((resolve) => {
    let firstAtMs: number | null = null;
    // Only a launcher opens a channel, and only the launcher's end closes it. It may have ended already.
    if (process.connected === false) process.exit(orphanedExitCode);
    process.once('disconnect', () => (started() ? resolve('the launcher is gone') : process.exit(orphanedExitCode)));
    process.channel?.unref();
    for (const [signal, exitCode] of stopSignals) {
      process.on(signal, () => {
        const now = performance.now();
        firstAtMs ??= now;
        if (!started()) process.exit(0);
        if (now - firstAtMs > repeatMs) process.exit(exitCode);
        resolve(signal);
      });
    }
  });
}
