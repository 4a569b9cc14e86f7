/**
 * The PostgreSQL session that writes. It holds a lock that shows that it is alive; a node whose session died may no
 * longer write. It must never write after another node took its place, so each transaction compares its token
 * (`postgres-turn.ts`).
 */
import type { Socket } from 'node:net';
import type { Client, ClientConfig } from 'pg';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Catalogue, WriteCall } from './catalogue.ts';
import { createPositions, type Newest, type QueueHeads, type WriteContext } from './context.ts';
import type { CommitInDoubt, NodePlace } from './engine.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';
import type { BroughtIn, HandOutHook, PostgresJournalHook } from './hook.ts';
import { refuseUnfinishedMove } from './move/target.ts';
import type { Answer } from './postgres-batch.ts';
import { clusterPlace } from './postgres-cluster.ts';
import { type CommitMark, CommitMarks, Doubt, forgetMarks, hasMark, inDoubt, writeMark } from './postgres-doubt.ts';
import { isConflict, isConnectionLoss, isServerError, meaning } from './postgres-errors.ts';
import { bringInFrames, PostgresJournal } from './postgres-journal.ts';
import { leaseTimes, NodeLease } from './postgres-lease.ts';
import { type Backend, backendOf, endBackend } from './postgres-lock.ts';
import { type PostgresMachine, pause, postgresMachine } from './postgres-machine.ts';
import { requireOwnSchema } from './postgres-own-schema.ts';
import { freeEnd } from './postgres-partition-steps.ts';
import { onlyPlace, type Place } from './postgres-place.ts';
import { endIfPromoted } from './postgres-promotion.ts';
import { upgradeSchema } from './postgres-schema.ts';
import { clientConfig, endWithin, prepareSession } from './postgres-session.ts';
import { type TransactionOptions, transaction, Unforeseen } from './postgres-transaction.ts';
import { beginTurn, checkedTurn, takenOver } from './postgres-turn.ts';
import type { Operation } from './query.ts';
import { raiseNodeToken } from './system/operations.ts';

const conflictTriesMax = 5;
/** The last wait repeats: after a fail-over no caller is answered before this session is back. */
const reconnectWaitsMs = [50, 100, 250, 500, 1_000];

export interface PostgresOptions {
  /** The modules whose operations it runs. */
  catalogue: Catalogue;
  handOut: HandOutHook;
  /** Absent = every write gets its rows at once; for tests. */
  journal?: PostgresJournalHook;
  databaseUrl: string;
  role: 'node' | 'tool';
  /** A node that finds another acting node waits for the place instead of being refused. */
  standby?: boolean;
  /** The node is one of several on the database, one of which acts. */
  cluster?: boolean;
  clock: Clock;
  logger: Logger;
  /** Called once, before the store is open, when a node that ended left texts in the journal. */
  recovered?: ((found: BroughtIn) => void) | undefined;
  /** Aborted when a stop no longer waits for the server: whoever waits for it gets an error, and later callers too. */
  givenUp?: AbortSignal | undefined;
  /** Absent = the driver and this machine's timers. */
  machine?: PostgresMachine;
}

