/**
 * Starts and stops the parts of a gateway in the orders written here. Each part is added once it is open, so a start
 * that fails half-way closes exactly what was opened.
 */
import type { Logger } from '../kernel/logger.ts';

/** Records are followed before the sweeper moves queues by them. What has nothing to start is not in this list. */
export const startOrder = [
  'send queues',
  'webhooks',
  'media work',
  'file move',
  'evidence',
  'usage',
  'directory',
  'memory',
  'sweeper',
  'clock watch',
  'carrier watch',
  'certificate',
] as const;

/**
 * Doors first: nothing new comes in. The send queues drain before the followers end, so that customers are told of what the
 * drain settles. The store is last, as everybody writes to it.
 */
export const stopOrder = [
  { phase: 'doors', parts: ['server', 'request log'] },
  // Changed records no longer reach the sweeps: the directory is the first that other parts listen to.
  {
    phase: 'sweeps',
    parts: [
      'clock watch',
      'directory',
      'memory',
      'carrier watch',
      'certificate',
      'carrier news',
      'sweeper',
      'media work',
      'file move',
      'evidence',
    ],
  },
  { phase: 'send queues', parts: ['send queues'] },
  { phase: 'followers', parts: ['usage', 'webhooks'] },
  // The simulator hands out media, and both dial through the egress policy.
  { phase: 'peers', parts: ['simulator', 'media store', 'file stores', 'egress policy'] },
  { phase: 'store', parts: ['store'] },
] as const;

export type PartName = (typeof stopOrder)[number]['parts'][number];

interface Stopping {
  /** Answers everyone who waits for this part; called on all parts before the first one stops. */
  quiesce?(): void;
  stop?(): void | Promise<void>;
}

/** Only a part listed in `startOrder` can be started. */
export type Part =
  | (Stopping & { readonly name: (typeof startOrder)[number]; start?(): void | Promise<void> })
  | (Stopping & { readonly name: PartName; start?: never });

export interface Lifecycle {
  add(...parts: readonly Part[]): void;
  /** Adds the parts of what was opened, and hands it on. Null = this gateway goes without it. */
  own<T extends { readonly parts: readonly Part[] } | null>(opened: T): T;
  /** Starts what was added, one part after the other. Rejects with the failure of the first that does not start. */
  start(): Promise<void>;
  /**
   * Stops the parts in the written order, started or not. A part that fails to stop is logged and the others still stop;
   * then the first failure is thrown. A second call waits for the first.
   */
  stop(): Promise<void>;
}

export function createLifecycle(logger: Logger): Lifecycle {
  const parts = new Map<PartName, Part>();
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
    const inOrder = stopOrder.flatMap(({ phase, parts: names }) =>
      names.flatMap((name) => {
        const part = parts.get(name);
        return part === undefined ? [] : [{ part, phase }];
      }),
    );
    for (const { part } of inOrder) await attempt(part, () => part.quiesce?.());
    for (const { part, phase } of inOrder) {
      await attempt(part, () => part.stop?.());
      logger.debug({ part: part.name, phase }, 'a part of the gateway ended');
    }
    if (failures.length > 0) throw failures[0];
  }

  function add(...added: readonly Part[]): void {
    for (const part of added) {
      if (parts.has(part.name)) throw new Error(`There are two parts of the name ${part.name}.`);
      parts.set(part.name, part);
    }
  }

  return {
    add,
    own: (opened) => {
      add(...(opened?.parts ?? []));
      return opened;
    },
    start: async () => {
      for (const name of startOrder) {
        const part = parts.get(name);
        await part?.start?.();
        if (part !== undefined) logger.debug({ part: name }, 'a part of the gateway started');
      }
    },
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
