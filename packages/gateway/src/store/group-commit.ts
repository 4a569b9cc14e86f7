/**
 * Group commit: calls that arrive during a transaction share the next one, so one fsync serves many; when idle, a call
 * commits at once, unless it is unhurried, or another one is expected (docs/decisions/010). A caller is answered only
 * after its transaction is on disk, and one caller's error never fails another's call.
 */
import type { Clock, Timers } from '../kernel/clock.ts';
import { Company } from '../kernel/company.ts';
import { machineClock, machineTimers } from '../kernel/machine.ts';
import type { Catalogue, WriteCall } from './catalogue.ts';
import { CommitInDoubt, type Engine } from './engine.ts';
import { StoreBroken, StoreUnavailable } from './faults.ts';
import type { Write } from './module.ts';

/**
 * Rows of one kind in one transaction, unless the kind is `whole`; a single call may exceed it. Larger groups gain
 * little and delay the others.
 */
const groupRowsMax = 512;

/**
 * Waiting rows of one kind; above it callers are refused. Counted per kind, so that a flood of accepts cannot block
 * outcomes.
 */
const waitingRowsMax = 20_000;

/** How long unhurried calls, and a single call that expects company, wait for others that share their commit. */
const shareMs = 1;

interface Waiting {
  items: readonly unknown[];
  rows: number;
  resolve: (results: unknown[]) => void;
  reject: (reason: unknown) => void;
}

/** The calls of one kind. */
interface Queue {
  readonly write: Write;
  readonly isUrgent: boolean;
  rows: number;
  waiting: Waiting[];
}

export type GroupEngine = Pick<Engine, 'commit' | 'ahead' | 'enoughRows' | 'waitMsMax'>;

export type GroupTime = Timers & Pick<Clock, 'monotonicMs'>;

const machineTime: GroupTime = { ...machineTimers, monotonicMs: machineClock.monotonicMs };

type Group = { kind: string; members: Waiting[] }[];

export class GroupCommit {
  readonly #engine: GroupEngine;
  readonly #catalogue: Catalogue;
  readonly #time: GroupTime;
  readonly #company: Company;
  readonly #queues = new Map<string, Queue>();
  /** Waiting rows in all queues. */
  #rows = 0;
  /** Groups that the engine has not answered yet. */
  #open = 0;
  /** Groups in doubt: the commit was sent, and its result is being looked up. */
  #inDoubt = 0;
  /** Set while calls wait behind a group that the engine does not finish. */
  #cancelImpatience: (() => void) | null = null;
  /** Waiting calls that are not unhurried. */
  #urgent = 0;
  /** The scheduled check whether to start a group. */
  #startAwaited: 'now' | 'turn' | 'joined' | 'later' | null = null;
  #cancelLater = (): void => {};
  #broken: StoreBroken | null = null;
  #closed = false;
  #idle: (() => void) | null = null;

  constructor(engine: GroupEngine, catalogue: Catalogue, time: GroupTime = machineTime) {
    this.#engine = engine;
    this.#catalogue = catalogue;
    this.#time = time;
    this.#company = new Company(time, { apartMs: 0.5, tryEvery: 256 });
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
    if (queue.isUrgent) this.#urgent += 1;
    const shares = queue.write.shares === true;
    if (shares) this.#company.came();
    return new Promise((resolve, reject) => {
      queue.waiting.push({ items, rows, resolve, reject });
      this.#look(shares && this.#urgent === 1 && this.#open === 0);
    });
  }

