/**
 * The modelled PostgreSQL server: sessions with transactions, locks, time-outs and a clock of its own over one database in
 * memory. Sessions take turns statement by statement; what one has not committed nobody else sees.
 */
import { t0 } from '../props/clock.ts';
import { Locks } from './model-locks.ts';
import { ServerError, Session, type SessionHost } from './model-session.ts';
import { ModelSql, type Ready, type Rows } from './model-sql.ts';
import { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';

/** Is shown every transaction that changed something, before its commit and after it. */
export interface CommitWatcher {
  committing(session: Session, changed: ReadonlySet<string>): void;
  committed(session: Session): void;
}

export class ModelServer implements SessionHost {
  readonly scheduler: Scheduler;
  readonly sql: ModelSql;
  readonly locks = new Locks();
  readonly sessions = new Set<Session>();
  /** Its timers; it can stand still, as a server that is frozen. */
  process: Process;
  watcher: CommitWatcher | null = null;
  isDown = false;
  readonly #skewMs: number;
  /** Whose changes are in the open transaction of the database. */
  #active: Session | null = null;
  #nextPid = 1;

  constructor(scheduler: Scheduler, skewMs: number) {
    this.scheduler = scheduler;
    this.#skewMs = skewMs;
    this.process = new Process(scheduler, { skewMs, drift: 0 });
    this.sql = new ModelSql(() => this.now());
  }

  now(): number {
    return Math.floor(t0 + this.#skewMs + this.scheduler.nowMs);
  }

  open(): Session {
    const session = new Session(this, this.#nextPid++);
    this.sessions.add(session);
    return session;
  }

  byPid(pid: number): Session | undefined {
    return [...this.sessions].find((session) => session.pid === pid);
  }

  /** Every session ends, and what was not committed is gone; it takes connections again when it is back. */
  crash(): void {
    this.isDown = true;
    for (const session of this.sessions) session.end(new ServerError('57P01', 'terminating connection', 'FATAL'));
  }

  /** What is committed, for those who look from outside. */
  committedRows<Row>(sql: string, ...values: string[]): Row[] {
    this.#park(null);
    return this.sql.rows<Row>(sql, ...values);
  }

  /** A read, or a change outside of a transaction, which is committed at once. */
  runAlone(session: Session, ready: Ready): Rows {
    if (ready.changes === null) {
      this.#park(session);
      return ready.run();
    }
    this.#park(null);
    this.sql.db.exec('begin');
    try {
      const rows = ready.run();
      if (rows.count > 0) this.watcher?.committing(session, new Set([ready.changes]));
      this.sql.db.exec('commit');
      if (rows.count > 0) this.watcher?.committed(session);
      return rows;
    } catch (error) {
      if (this.sql.db.isTransaction) this.sql.db.exec('rollback');
      throw error;
    }
  }

  /** In the transaction of a session, which sees its own changes. */
  runWithin(session: Session, ready: Ready): Rows {
    if (ready.changes === null && session.changes.length === 0) return this.runAlone(session, ready);
    this.#activate(session);
    return ready.run();
  }

  commit(session: Session): void {
    if (session.changes.length === 0) return;
    this.#activate(session);
    this.watcher?.committing(session, session.changed);
    this.sql.db.exec('commit');
    this.#active = null;
    this.watcher?.committed(session);
  }

  rollback(session: Session): void {
    if (this.#active !== session) return;
    this.sql.db.exec('rollback');
    this.#active = null;
  }

  /** Shows the database as this session sees it. */
  #activate(session: Session): void {
    if (this.#active === session) return;
    this.#park(session);
    this.sql.db.exec('begin');
    this.#active = session;
    for (const change of session.changes) change.run();
  }

  /**
   * Takes out what another session has not committed; it is put in again at that one's next statement. The locks of the tables
   * that it changes keep everybody else from changing what it has seen.
   */
  #park(but: Session | null): void {
    if (this.#active === null || this.#active === but) return;
    this.sql.db.exec('rollback');
    this.#active = null;
  }
}