export class PostgresWriter {
  token = 0;
  /** Why nothing may run any more; also checked before every look-up. */
  broken: StoreBroken | null = null;
  /** Only for the only node. */
  journal: PostgresJournal | null = null;
  /** As the node's last transaction found them. */
  newest: Newest = { records: 0, consent: 0 };
  readonly #options: PostgresOptions;
  readonly #name: string;
  readonly #machine: PostgresMachine;
  readonly #sockets = new WeakMap<Client, Set<Socket>>();
  #client: Client | null = null;
  /** The server's process of the last session. */
  #backend: Backend = { pid: 0, began: '' };
  readonly #positions = createPositions(0);
  /** The log's end as the last transaction found it: the newest event stays, so the position is never too high. */
  #known = 0;
  readonly #place: Place;
  /** Only for a node. */
  #lease: NodeLease | null = null;
  #closed = false;
  #reconnecting: Promise<void> | null = null;
  /** Only for a node: a tool holds no lock that would show whether its earlier session is gone. */
  #marks: CommitMarks | null = null;
  #doubt: Doubt | null = null;
  /** As the last transactions left them. */
  #sending: WriteContext['sending'] = new Map();
  readonly #heads: QueueHeads;
  /** Whether the next transaction will find everything as the last one left it, unless another process writes. */
  #foresees = false;
  /**
   * Claims of commits that were stored although their callers got an error: nobody holds these claims, so they are
   * given back.
   */
  #lost: unknown[] = [];
  /** The mark of a transaction whose session was lost: whether it is stored is not known yet. */
  #unsettled: CommitMark | null = null;

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.#name = options.role === 'node' ? 'heliograph node' : 'heliograph tool';
    this.#heads = { byLane: new Map(), monotonicMs: () => options.clock.monotonicMs() };
    const { cluster = false, standby = false, clock, logger, machine = postgresMachine } = options;
    this.#machine = machine;
    const { timers } = machine;
    this.#place = cluster ? clusterPlace({ clock, timers, logger, times: leaseTimes }) : onlyPlace(standby, logger);
    options.givenUp?.addEventListener('abort', () => {
      this.#closed = true;
      this.#doubt?.giveUp();
    });
  }

  /** Opens the first session. A standby survives a server that goes away while it waits. */
  async open(): Promise<void> {
    const { standby, logger } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#begin();
        return;
      } catch (error) {
        if (standby !== true || !(error instanceof StoreUnavailable)) throw error;
        logger.warn({ tries, cause: causeOf(error) }, 'standby: PostgreSQL cannot be reached');
        await this.#waitToConnect(tries);
      }
    }
  }

  #waitToConnect(tries: number): Promise<void> {
    return pause(this.#machine.timers, reconnectWaitsMs[Math.min(tries, reconnectWaitsMs.length) - 1]!);
  }

  /** Takes lock, schema and token. */
  async #begin(): Promise<void> {
    let client: Client | null = null;
    try {
      client = await this.#connect();
      await requireOwnSchema(client);
      await refuseUnfinishedMove(client);
      const { role } = this.#options;
      if (role === 'node') await this.#place.enter(client);
      await upgradeSchema({
        client,
        isAlone: role === 'node' && this.#place.isAlone,
        isShared: role === 'node' && this.#place.isShared,
        clock: this.#options.clock,
        timers: this.#machine.timers,
        connect: () => this.#connect({ query_timeout: 0 }),
        end: (session) => this.#end(session),
      });
      if (role === 'node') {
        this.token = await transaction(client, raiseNodeToken());
        await this.#takePlace(client);
        await forgetMarks(client);
        this.#marks = new CommitMarks(this.token);
        await this.#openJournal(client);
      }
      this.#backend = await backendOf(client);
      this.#client = client;
    } catch (error) {
      if (client !== null) await this.#end(client);
      throw meaning(error);
    }
  }

  async commit(calls: readonly WriteCall[]): Promise<unknown[][]> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.broken) throw this.broken;
      const client = this.#connected();
      const mark = this.#marks?.next();
      let sent: unknown[][] | null = null;
      const committing = (results: unknown[][]) => {
        sent = results;
      };
      const foresees = this.#foresees;
      try {
        const context = this.#context();
        context.sending = foresees ? this.#sending : new Map();
        const mayBeIdle = calls.every(({ kind }) => this.#options.catalogue.write(kind).idles === true);
        const turn = this.#turn(context, { mark, foresees });
        const done = await this.#transact(client, mark, this.#group(calls, context), {
          ...turn,
          mayBeIdle,
          committing,
        });
        this.#foresees = true;
        this.#sending = context.sending;
        return done;
      } catch (error) {
        if (error instanceof Unforeseen) continue;
        if (attempt < conflictTriesMax && (await freeEnd(client, error))) continue;
        if (isLost(error, sent !== null)) {
          const doubt = sent === null ? null : this.#doubtOf(mark, calls, sent);
          this.#lose(client, error);
          if (doubt !== null) throw doubt;
        }
        if (error instanceof StoreBroken) this.broken = error;
        if (!isConflict(error) || attempt === conflictTriesMax) throw meaning(error);
      }
    }
  }

  /** Moves some of what the journal has in memory to the database. */
  async move(): Promise<void> {
    if (this.broken) throw this.broken;
    const client = this.#connected();
    const context = this.#context();
    try {
      await this.#ofNode(client, this.journal!.move(context), context);
    } catch (error) {
      if (isConnectionLoss(error) || this.#unsettled !== null) this.#lose(client, error);
      const meant = meaning(error);
      if (meant instanceof StoreUnavailable) throw meant;
      // Its callers were answered long ago.
      this.broken =
        meant instanceof StoreBroken
          ? meant
          : new StoreBroken(`the database refuses what the journal holds: ${(meant as Error).message}`);
      throw this.broken;
    }
  }

  #connected(): Client {
    if (this.#client) return this.#client;
    throw new StoreUnavailable('down', 'PostgreSQL is not connected; the session is being renewed');
  }

  /** A transaction that no caller asked for. */
  async #ofNode(client: Client, operation: Operation<unknown>, context: WriteContext): Promise<void> {
    const mark = this.#marks!.next();
    await this.#transact(client, mark, operation, this.#turn(context, { mark }));
  }

  /** The journal learns whether it is stored: at once, or when the next session knows. */
  async #transact<T>(
    client: Client,
    mark: CommitMark | undefined,
    operation: Operation<T>,
    options: TransactionOptions<T>,
  ): Promise<T> {
    this.#foresees = false;
    let isSent = false;
    const committing = (result: T) => {
      isSent = true;
      options.committing?.(result);
    };
    try {
      const done = await transaction(client, operation, { ...options, committing });
      if (mark !== undefined && isSent) this.#marks?.confirm(mark);
      this.journal?.settle(true);
      return done;
    } catch (error) {
      if (isLost(error, isSent)) this.#unsettled = mark ?? null;
      else this.journal?.settle(false);
      throw error;
    }
  }

  #group(calls: readonly WriteCall[], context: WriteContext): Operation<unknown[][]> {
    return this.journal === null ? this.#options.catalogue.runGroup(calls, context) : this.journal.run(calls, context);
  }

  async #openJournal(client: Client): Promise<void> {
    const { journal, catalogue, recovered } = this.#options;
    if (journal === undefined) return;
    const context = this.#context();
    const found = await transaction<BroughtIn | null>(client, bringInFrames(journal, context), this.#turn(context));
    if (found !== null) recovered?.(found);
    if (!this.#place.isShared) this.journal = new PostgresJournal(catalogue, journal, this.token);
  }

  /**
   * How a transaction of the node begins. A tool moves no delivery and adds no event, so it takes no turn. `foresees`:
   * sends its writes together with the look, as if no other process had written since the last transaction; throws
   * Unforeseen if one has.
   */
  #turn(
    context: WriteContext,
    { mark, foresees = false }: { mark?: CommitMark | undefined; foresees?: boolean } = {},
  ): TransactionOptions<unknown> {
    if (this.#options.role === 'tool') return {};
    // When several nodes write, what they own also changes meanwhile.
    const alone = foresees && !this.#place.isShared;
    const expected = { ...this.#positions.end(), ...this.newest };
    if (alone) context.newest = this.newest;
    const known = this.#known;
    const begun = (answers: Answer[]) => {
      const { position, run, ...found } = checkedTurn(answers, this.token);
      this.#known = position;
      // Somebody has deleted rows of the log by hand.
      if (position < known) throw new Unforeseen();
      this.newest = found.newest;
      if (!alone) {
        this.#positions.goOn(position, run);
        Object.assign(context, found);
      } else if (position !== expected.position || run > expected.run || !isSame(found.newest, expected))
        throw new Unforeseen();
    };
    return {
      begin: [
        ...beginTurn(this.#place.leaseName(), this.#place.turnColumns(), {
          position: known,
          run: Math.max(0, expected.run),
        }),
        ...(mark ? writeMark(mark) : []),
      ],
      begun,
      foresees: alone,
    };
  }

  /** False while another node may have taken over. */
  mayHandOver(): boolean {
    return this.broken === null && (this.#lease?.isHeld() ?? true);
  }

  leaseLeftMs(): number | null {
    return this.#lease?.leftMs() ?? null;
  }

  get place(): NodePlace {
    return this.#place;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#reconnecting;
    await this.#lease?.stop();
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    if (this.#lease !== null) await this.#place.release(client).catch(() => {});
    await this.#end(client);
  }

  async #takePlace(client: Client): Promise<void> {
    const { clock, logger } = this.#options;
    const takenMs = clock.monotonicMs();
    await this.#place.take(client, this.token);
    const connect = () => this.#connect({ query_timeout: leaseTimes.renewEveryMs * 2 });
    const { renew } = this.#place;
    const lost = () => {
      this.broken = takenOver();
    };
    const parts = { times: leaseTimes, clock, logger, connect, renew, lost };
    this.#lease = new NodeLease({ ...parts, end: (session) => this.#end(session) }, takenMs);
  }

  /** What the callers of a commit without an answer get. A tool has no mark to look up. */
  #doubtOf(
    mark: CommitMark | undefined,
    calls: readonly WriteCall[],
    results: unknown[][],
  ): CommitInDoubt | StoreUnavailable {
    if (mark === undefined || this.#closed) return inDoubt();
    this.#doubt = new Doubt(mark, results, this.#options.handOut.handedOut(calls, results), this.#machine.timers);
    return this.#doubt.error;
  }

  async #connect(more: Pick<ClientConfig, 'query_timeout'> = {}): Promise<Client> {
    const sockets = new Set<Socket>();
    const { databaseUrl, givenUp } = this.#options;
    const client = this.#machine.client({ ...clientConfig(databaseUrl, this.#name, sockets, givenUp), ...more });
    this.#sockets.set(client, sockets);
    // An idle session that dies reports it here; without a listener the error would end the process.
    client.on('error', (error) => this.#lose(client, error));
    try {
      await client.connect();
      await prepareSession(client);
      return client;
    } catch (error) {
      void this.#end(client);
      throw error;
    }
  }

  #end(client: Client): Promise<void> {
    return endWithin(client.end(), this.#sockets.get(client)!);
  }

  #lose(client: Client, error: unknown): void {
    if (client !== this.#client) return;
    this.#client = null;
    void this.#end(client);
    if (this.#closed) return;
    this.#options.logger.warn({ cause: causeOf(error) }, 'PostgreSQL: the session is lost and is being renewed');
    const renewing = this.#reconnect().finally(() => {
      if (this.#reconnecting === renewing) this.#reconnecting = null;
    });
    this.#reconnecting = renewing;
  }

  async #reconnect(): Promise<void> {
    const { logger } = this.#options;
    for (let tries = 1; !this.#closed && !this.broken && !this.#client; tries += 1) {
      await this.#waitToConnect(tries);
      let client: Client | null = null;
      try {
        client = await this.#connect();
        const known = await this.#resume(client);
        this.#client = client;
        known();
        logger.warn({ tries }, 'PostgreSQL: the session is renewed');
      } catch (error) {
        if (client !== null) void this.#end(client);
        if (error instanceof StoreBroken) this.broken = error;
        if (error instanceof StoreRefused) this.broken = new StoreBroken(error.message);
        if (this.broken !== null) this.#doubt?.settle(this.broken);
        // Logs the 1st, 2nd, 4th, 8th … failure, so that a long absence does not log a line every second.
        if (Number.isInteger(Math.log2(tries))) logger.warn({ tries, cause: causeOf(error) }, 'PostgreSQL: still away');
      }
    }
  }

  /** Nothing is carried over from one transaction to the next, because the answer to a commit may be lost. */
  #context(): WriteContext {
    const now = this.#options.clock.now();
    return { token: this.token, now, positions: this.#positions, sending: new Map(), heads: this.#heads };
  }

  /**
   * Takes the place again and makes sure that no other node held it meanwhile. Resolves with a function that ends the
   * doubt about the last commit; call it in the same turn, once the session may be used.
   */
  async #resume(client: Client): Promise<() => void> {
    if (this.#options.role === 'tool') return () => {};
    const backend = await backendOf(client);
    // The server may not have noticed that the old session is gone: its lock would keep this node out.
    await endBackend(client, this.#backend, this.#name);
    if (!(await this.#place.resume(client))) throw new StoreUnavailable('busy', 'the session before has not ended yet');
    // The old session has ended, so its work has either committed or never will. This session may be lost while it
    // waits for a standby.
    this.#backend = backend;
    await endIfPromoted(client, this.#marks!);
    if (this.#unsettled !== null) this.journal?.settle(await hasMark(client, this.#unsettled));
    this.#unsettled = null;
    await this.#giveBack(client);
    const doubt = this.#doubt;
    if (doubt === null) return () => {};
    const stored = await hasMark(client, doubt.mark);
    if (stored) this.#marks?.confirm(doubt.mark);
    this.#doubt = null;
    if (stored && doubt.givenUp) {
      this.#lost.push(...doubt.handedOut);
      await this.#giveBack(client);
    }
    return () => doubt.settle(stored ? 'stored' : 'nothing');
  }

  async #giveBack(client: Client): Promise<void> {
    if (this.#lost.length === 0) return;
    const context = this.#context();
    const operation = this.#group([this.#options.handOut.giveBack(this.#lost, context.now)], context);
    await this.#ofNode(client, operation, context);
    this.#lost = [];
  }
}

const isSame = (one: Newest, other: Newest): boolean => one.records === other.records && one.consent === other.consent;

/** Whether the session is lost; if its commit was sent, the outcome is unknown. */
const isLost = (error: unknown, isSent: boolean): boolean =>
  isConnectionLoss(error) || (isSent && !isServerError(error));

function causeOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return `${message ?? error}${code === undefined ? '' : ` (${code})`}`.slice(0, 300);
}
