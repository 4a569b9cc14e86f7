/**
 * Group commit: calls that arrive during a transaction share the next one, so one fsync serves many; when idle, a call
 * commits at once. A caller is answered only after its transaction is on disk, and one caller's error never fails
 * another's call.
 */
import type { Catalogue, WriteCall } from './catalogue.ts';
import { CommitInDoubt, type Engine } from './engine.ts';
import { StoreBroken, StoreUnavailable } from './faults.ts';

/** Rows of one kind in one transaction, unless it is taken whole; a single call may be larger. Measured: more gains little and makes others wait. */
const groupRowsMax = 512;

/** Waiting rows of one kind; above it callers are refused. Per kind, so that a flood of accepts cannot displace outcomes. */
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

export type GroupEngine = Pick<Engine, 'commit' | 'ahead' | 'enoughRows' | 'waitMsMax'>;

type Group = { kind: string; members: Waiting[] }[];

export class GroupCommit {
  readonly #engine: GroupEngine;
  readonly #catalogue: Catalogue;
  readonly #queues = new Map<string, Queue>();
  /** Over all queues. */
  #rows = 0;
  /** Groups handed to the engine that are not answered yet. */
  #open = 0;
  /** Groups whose commit was sent and not answered: what became of them is being looked up. */
  #inDoubt = 0;
  /** Runs while calls wait behind a group that the engine does not finish. */
  #impatience: NodeJS.Timeout | undefined;
  /** A look at whether to start that is still to come. */
  #startAwaited: 'now' | 'turn' | null = null;
  #broken: StoreBroken | null = null;
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(engine: GroupEngine, catalogue: Catalogue) {
    this.#engine = engine;
    this.#catalogue = catalogue;
  }

  /** Resolves with one result per item once they are on disk. */
  enqueue(kind: string, items: readonly unknown[]): Promise<unknown[]> {
    if (this.#broken) return Promise.reject(this.#broken);
    if (this.#closed) return Promise.reject(new StoreUnavailable('down', 'the store is closed'));
    if (items.length === 0) return Promise.resolve([]);
    const queue = this.#queueOf(kind);
    const rows = this.#catalogue.rowsOf({ kind, items });
    if (queue.rows > 0 && queue.rows + rows > waitingRowsMax) {
      return Promise.reject(
        new StoreUnavailable('busy', `more than ${waitingRowsMax} rows wait for the store (${kind})`),
      );
    }
    queue.rows += rows;
    this.#rows += rows;
    return new Promise((resolve, reject) => {
      queue.waiting.push({ items, rows, resolve, reject });
      this.#look();
    });
  }

  /** Takes nothing more and resolves when nothing waits any more. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  #queueOf(kind: string): Queue {
    const known = this.#queues.get(kind);
    if (known !== undefined) return known;
    const made: Queue = { rows: 0, waiting: [] };
    this.#queues.set(kind, made);
    return made;
  }

  /** Starts a group when it is time for one. */
  #look(): void {
    if (this.#rows === 0) {
      if (this.#isIdle()) this.#idle?.();
      return;
    }
    if (this.#open >= this.#engine.ahead) {
      this.#waitBounded();
      return;
    }
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

  #isIdle(): boolean {
    return this.#rows === 0 && this.#open === 0 && this.#inDoubt === 0;
  }

  /** What waits now is rejected when it has not begun in time: nothing of it has reached the engine. */
  #waitBounded(): void {
    const { waitMsMax } = this.#engine;
    if (waitMsMax === undefined || this.#impatience !== undefined) return;
    this.#impatience = setTimeout(() => {
      this.#impatience = undefined;
      const error = new StoreUnavailable('busy', `the store has not begun the next transaction within ${waitMsMax} ms`);
      for (const { members } of this.#take(Number.POSITIVE_INFINITY)) {
        for (const member of members) member.reject(error);
      }
      this.#look();
    }, waitMsMax);
  }

  #startNow(): void {
    this.#startAwaited = null;
    if (this.#rows > 0 && this.#open < this.#engine.ahead) this.#start();
  }

  #start(): void {
    clearTimeout(this.#impatience);
    this.#impatience = undefined;
    this.#open += 1;
    const group = this.#take();
    if (this.#rows > 0 && this.#open >= this.#engine.ahead) this.#waitBounded();
    void this.#commitGroup(group).finally(() => {
      this.#open -= 1;
      this.#look();
    });
  }

  #take(rowsMax = groupRowsMax): Group {
    const group: Group = [];
    for (const kind of this.#catalogue.order) {
      const queue = this.#queues.get(kind);
      if (queue === undefined || queue.rows === 0) continue;
      const isWhole = this.#catalogue.write(kind).whole === true;
      let rows = 0;
      let count = 0;
      for (const call of queue.waiting) {
        if (count > 0 && !isWhole && rows + call.rows > rowsMax) break;
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
      resolveGroup(group, await this.#engine.commit(calls));
    } catch (error) {
      if (error instanceof CommitInDoubt) void this.#lookUp(group, error.outcome);
      else await this.#failGroup(group, error);
    }
  }

  /** Answers the members when it is known whether their commit happened; meanwhile others may try. */
  async #lookUp(group: Group, outcome: Promise<unknown[][]>): Promise<void> {
    this.#inDoubt += 1;
    try {
      resolveGroup(group, await outcome);
    } catch (error) {
      await this.#failGroup(group, error);
    }
    this.#inDoubt -= 1;
    this.#look();
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

function resolveGroup(group: Group, results: readonly unknown[][]): void {
  for (let i = 0; i < group.length; i++) resolveMembers(group[i]!.members, results[i]!);
}

function resolveMembers(members: readonly Waiting[], results: readonly unknown[]): void {
  let start = 0;
  for (const { items, resolve } of members) {
    resolve(results.slice(start, start + items.length));
    start += items.length;
  }
}
