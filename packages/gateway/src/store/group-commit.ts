/**
 * Gathers what arrives while a transaction runs into the next one, so that one fsync serves many callers. When idle, a call
 * is committed at once. It must never resolve a caller before its transaction is on disk, and never let one caller's
 * mistake fail another's.
 */
import { type Engine, type ItemOf, type ResultOf, type WriteCall, type WriteKind, writeKinds } from './engine.ts';
import { rowsOf } from './merge.ts';
import { StoreBroken, StoreUnavailable } from './store.ts';

/**
 * Rows of one kind in one transaction; a single call may be larger. Measured: more gains little and makes others wait.
 * Settlements are never left for the next one: the places they free are given out again in the same one.
 */
const groupRowsMax = 512;

/** Rows of one kind that may wait; above it callers are told to come back. Per kind, so that a flood of accepts cannot push out results. */
const waitingRowsMax = 20_000;

interface Waiting {
  items: readonly unknown[];
  rows: number;
  resolve: (results: unknown[]) => void;
  reject: (reason: unknown) => void;
}

/** The calls of one kind. */
interface Queue {
  rows: number;
  waiting: Waiting[];
}

export type GroupEngine = Pick<Engine, 'commit' | 'ahead' | 'enoughRows'>;

type Group = { kind: WriteKind; members: Waiting[] }[];

export class GroupCommit {
  readonly #engine: GroupEngine;
  readonly #queues = new Map<WriteKind, Queue>();
  /** Over all queues. */
  #rows = 0;
  /** Groups handed to the engine that are not answered yet. */
  #open = 0;
  /** A look at whether to start that is still to come. */
  #startAwaited: 'now' | 'turn' | null = null;
  #broken: StoreBroken | null = null;
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(engine: GroupEngine) {
    this.#engine = engine;
  }

  /** Resolves with one result per item once they are on disk. */
  enqueue<K extends WriteKind>(kind: K, items: readonly ItemOf<K>[]): Promise<ResultOf<K>[]> {
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.#closed) return Promise.reject(new StoreUnavailable('down', 'the store is closed'));
    if (items.length === 0) return Promise.resolve([]);
    const queue = this.#queueOf(kind);
    const rows = rowsOf({ kind, items });
    if (queue.rows > 0 && queue.rows + rows > waitingRowsMax) {
      return Promise.reject(
        new StoreUnavailable('busy', `more than ${waitingRowsMax} rows wait for the store (${kind})`),
      );
    }
    queue.rows += rows;
    this.#rows += rows;
    return new Promise((resolve, reject) => {
      queue.waiting.push({ items, rows, resolve: resolve as (results: unknown[]) => void, reject });
      this.#look();
    });
  }

  /** Takes nothing more and resolves when nothing waits any more. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#rows === 0 && this.#open === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  #queueOf(kind: WriteKind): Queue {
    const known = this.#queues.get(kind);
    if (known !== undefined) return known;
    const made: Queue = { rows: 0, waiting: [] };
    this.#queues.set(kind, made);
    return made;
  }

  /** Starts a group when it is time for one. */
  #look(): void {
    if (this.#rows === 0) {
      if (this.#open === 0) this.#idle?.();
      return;
    }
    if (this.#open >= this.#engine.ahead) return;
    if (this.#rows >= this.#engine.enoughRows) {
      if (this.#startAwaited === 'now') return;
      this.#startAwaited = 'now';
      // What the same caller asks right after joins the group: places that a settlement frees are claimed with it.
      queueMicrotask(() => this.#startNow());
    } else if (this.#startAwaited === null) {
      this.#startAwaited = 'turn';
      // One turn of the event loop: what other sockets bring in this moment joins the group, for fewer and fuller ones.
      setImmediate(() => this.#startNow());
    }
  }

  #startNow(): void {
    this.#startAwaited = null;
    if (this.#rows > 0 && this.#open < this.#engine.ahead) this.#start();
  }

  #start(): void {
    this.#open += 1;
    void this.#commitGroup(this.#take()).finally(() => {
      this.#open -= 1;
      this.#look();
    });
  }

  #take(): Group {
    const group: Group = [];
    for (const kind of writeKinds) {
      const queue = this.#queues.get(kind);
      if (queue === undefined || queue.rows === 0) continue;
      let rows = 0;
      let count = 0;
      for (const call of queue.waiting) {
        if (count > 0 && kind !== 'settle' && rows + call.rows > groupRowsMax) break;
        rows += call.rows;
        count += 1;
      }
      queue.rows -= rows;
      this.#rows -= rows;
      group.push({ kind, members: queue.waiting.splice(0, count) });
    }
    return group;
  }

  async #commitGroup(group: Group): Promise<void> {
    try {
      if (this.#broken) throw this.#broken;
      const calls: WriteCall[] = [];
      for (const { kind, members } of group) calls.push({ kind, items: members.flatMap(({ items }) => items) });
      const results = await this.#engine.commit(calls);
      for (let i = 0; i < group.length; i++) resolveMembers(group[i]!.members, results[i]!);
    } catch (error) {
      await this.#failGroup(group, error);
    }
  }

  /** A failure of the store hits everyone; a mistake in one call only the one who made it. */
  async #failGroup(group: Group, error: unknown): Promise<void> {
    const members = group.flatMap(({ kind, members }) => members.map((member) => ({ kind, member })));
    if (error instanceof StoreBroken) this.#broken = error;
    if (error instanceof StoreBroken || error instanceof StoreUnavailable || members.length === 1) {
      for (const { member } of members) member.reject(error);
      return;
    }
    for (const { kind, member } of members) await this.#commitGroup([{ kind, members: [member] }]);
  }
}

function resolveMembers(members: readonly Waiting[], results: readonly unknown[]): void {
  let start = 0;
  for (const { items, resolve } of members) {
    resolve(results.slice(start, start + items.length));
    start += items.length;
  }
}
