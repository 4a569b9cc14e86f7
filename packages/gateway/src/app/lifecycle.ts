/**
 * Starts and stops the parts of a gateway in the orders written here. Each part is added once it is open, so a start
 * that fails half-way closes exactly what it opened.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Timers } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { machineTimers } from '../kernel/machine.ts';
import { createOutage } from '../kernel/outage.ts';
import { type Duty, duties } from '../model/duty.ts';
import type { NodePlace } from '../store/engine.ts';
import { StoreUnavailable } from '../store/faults.ts';

/**
 * The directory is followed before the sweeper moves queues according to it. Parts without a start step are not in this
 * list.
 */
export const startOrder = [
  // Settles what the node that acted before left uncertain, before any queue starts.
  'recovery',
  'send queues',
  'events',
  'webhooks',
  'media work',
  'file move',
  'evidence',
  'usage',
  'traces',
  'directory',
  'memory',
  'database state',
  'cells',
  'sweeper',
  'retention',
  'alerts',
  'carrier history',
  'clock watch',
  'carrier watch',
  'backlog',
  'certificate',
  'metrics',
] as const;

/**
 * The HTTP server stops first, so that no new requests come in. The send queues drain before the followers end, so that
 * customers are notified of what the drain settles. The store is last, because all parts write to it.
 */
export const stopOrder = [
  { phase: 'http', parts: ['server', 'request log'] },
  // Changed records no longer reach the sweeps, because other parts follow the directory first.
  {
    phase: 'sweeps',
    parts: [
      'recovery',
      'clock watch',
      'directory',
      'memory',
      'database state',
      'carrier watch',
      'backlog',
      'certificate',
      'carrier notifier',
      'sweeper',
      'retention',
      'alerts',
      'media work',
      'file move',
      'evidence',
    ],
  },
  { phase: 'send queues', parts: ['send queues'] },
  // The history of carriers also counts what the drain settles.
  { phase: 'followers', parts: ['usage', 'webhooks', 'events', 'traces', 'carrier history'] },
  // The metrics read the store, so a stop can be watched until here. The simulator serves media, and both dial through
  // the egress policy. What carriers send during the drain may belong to another cell.
  { phase: 'peers', parts: ['cells', 'metrics', 'simulator', 'media store', 'file stores', 'egress policy'] },
  { phase: 'store', parts: ['store'] },
] as const;

export type PartName = (typeof stopOrder)[number]['parts'][number];

interface Stopping {
  /** Called on all parts first of all, also while duties are still starting. */
  stopBegins?(): void;
  /** Answers every request that waits for this part; called on all parts before the first one stops. */
  quiesce?(): void;
  stop?(): void | Promise<void>;
}

interface Starting {
  readonly name: (typeof startOrder)[number];
  start?(): void | Promise<void>;
  /** The part starts on the acting node only, as soon as this node is that one. */
  readonly onlyActing?: true;
  /**
   * Among several nodes the part runs on the one that has this duty; it starts and stops whenever the duty comes and
   * goes.
   */
  readonly duty?: Duty;
  /** Called when this node begins to act after the part was started. May be called again after it rejected. */
  takeOver?(): void | Promise<void>;
}

/** Only a part listed in `startOrder` can be started. */
export type Part = (Stopping & Starting) | (Stopping & { readonly name: PartName; start?: never });

export interface Lifecycle {
  add(...parts: readonly Part[]): void;
  /** Adds the parts of `opened` and returns it. Null = this gateway runs without it. */
  own<T extends { readonly parts: readonly Part[] } | null>(opened: T): T;
  /**
   * Starts the added parts one after the other, and the remaining ones when this node acts. Rejects with the first
   * failure.
   */
  start(place: Pick<NodePlace, 'acts' | 'acting' | 'isShared'>): Promise<void>;
  /** Starts and stops the parts that have a duty. */
  readonly duties: {
    /** Takes effect once the gateway has started. A part that fails because the store is unavailable is tried again. */
    begin(duty: Duty): void;
    /** Resolves when the duty's parts have stopped. */
    end(duty: Duty): Promise<void>;
  };
  /**
   * Stops the parts in the written order, started or not. A part that fails to stop is logged, the others still stop,
   * and the first failure is thrown at the end. A second call waits for the first.
   */
  stop(): Promise<void>;
}

