/**
 * What the product uses of `pg`: a client and a pool, over the modelled network to the modelled server. As with `pg`, a
 * client sends one message at a time, gives up an answer after `query_timeout`, and is of no use once its session is lost.
 */
import { EventEmitter } from 'node:events';
import type { Client, ClientConfig, Pool, PoolConfig, Submittable } from 'pg';
import type { Sent } from '../../packages/gateway/src/store/postgres-batch.ts';
import type { PostgresMachine } from '../../packages/gateway/src/store/postgres-machine.ts';
import type { ModelServer } from './model-server.ts';
import type { Reply, Session } from './model-session.ts';
import type { Process } from './process.ts';
import { type Network, Wire } from './wire.ts';

/** A server hears nothing of a client that is gone without a word for this long. */
const keepAliveMs = 11_000;
const goodByeMs = 1_000;

/** How the sessions of one process reach the server. */
export interface Reach {
  process: Process;
  network: Network;
  server: ModelServer;
}

/** Sessions that are open, for faults. */
export type OpenClients = Set<ModelClient>;

interface Pending {
  statements: Sent[];
  answered: (reply: Reply) => void;
  failed: (error: Error) => void;
  isOver: boolean;
}

export class ModelClient extends EventEmitter {
  readonly #reach: Reach;
  readonly #config: ClientConfig;
  readonly #open: OpenClients;
  /** What is prepared, by name. */
  readonly #texts = new Map<string, string>();
  #wire: Wire | null = null;
  #session: Session | null = null;
  #pending: Pending[] = [];
  #isBusy = false;
  #isEnding = false;
  #lost: Error | null = null;
  #cutInCommit: 'before' | 'after' | null = null;
  #onClosed: (() => void)[] = [];

  constructor(reach: Reach, config: ClientConfig, open: OpenClients) {
    super();
    this.#reach = reach;
    this.#config = config;
    this.#open = open;
    reach.process.onEnd(() => this.#vanish());
  }

  get name(): string {
    return this.#config.application_name ?? '';
  }

  connect(): Promise<void> {
    const { process, network, server } = this.#reach;
    const wire = new Wire(network);
    this.#wire = wire;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const fail = (error: Error): void => {
        if (isOver) return;
        isOver = true;
        cancel();
        wire.cut();
        this.#session?.end(closedByClient());
        this.#lost ??= error;
        reject(error);
      };
      const cancel = process.timers.after(this.#config.connectionTimeoutMillis ?? 5_000, () =>
        fail(new Error('timeout expired')),
      );
      this.#close = fail;
      wire.send('there', () =>
        server.process.deliver(() => {
          if (server.isDown) {
            wire.send('back', () => process.deliver(() => fail(refused())));
            return;
          }
          const session = server.open();
          session.name = this.name;
          session.ended = (error) => wire.send('back', () => process.deliver(() => this.#lose(error)));
          this.#session = session;
          wire.send('back', () =>
            process.deliver(() => {
              if (isOver) return;
              isOver = true;
              cancel();
              this.#open.add(this);
              resolve();
            }),
          );
        }),
      );
    });
  }

  /** Gives up a connection that is being made. */
  #close: (error: Error) => void = () => {};

