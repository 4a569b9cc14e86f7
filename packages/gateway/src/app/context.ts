/** What every part gets: clock, random numbers, ids, logger. All else is passed as a named port. */
import type { Clock, Random } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';

export interface Context {
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  /** Reports a permanent fault: ends the process at once. */
  broken(error: unknown): void;
}