  /** Accepts nothing more; resolves when nothing is waiting. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  get isBusy(): boolean {
    return !this.#isIdle();
  }

  #queueOf(kind: string): Queue {
    const known = this.#queues.get(kind);
    if (known !== undefined) return known;
    const write = this.#catalogue.write(kind);
    const made: Queue = { write, isUrgent: write.unhurried !== true, rows: 0, waiting: [] };
    this.#queues.set(kind, made);
    return made;
  }

  /** Starts a group when it is time for one. `isSingle`: the only call has just come, and may share. */
  #look(isSingle = false): void {
    if (this.#rows === 0) {
      if (this.#isIdle()) this.#idle?.();
      return;
    }
    if (this.#open >= this.#engine.ahead()) {
      this.#waitBounded();
      return;
    }
    if (this.#rows >= this.#engine.enoughRows) {
      if (this.#startAwaited === 'now') return;
      this.#startAwaited = 'now';
      // The same caller's next calls join the group: a claim takes the slots that its settlement frees.
      queueMicrotask(() => this.#startNow());
    } else if (this.#urgent === 0) {
      if (this.#startAwaited !== null) return;
      this.#startSoon('later');
    } else if (this.#startAwaited === 'joined' && this.#urgent === 1) {
      return;
    } else if (isSingle && this.#company.isExpected()) {
      this.#startSoon('joined');
    } else if (this.#startAwaited !== 'turn') {
      this.#startAwaited = 'turn';
      // Waits for one turn of the event loop: calls from other sockets join, which makes fewer and fuller groups.
      setImmediate(() => this.#startNow());
    }
  }

  #startSoon(awaited: 'joined' | 'later'): void {
    this.#cancelLater();
    this.#startAwaited = awaited;
    this.#cancelLater = this.#time.after(shareMs, () => this.#startNow());
  }

  #isIdle(): boolean {
    return this.#rows === 0 && this.#open === 0 && this.#inDoubt === 0;
  }

  /** Rejects the calls waiting now if they do not start in time: nothing of them has reached the engine. */
  #waitBounded(): void {
    const { waitMsMax } = this.#engine;
    if (waitMsMax === undefined || this.#cancelImpatience !== null) return;
    this.#cancelImpatience = this.#time.after(waitMsMax, () => {
      this.#cancelImpatience = null;
      const error = new StoreUnavailable('busy', `the store has not begun the next transaction within ${waitMsMax} ms`);
      for (const { members } of this.#take(Number.POSITIVE_INFINITY)) {
        for (const member of members) member.reject(error);
      }
      this.#look();
    });
  }

  #startNow(): void {
    this.#startAwaited = null;
    if (this.#rows > 0 && this.#open < this.#engine.ahead()) this.#start();
  }

  #start(): void {
    this.#cancelImpatience?.();
    this.#cancelImpatience = null;
    this.#cancelLater();
    this.#company.learn(this.#urgent > 1);
    this.#open += 1;
    const group = this.#take();
    if (this.#rows > 0 && this.#open >= this.#engine.ahead()) this.#waitBounded();
    let isOpen = true;
    const close = (): void => {
      if (isOpen) this.#open -= 1;
      isOpen = false;
    };
    const committed = (): void => {
      const kept = this.#open === this.#engine.ahead();
      close();
      // Starts the group that the engine kept waiting before notifying the callers of this one, which takes about as
      // long as a commit.
      if (kept && this.#urgent > 0) this.#start();
    };
    void this.#commitGroup(group, committed).finally(() => {
      close();
      this.#look();
    });
    // The engine may let this group wait.
    if (this.#rows > 0 && this.#open < this.#engine.ahead()) this.#look();
  }

  #take(rowsMax = groupRowsMax): Group {
    const group: Group = [];
    for (const kind of this.#catalogue.order) {
      const queue = this.#queues.get(kind);
      if (queue === undefined || queue.rows === 0) continue;
      const isWhole = queue.write.whole === true;
      let rows = 0;
      let count = 0;
      for (const call of queue.waiting) {
        if (count > 0 && !isWhole && rows + call.rows > rowsMax) break;
        rows += call.rows;
        count += 1;
      }
      queue.rows -= rows;
      this.#rows -= rows;
      if (queue.isUrgent) this.#urgent -= count;
      group.push({ kind, members: queue.waiting.splice(0, count) });
    }
    return group;
  }

  async #commitGroup(group: Group, committed?: () => void): Promise<void> {
    try {
      if (this.#broken) throw this.#broken;
      const calls: WriteCall[] = [];
      for (const { kind, members } of group) calls.push({ kind, items: itemsOf(members) });
      const results = await this.#engine.commit(calls);
      committed?.();
      resolveGroup(group, results);
    } catch (error) {
      if (error instanceof CommitInDoubt) void this.#lookUp(group, error.outcome);
      else await this.#failGroup(group, error);
    }
  }

  /** Answers the members once their commit's result is known; meanwhile other groups may run. */
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

  /** A failure of the store rejects every call; a mistake in one call rejects only that one. */
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

function itemsOf(members: readonly Waiting[]): unknown[] {
  const all: unknown[] = [];
  for (const { items } of members) for (const item of items) all.push(item);
  return all;
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