const storeRetryMs = 1_000;
/** Containers are killed after ten seconds by default. */
const longStopMs = 8_000;

/** `broken` receives failures that happen when this node begins to act later than it started. */
export function createLifecycle(
  logger: Logger,
  broken: (error: unknown) => void,
  timers: Timers = machineTimers,
): Lifecycle {
  const parts = new Map<PartName, Part>();
  let stopping: Promise<void> | null = null;
  let takingOver: Promise<void> = Promise.resolve();
  const started = Promise.withResolvers<void>();
  /** The steps of each duty, run one after the other. */
  const dutySteps = new Map<Duty, Promise<void>>(duties.map((duty) => [duty, started.promise]));

  function startable(): (Stopping & Starting)[] {
    return startOrder.flatMap((name) => (parts.get(name) as Starting | undefined) ?? []);
  }

  async function takeOver(): Promise<void> {
    for (const part of startable()) await begin(part, part.onlyActing ? part.start : part.takeOver);
  }

  /** Tries again until the store accepts it or the gateway stops. */
  async function begin(part: Starting, work: Starting['start']): Promise<void> {
    const outage = createOutage<StoreUnavailable>(({ reason }) =>
      logger.warn({ part: part.name, reason }, 'taking over waits for the store'),
    );
    while (work !== undefined && stopping === null) {
      try {
        await work();
        break;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        outage.failed(error);
        await wait(storeRetryMs);
      }
    }
  }

  function inTurn(duty: Duty, step: (part: Stopping & Starting) => void | Promise<void>): Promise<void> {
    const done = dutySteps.get(duty)!.then(async () => {
      for (const part of startable()) if (part.duty === duty) await step(part);
    });
    dutySteps.set(
      duty,
      done.catch(() => {}),
    );
    return done;
  }

  async function stopAll(): Promise<void> {
    let waitsFor = 'duties';
    // Also keeps the process alive: what a part waits for may not.
    let cancelLate = (): void => {};
    const sayLater = (): void => {
      cancelLate = timers.after(longStopMs, () => {
        logger.warn({ part: waitsFor }, 'the stop takes long: it waits for this part');
        sayLater();
      });
    };
    sayLater();
    const failures: unknown[] = [];
    const attempt = async (part: Part, work: () => void | Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (err) {
        failures.push(err);
        logger.error({ err, part: part.name }, 'a part of the gateway did not stop as it should');
      }
    };
    for (const part of parts.values()) await attempt(part, () => part.stopBegins?.());
    started.resolve();
    await takingOver;
    await Promise.all(dutySteps.values());
    const inOrder = stopOrder.flatMap(({ phase, parts: names }) =>
      names.flatMap((name) => {
        const part = parts.get(name);
        return part === undefined ? [] : [{ part, phase }];
      }),
    );
    for (const { part } of inOrder) await attempt(part, () => part.quiesce?.());
    for (const { part, phase } of inOrder) {
      waitsFor = part.name;
      await attempt(part, () => part.stop?.());
      logger.debug({ part: part.name, phase }, 'a part of the gateway ended');
    }
    cancelLate();
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
    duties: {
      begin: (duty) => {
        inTurn(duty, (part) => begin(part, part.start)).catch(broken);
      },
      end: (duty) => inTurn(duty, (part) => part.stop?.()),
    },
    start: async ({ acts, acting, isShared }) => {
      const actsNow = acts();
      for (const part of startable()) {
        if ((part.onlyActing && !actsNow) || (part.duty !== undefined && isShared)) continue;
        await part.start?.();
        logger.debug({ part: part.name }, 'a part of the gateway started');
      }
      started.resolve();
      if (actsNow) return;
      void acting.then(() => {
        if (stopping === null) takingOver = takeOver().catch(broken);
      });
    },
    stop: () => {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
