/**
 * The gateway as a process: the start card, signals, exit codes, and ending at once when something that must not happen
 * happened. Everything about messages is `main.ts`'s.
 */
import { describeFailure } from './cli/failure.ts';
import { startCard } from './cli/start-card.ts';
import type { Config } from './config.ts';
import { createLog, type Log } from './logger.ts';
import { type Gateway, startGateway } from './main.ts';

/** sysexits.h EX_SOFTWARE: a bug, or a disk that failed under a commit. */
const brokenExitCode = 70;

/** Runs until SIGTERM or SIGINT and resolves with the exit code. A second signal does not wait for the drain. */
export async function run(config: Config): Promise<number> {
  const log = createLog({ level: config.logLevel });
  // Whatever is not handled where it happens is a bug or a broken machine: nobody may be answered after it.
  const broken = (error: unknown): never => endAt(log, error);
  process.on('uncaughtException', broken);
  process.on('unhandledRejection', broken);
  const stopped = signalled();
  let gateway: Gateway;
  try {
    gateway = await startGateway({ config, logger: log.logger, broken });
  } catch (error) {
    const failure = describeFailure(error, config);
    if (failure === null) return broken(error);
    process.stderr.write(failure.text);
    await log.close();
    return failure.exitCode;
  }
  process.stdout.write(startCard({ ...gateway, config }));
  const signal = await stopped;
  log.logger.info({ signal }, 'stopping: what is under way is finished first');
  await gateway.stop();
  log.logger.info({}, 'stopped');
  await log.close();
  return 0;
}

function endAt(log: Log, error: unknown): never {
  log.logger.error({ err: error }, 'ended at once: nothing may be answered after this');
  process.exit(brokenExitCode);
}

function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      let seen = false;
      process.on(signal, () => {
        if (seen) process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
        seen = true;
        resolve(signal);
      });
    }
  });
}
