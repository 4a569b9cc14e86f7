/**
 * A session of the modelled server: one message of statements at a time, in a transaction or not. A statement that needs a
 * lock which another session has waits for it.
 */
import type { Answer, Sent } from '../../packages/gateway/src/store/postgres-batch.ts';
import type { Locks } from './model-locks.ts';
import type { ModelSql, Ready, Rows } from './model-sql.ts';
import type { Process } from './process.ts';

const lockTimeoutMs = 2_000;

/** As `pg` gives an error of the server. */
export class ServerError extends Error {
  readonly code: string;
  readonly severity: string;
  constructor(code: string, message: string, severity = 'ERROR') {
    super(message);
    this.code = code;
    this.severity = severity;
  }
}

/** Rows of each statement up to the one that failed. */
export interface Reply {
  answers: (Answer & { names: string[] })[];
  error?: ServerError;
}

const none: Rows = { names: [], rows: [], count: 0 };
const oneRow = (row: Record<string, unknown>): Rows => ({
  names: Object.keys(row),
  rows: [Object.values(row)],
  count: 1,
});

/** The server of a session. */
export interface SessionHost {
  readonly sql: Pick<ModelSql, 'ready' | 'rows'>;
  readonly locks: Locks;
  /** Its timers stand still with it. */
  readonly process: Pick<Process, 'timers'>;
  readonly sessions: Set<Session>;
  byPid(pid: number): Session | undefined;
  runAlone(session: Session, ready: Ready): Rows;
  runWithin(session: Session, ready: Ready): Rows;
  commit(session: Session): void;
  rollback(session: Session): void;
}

export class Session {
  readonly pid: number;
  readonly #server: SessionHost;
  name = '';
  isInTransaction = false;
  #hasFailed = false;
  /** What its transaction has changed, to be done again. */
  changes: Ready[] = [];
  changed = new Set<string>();
  /** The node whose turn it is, by the look at its lease. */
  node: number | null = null;
  isOpen = true;
  /** The client learns that it has ended. */
  ended: (error: Error) => void = () => {};
  #idleMs = 10_000;
  #cancelIdle = (): void => {};
  #stopWaiting = (): void => {};

  constructor(server: SessionHost, pid: number) {
    this.#server = server;
    this.pid = pid;
  }

  /** `done` may be called later: statements wait for locks. Nobody is answered by a session that has ended. */
  handle(statements: readonly Sent[], done: (reply: Reply) => void): void {
    this.#cancelIdle();
    this.#goOn(statements, { answers: [] }, done);
  }

  #goOn(statements: readonly Sent[], reply: Reply, done: (reply: Reply) => void): void {
    while (reply.answers.length < statements.length) {
      const statement = statements[reply.answers.length]!;
      const key = this.#lockOf(statement);
      if (key !== null && !this.#server.locks.tryTake(key.name, { owner: this, ...key })) {
        this.#waitFor(
          key,
          () => this.#goOn(statements, reply, done),
          (error) => this.#fail(reply, error, done),
        );
        return;
      }
      try {
        reply.answers.push(answerOf(this.#run(statement)));
      } catch (error) {
        this.#fail(reply, error instanceof ServerError ? error : new ServerError('XX000', String(error)), done);
        return;
      }
      // Its own session, ended by itself.
      if (!this.isOpen) return;
      if (!this.isInTransaction) this.#server.locks.release(this, 'transaction');
    }
    this.#done(reply, done);
  }

