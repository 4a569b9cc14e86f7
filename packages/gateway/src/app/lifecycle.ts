/**
 * Takes a gateway down in a written order. Each part is added as soon as it is open, so that a start that fails half-way
 * closes what was opened and nothing else.
 */
import type { Logger } from '../domain/logger.ts';

/**
 * In the order in which they stop. Doors first: nothing new comes in. The send queues drain before the followers end, so that
 * customers are told of what the drain settles. The store is last, as everybody writes to it.
 */
export const phases = ['doors', 'sweeps', 'send queues', 'followers', 'peers', 'store'] as const;

export type Phase = (typeof phases)[number];

export interface Part {
  readonly name: string;
  readonly phase: Phase;
  /** Answers everyone who waits for this part; called on all parts before the first one stops. */
  quiesce?(): void;
  stop?(): void | Promise<void>;
}

export interface Lifecycle {
  add(part: Part): void;
  /**
   * Stops the parts phase by phase; inside a phase, the part that was added last stops first. A part that fails to stop is
   * logged and the others still stop; then the first failure is thrown. A second call waits for the first.
   */
  stop(): Promise<void>;
}

export function createLifecycle(logger: Logger): Lifecycle {
  const parts: Part[] = [];
  let stopping: Promise<void> | null = null;

  async function stopAll(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = async (part: Part, work: () => void | Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (err) {
        failures.push(err);
        logger.error({ err, part: part.name }, 'a part of the gateway did not stop as it should');
      }
    };
    const latestFirst = parts.toReversed();
    for (const part of latestFirst) await attempt(part, () => part.quiesce?.());
    for (const phase of phases) {
      for (const part of latestFirst.filter((one) => one.phase === phase)) {
        await attempt(part, () => part.stop?.());
        logger.debug({ part: part.name, phase }, 'a part of the gateway ended');
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    add: (part) => {
      parts.push(part);
    },
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