  query(what: string | Submittable, values?: readonly unknown[]): Promise<unknown> | undefined {
    if (typeof what !== 'string') {
      this.#submit(what);
      return undefined;
    }
    const statements =
      values === undefined
        ? what.split(';').map((text) => ({ name: '', text: text.trim(), values: [] }))
        : [{ name: '', text: what, values }];
    return new Promise((resolve, reject) => {
      this.#ask(statements, reject, (reply) => {
        if (reply.error !== undefined) reject(reply.error);
        else resolve(reply.answers.at(-1));
      });
    });
  }

  /** A batch of the product, by the protocol of `pg`. */
  #submit(batch: Submittable): void {
    const { handler, statements } = recorded(batch, this.#texts);
    const failed = (error: Error): void => handler.handleError(error, null as never);
    this.#ask(statements, failed, ({ answers, error }) => {
      for (const { names, rows, rowCount } of answers) {
        handler.handleRowDescription({ fields: names.map((name) => ({ name, dataTypeID: textOid })) });
        for (const row of rows) handler.handleDataRow({ fields: names.map((name) => row[name] ?? null) });
        handler.handleCommandComplete({ text: `OK ${rowCount}` });
      }
      if (error !== undefined) handler.handleError(error, null as never);
      handler.handleReadyForQuery(null as never);
    });
  }

  #ask(statements: Sent[], failed: (error: Error) => void, answered: (reply: Reply) => void): void {
    const { process } = this.#reach;
    if (this.#lost !== null || this.#isEnding) {
      process.timers.after(0, () =>
        failed(new Error('Client has encountered a connection error and is not queryable')),
      );
      return;
    }
    const pending: Pending = { statements, answered, failed, isOver: false };
    const timeoutMs = this.#config.query_timeout ?? 0;
    const cancel =
      timeoutMs > 0
        ? process.timers.after(timeoutMs, () => {
            if (pending.isOver) return;
            pending.isOver = true;
            failed(new Error('Query read timeout'));
          })
        : () => {};
    pending.answered = (reply) => {
      cancel();
      if (pending.isOver) return;
      pending.isOver = true;
      answered(reply);
    };
    pending.failed = (error) => {
      cancel();
      if (pending.isOver) return;
      pending.isOver = true;
      failed(error);
    };
    this.#pending.push(pending);
    this.#sendNext();
  }

  #sendNext(): void {
    const pending = this.#pending[0];
    const { process, server } = this.#reach;
    if (this.#isBusy || pending === undefined || process.isDead) return;
    this.#isBusy = true;
    const [wire, session] = [this.#wire!, this.#session!];
    const isCut = (when: 'before' | 'after'): boolean => {
      if (this.#cutInCommit !== when || pending.statements[0]?.text !== 'commit') return false;
      this.#cutInCommit = null;
      this.reset();
      return true;
    };
    wire.send('there', () =>
      server.process.deliver(() => {
        if (!session.isOpen || isCut('before')) return;
        session.handle(pending.statements, (reply) => {
          if (isCut('after')) return;
          wire.send('back', () =>
            process.deliver(() => {
              this.#isBusy = false;
              this.#pending.shift();
              pending.answered(reply);
              this.#sendNext();
            }),
          );
        });
      }),
    );
  }

  #lose(error: Error): void {
    if (this.#lost !== null) return;
    this.#lost = error;
    this.#wire?.cut();
    this.#open.delete(this);
    for (const { failed } of this.#pending.splice(0)) failed(error);
    for (const closed of this.#onClosed.splice(0)) closed();
    if (!this.#isEnding) this.emit('error', error);
  }

  /** The network cuts it: neither side gets what was under way, and the server notices it too. */
  reset(): void {
    this.#wire?.cut();
    const { network, process, server } = this.#reach;
    const { scheduler, chance } = network;
    const session = this.#session;
    scheduler.at(chance.between(0, 50), () => server.process.deliver(() => session?.end(closedByClient())));
    scheduler.at(chance.between(0, 50), () =>
      process.deliver(() => this.#lose(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))),
    );
  }

  /** The next time that it commits: before the server has done it, or after that and before the answer. */
  cutInCommit(when: 'before' | 'after'): void {
    this.#cutInCommit = when;
  }

  /** Nothing gets through: a server that hears nothing for long enough takes the client for lost. */
  silent(forMs: number): void {
    if (forMs < keepAliveMs) return;
    const { network, server } = this.#reach;
    network.scheduler.at(keepAliveMs, () => server.process.deliver(() => this.#session?.end(closedByClient())));
  }

  /** Its process is gone: the machine says so, or it is gone as well. */
  #vanish(): void {
    this.#wire?.cut();
    this.#open.delete(this);
    const { network, server } = this.#reach;
    const { scheduler, chance } = network;
    const noticedMs = this.isHostLost ? keepAliveMs : chance.between(0, 20);
    scheduler.at(noticedMs, () => server.process.deliver(() => this.#session?.end(closedByClient())));
  }

  /** Set right before the end of a process whose machine goes with it. */
  isHostLost = false;

  async end(): Promise<void> {
    this.#isEnding = true;
    this.#open.delete(this);
    const [wire, session] = [this.#wire, this.#session];
    const { process, server } = this.#reach;
    if (wire === null || this.#lost !== null) return;
    if (session === null) {
      this.#close(new Error('Connection terminated'));
      return;
    }
    await new Promise<void>((resolve) => {
      this.#onClosed.push(resolve);
      process.timers.after(goodByeMs, () => this.#lose(new Error('Connection terminated')));
      wire.send('there', () => server.process.deliver(() => session.end(closedByClient())));
    });
  }
}

const textOid = 25;

/** What a batch submits, and what takes the answers. */
function recorded(batch: Submittable, texts: Map<string, string>): { handler: BatchHandler; statements: Sent[] } {
  const statements: Sent[] = [];
  const connection = {
    stream: { cork: () => {}, uncork: () => {} },
    close: () => {},
    parse: ({ name, text }: { name: string; text: string }) => texts.set(name, text),
    bind: ({ statement, values }: { statement: string; values: unknown[] }) =>
      statements.push({ name: statement, text: texts.get(statement) ?? '', values }),
    describe: () => {},
    execute: () => {},
    sync: () => {},
  };
  batch.submit(connection as never);
  return { handler: batch as unknown as BatchHandler, statements };
}

interface BatchHandler {
  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void;
  handleDataRow(message: { fields: unknown[] }): void;
  handleCommandComplete(message: { text: string }): void;
  handleError(error: Error, connection: never): void;
  handleReadyForQuery(connection: never): void;
}

const refused = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
/** As `pg` says it: without a code. */
const closedByClient = (): Error => new Error('Connection terminated unexpectedly');

/** As many sessions at a time as `max` says. */
class ModelPool extends EventEmitter {
  readonly #make: () => ModelClient;
  readonly #max: number;
  readonly #waitMs: number;
  readonly #process: Process;
  #free: ModelClient[] = [];
  #count = 0;
  #waiting: (() => void)[] = [];

  constructor(make: () => ModelClient, { max = 10, connectionTimeoutMillis = 0 }: PoolConfig, process: Process) {
    super();
    this.#make = make;
    this.#max = max;
    this.#waitMs = connectionTimeoutMillis;
    this.#process = process;
  }

  async connect(): Promise<ModelClient> {
    if (this.#free.length === 0 && this.#count >= this.#max) await this.#turn();
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#count += 1;
    const client = Object.assign(this.#make(), { release: (lost: boolean) => this.#release(client, lost) });
    client.on('error', () => this.#drop(client));
    this.emit('connect', client);
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.#count -= 1;
      this.#waiting.shift()?.();
      throw error;
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#process.timers.after(this.#waitMs, () => {
        this.#waiting = this.#waiting.filter((one) => one !== go);
        reject(new Error('timeout exceeded when trying to connect'));
      });
      const go = (): void => {
        cancel();
        resolve();
      };
      this.#waiting.push(go);
    });
  }

  #release(client: ModelClient, lost: boolean): void {
    if (lost) {
      void client.end();
      this.#count -= 1;
    } else this.#free.push(client);
    this.#waiting.shift()?.();
  }

  /** One that dies while nobody uses it is replaced. */
  #drop(client: ModelClient): void {
    if (!this.#free.includes(client)) return;
    this.#free = this.#free.filter((one) => one !== client);
    this.#count -= 1;
  }

  async end(): Promise<void> {
    await Promise.all(this.#free.map((client) => client.end()));
  }
}

export function modelMachine(reach: Reach, open: OpenClients): PostgresMachine {
  const client = (config: ClientConfig) => new ModelClient(reach, config, open);
  return {
    timers: reach.process.timers,
    listens: false,
    client: (config) => client(config) as unknown as Client,
    pool: (config) =>
      new ModelPool(
        () => client({ ...config, connectionTimeoutMillis: 5_000 }),
        config,
        reach.process,
      ) as unknown as Pool,
  };
}
