/**
 * What every part of the gateway is handed, whatever it does. An opener takes this and its ports: each other thing that it
 * needs, by name.
 */
import type { Clock, Random } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';

export interface Context {
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  /** For a fault that is no passing one: ends the process at once. */
  broken(error: unknown): void;
}