  #fail(reply: Reply, error: ServerError, done: (reply: Reply) => void): void {
    if (this.isInTransaction) this.#hasFailed = true;
    else this.#server.locks.release(this, 'transaction');
    this.#done({ ...reply, error }, done);
  }

  #done(reply: Reply, done: (reply: Reply) => void): void {
    if (this.isInTransaction) {
      this.#cancelIdle = this.#server.process.timers.after(this.#idleMs, () =>
        this.end(new ServerError('25P03', 'terminating connection due to idle-in-transaction timeout', 'FATAL')),
      );
    }
    done(reply);
  }

  #waitFor(key: LockKey, granted: () => void, failed: (error: ServerError) => void): void {
    const { locks, process } = this.#server;
    let isOver = false;
    const cancelTimer = process.timers.after(lockTimeoutMs, () => {
      if (isOver) return;
      this.#stopWaiting();
      failed(new ServerError('55P03', 'canceling statement due to lock timeout'));
    });
    const goOn = (): void => {
      if (this.isOpen) granted();
    };
    const has = (): void => {
      isOver = true;
      cancelTimer();
      process.timers.after(0, goOn);
    };
    const leave = locks.wait(key.name, { owner: this, ...key, granted: has });
    this.#stopWaiting = () => {
      if (isOver) return;
      isOver = true;
      cancelTimer();
      leave();
    };
  }

  /** Which lock a statement must have before it runs. */
  #lockOf({ name, text, values }: Sent): LockKey | null {
    if (this.#hasFailed) return null;
    const advisory = /^select pg_advisory_xact_lock(_shared)?\((.*)\)$/.exec(text.trim());
    if (advisory !== null) return { name: advisory[2]!, shared: advisory[1] !== undefined, of: 'transaction' };
    if (isControl(text)) return null;
    const { changes } = this.#server.sql.ready({ name, text, values });
    return changes === null ? null : { name: `table ${changes}`, shared: false, of: 'transaction' };
  }

  #run(sent: Sent): Rows {
    const text = sent.text.trim();
    if (/^begin/.test(text)) this.isInTransaction = true;
    else if (text === 'commit' || text === 'rollback') this.#endTransaction(text);
    else if (this.#hasFailed) throw new ServerError('25P02', 'current transaction is aborted');
    else return this.#special(text, sent) ?? this.#statement(sent);
    return none;
  }

  #endTransaction(how: 'commit' | 'rollback'): void {
    if (how === 'commit' && !this.#hasFailed) this.#server.commit(this);
    else this.#server.rollback(this);
    this.#forgetTransaction();
    this.#server.locks.release(this, 'transaction');
  }

  #forgetTransaction(): void {
    this.isInTransaction = false;
    this.#hasFailed = false;
    this.changes = [];
    this.changed = new Set();
    this.node = null;
  }

  #statement(sent: Sent): Rows {
    const look = /from leases where name = 'node\/(\d+)'\) as epoch/.exec(sent.text);
    if (look !== null) this.node = Number(look[1]);
    const ready = this.#server.sql.ready(sent);
    if (!this.isInTransaction) return this.#server.runAlone(this, ready);
    const rows = this.#server.runWithin(this, ready);
    if (ready.changes !== null) {
      this.changes.push(ready);
      this.changed.add(ready.changes);
    }
    return rows;
  }

  /** What only a server of PostgreSQL has. */
  #special(text: string, { name, values }: Sent): Rows | null {
    if (name === 'select_control_rights') return oneRow({ granted: 0 });
    if (/^set /.test(text)) {
      const idle = /idle_in_transaction_session_timeout = '?(\d+)(s?)/.exec(text);
      if (idle !== null) this.#idleMs = Number(idle[1]) * (idle[2] === 's' ? 1_000 : 1);
      return none;
    }
    if (text === 'show synchronous_commit') return oneRow({ synchronous_commit: 'on' });
    if (text.includes('from pg_settings')) return settings;
    if (text.includes('has_schema_privilege'))
      return oneRow({ role: 'gateway', schema: 'gateway', path: '"$user", public', may_create: 1 });
    if (/^select pg_advisory_xact_lock/.test(text)) return none;
    if (text.includes('to_regclass')) return oneRow({ found: null });
    if (text.startsWith('select pg_backend_pid()')) return oneRow({ pid: this.pid });
    if (text.includes('pg_terminate_backend')) return this.#terminate(text, values);
    if (text.includes('from pg_stat_activity')) return oneRow({ pid: this.pid, began: `${this.pid}` });
    const attempt = /^select case when pg_try_advisory_lock(_shared)?\((.*)\) then 1/.exec(text);
    if (attempt !== null) {
      const key = { owner: this, shared: attempt[1] !== undefined, of: 'session' } as const;
      return oneRow({ locked: this.#server.locks.tryTake(attempt[2]!, key) ? 1 : 0 });
    }
    const unlock = /^select pg_advisory_unlock\((.*)\)$/.exec(text);
    if (unlock === null) return null;
    this.#server.locks.release(this, 'session', unlock[1]!);
    return none;
  }

  /** A former session of the same program, or the holder of a lock whose lease is over. */
  #terminate(text: string, values: readonly unknown[]): Rows {
    const lock = /classid::bigint = (\d+) and l\.objid::bigint = \((.*?)\)::bigint/.exec(text);
    const ended: Session[] = [];
    if (lock === null) {
      const other = this.#server.byPid(Number(values[0]));
      if (other !== undefined && other !== this && other.name === values[2]) ended.push(other);
    } else {
      const over = this.#server.sql.rows(
        'select 1 from leases where name = ?1 and expires_at < db_now()',
        values[0] as string,
      );
      const holders = this.#server.locks.holders(`${lock[1]}, ${lock[2]}`) as Session[];
      if (over.length > 0) ended.push(...holders);
    }
    for (const session of ended) session.end(new ServerError('57P01', 'terminating connection', 'FATAL'));
    return none;
  }

  /** Whatever it was doing is undone. */
  end(error: Error): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#cancelIdle();
    this.#stopWaiting();
    this.#server.rollback(this);
    this.#forgetTransaction();
    this.#server.sessions.delete(this);
    this.#server.locks.release(this, 'all');
    this.ended(error);
  }
}

interface LockKey {
  name: string;
  shared: boolean;
  of: 'transaction';
}

const isControl = (text: string): boolean =>
  /^\s*(begin|commit|rollback|set |show )|pg_settings|advisory_|pg_terminate|pg_backend_pid|pg_stat_activity|to_regclass|has_function_privilege|has_schema_privilege/.test(
    text,
  );

const settings: Rows = {
  names: ['name', 'setting'],
  rows: Object.entries({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    server_version_num: '180004',
    transaction_read_only: 'off',
    version: 'PostgreSQL 18.4 (modelled)',
  }),
  count: 6,
};

function answerOf({ names, rows, count }: Rows): Answer & { names: string[] } {
  const objects = rows.map((cells) => Object.fromEntries(names.map((name, place) => [name, cells[place]])));
  return { names, rows: objects as Answer['rows'], rowCount: count };
}
