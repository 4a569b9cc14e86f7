/**
 * Builds the store on an engine: one method per operation of its modules, plus their verbs. A failed disk ends the
 * process first, and watchers see what was committed.
 */
import type { Clock } from '../kernel/clock.ts';
import { type Catalogue, type WriteCall, withheld } from './catalogue.ts';
import type { Newest } from './context.ts';
import { CommitInDoubt, type Engine, type Hints, type NodePlace } from './engine.ts';
import { OwnedElsewhere, StoreBroken, StoreUnavailable } from './faults.ts';
import { GroupCommit, type GroupTime } from './group-commit.ts';
import type { EngineKind, Write } from './module.ts';
import type { MessagePartitions } from './postgres-message-partitions.ts';
import type { LogPartitions } from './postgres-partitions.ts';

type Method = (...params: never[]) => Promise<unknown>;

/** The members that every store has, whatever its modules. */
export interface StoreBase {
  /** This node's fencing token: grows with each start on this store. Every state write carries it. */
  readonly token: number;
  readonly engine: EngineKind;
  /** False while another node may have taken over: this node must hand nothing to a carrier. */
  mayHandOver(): boolean;
  /** How much longer it may hand over without a renewed lease, ms; null without a lease. */
  leaseLeftMs(): number | null;
  readonly place: NodePlace;
  /** Null when there is only one node. */
  readonly hints: Hints | null;
  /** Null when the event log is one table (SQLite). */
  readonly logPartitions: LogPartitions | null;
  /** Null when messages are in one table (SQLite). */
  readonly messagePartitions: MessagePartitions | null;
  /** The versions that this node's last transaction found; null when no other process writes messages (SQLite). */
  newest(): Newest | null;
  /** Whether it writes something, or something waits to be written. */
  isBusy(): boolean;
  /**
   * `listener` is called after commits that may have added events to the log, with their type if all have the same one,
   * else with null. There is one listener at a time.
   */
  onEvents(listener: (type: string | null) => void): void;

  /** Finishes pending work, then closes files and connections and releases the node lock. */
  close(): Promise<void>;
}

/** `S`: the methods of the catalogue's modules, as the caller types them. */
export function createStore<S extends StoreBase>(
  engine: Engine,
  catalogue: Catalogue,
  role: 'node' | 'tool',
  time?: GroupTime,
): S {
  const groups = new GroupCommit(engine, catalogue, time);
  let closing: Promise<void> | null = null;
  let onEvents: (type: string | null) => void = () => {};
  /** Gathers sent messages into the table that conversations are read from; null when a message was sent since. */
  let gathering: Promise<unknown> | null = null;

  function writer(name: string): (items: readonly unknown[]) => Promise<unknown[]> {
    const { tool, sends, events, owned } = catalogue.write(name);
    if (role === 'tool' && !tool) {
      return () => Promise.reject(new Error(`${name} is the node's work; this store was opened as a tool`));
    }
    return (items) => {
      if (sends) gathering = null;
      const stored = groups.enqueue(name, items);
      const done = owned === undefined ? stored : stored.then((results) => ownDone(owned, results));
      if (events)
        done.then(
          (results) => onEvents(typeOf(events, results)),
          () => {},
        );
      return done;
    };
  }

  async function read(name: string, params: readonly unknown[]): Promise<unknown> {
    // Gathering does not depend on the time since the newest commit.
    if (catalogue.needsOf(name, params, 0) === 'gathered') await gathered();
    return engine.lookUp(name, params);
  }

  /** While the store takes no writes, conversations are read as last gathered. */
  async function gathered(): Promise<void> {
    gathering ??= writer('gather')([null]);
    try {
      await gathering;
    } catch (error) {
      gathering = null;
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  const methods: Record<string, Method> = {};
  for (const { writes, reads, verbs } of catalogue.modules) {
    const own: Record<string, Method> = {};
    for (const name of Object.keys(writes)) own[name] = writer(name);
    for (const name of Object.keys(reads)) own[name] = (...params: unknown[]) => read(name, params);
    Object.assign(methods, own, verbs?.(own as never, engine.kind));
  }
  const base: StoreBase = {
    token: engine.token,
    engine: engine.kind,
    mayHandOver: engine.mayHandOver,
    leaseLeftMs: engine.leaseLeftMs,
    place: engine.place,
    hints: engine.hints ?? null,
    newest: engine.newest,
    logPartitions: engine.logPartitions,
    messagePartitions: engine.messagePartitions,
    isBusy: () => groups.isBusy,
    onEvents(listener) {
      onEvents = listener;
    },
    close() {
      closing ??= groups.close().then(() => engine.close());
      return closing;
    },
  };
  return Object.assign(methods, base) as unknown as S;
}

/** A call stores all its items or none; with an item withheld it rejects. */
function ownDone(name: string, results: unknown[]): unknown[] {
  if (results[0] === withheld) throw new OwnedElsewhere(name);
  return results;
}

/** The type that all events of a write have; null when it is unknown or differs. */
function typeOf(events: NonNullable<Write['events']>, results: readonly unknown[]): string | null {
  if (events === true || results.length === 0) return null;
  const type = events(results[0] as never);
  return results.every((result) => events(result as never) === type) ? type : null;
}

/**
 * Wraps an engine so that a disk error during a commit ends the process: no caller may be answered after it, and
 * nothing may be retried on the same files. `broken` must not return in a running process (it exits).
 */
export function failStop(engine: Engine, broken: (error: StoreBroken) => void): Engine {
  const judge = (error: unknown): never => {
    if (error instanceof StoreBroken) broken(error);
    if (error instanceof CommitInDoubt) throw new CommitInDoubt(error.outcome.catch(judge));
    throw error;
  };
  return {
    ...engine,
    commit: (calls) => engine.commit(calls).catch(judge),
    lookUp: (name, params) => engine.lookUp(name, params).catch(judge),
    close: () => engine.close().catch(judge),
  };
}

/** Sees each group once, after its commit. */
export interface CommitWatch {
  /**
   * Must not throw. Sees only what was stored. `results` per call and item; `tookMs`: from handing the group to the
   * engine to its commit.
   */
  committed(calls: readonly WriteCall[], results: readonly (readonly unknown[])[], tookMs: number): void;
}

/** Each watch sees every commit, in this order. */
export function watchedBy(...watches: readonly CommitWatch[]): CommitWatch {
  return {
    committed: (calls, results, tookMs) => {
      for (const watch of watches) watch.committed(calls, results, tookMs);
    },
  };
}

/** The same engine, watched. A commit in doubt is shown once it is known to be stored. */
export function watchCommits(engine: Engine, watch: CommitWatch, { monotonicMs }: Pick<Clock, 'monotonicMs'>): Engine {
  return {
    ...engine,
    async commit(calls) {
      const startedMs = monotonicMs();
      const seen = (results: unknown[][]): unknown[][] => {
        const isDone = (_: unknown, place: number) => results[place]?.[0] !== withheld;
        watch.committed(calls.filter(isDone), results.filter(isDone), monotonicMs() - startedMs);
        return results;
      };
      try {
        return seen(await engine.commit(calls));
      } catch (error) {
        if (error instanceof CommitInDoubt) throw new CommitInDoubt(error.outcome.then(seen));
        throw error;
      }
    },
  };
}
