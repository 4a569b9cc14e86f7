/**
 * Hints between nodes, by NOTIFY: the names of queues and duties that another node should look at now. A commit with
 * NOTIFY locks the whole server, so no transaction of the store sends it: a separate session does nothing else,
 * collects names, and does not wait for the disk. A hint may be lost: every node also looks by itself.
 */
import type { Socket } from 'node:net';
import { Client } from 'pg';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Hints } from './engine.ts';
import { clientConfig, endWithin } from './postgres-session.ts';

const channel = 'heliograph_hints';
/** The pause between two notifications; names that arrive meanwhile are sent with the next one. */
const restMs = 20;
/** More names would not fit into a notification; a node that misses one looks by itself. */
const namesMax = 50;
const reconnectMs = 2_000;

export interface HintsParts {
  databaseUrl: string;
  clock: Pick<Clock, 'after'>;
  logger: Logger;
  givenUp?: AbortSignal | undefined;
  /** The token of this node. */
  token: number;
}

interface Hint {
  /** The schema of the store: a channel belongs to the whole database. */
  store: string;
  node: number;
  names: string[];
}

export function openHints({
  databaseUrl,
  clock,
  logger,
  token,
  givenUp,
}: HintsParts): Hints & { close(): Promise<void> } {
  const sockets = new Set<Socket>();
  let client: Client | null = null;
  let store = '';
  let names = new Set<string>();
  let isSending = false;
  let listen: (name: string) => void = () => {};
  let closed = false;
  let cancel = (): void => {};

  async function connect(): Promise<void> {
    const opened = new Client(clientConfig(databaseUrl, 'heliograph hints', sockets, givenUp));
    opened.on('error', () => lose(opened));
    opened.on('end', () => lose(opened));
    opened.on('notification', ({ payload }) => receive(payload ?? ''));
    try {
      await opened.connect();
      const { rows } = await opened.query<{ store: string }>(`select current_schema() as store`);
      store = rows[0]!.store;
      await opened.query(`set synchronous_commit = off; listen ${channel}`);
      client = opened;
    } catch (error) {
      logger.debug({ cause: (error as Error).message }, 'PostgreSQL: no session for hints');
      opened.removeAllListeners('end');
      opened.end().catch(() => {});
      again();
    }
  }

  function lose(lost: Client): void {
    if (lost !== client) return;
    client = null;
    again();
  }

  function again(): void {
    if (closed) return;
    cancel();
    cancel = clock.after(reconnectMs, () => void connect());
  }

  function receive(payload: string): void {
    const hint = readHint(payload);
    if (hint !== null && hint.store === store && hint.node !== token) for (const name of hint.names) listen(name);
  }

  async function send(): Promise<void> {
    isSending = true;
    while (names.size > 0 && client !== null) {
      const now: Hint = { store, node: token, names: [...names].slice(0, namesMax) };
      names = new Set();
      // A node that misses the hint looks a moment later.
      await client.query('select pg_notify($1, $2)', [channel, JSON.stringify(now)]).catch(() => {});
      await new Promise<void>((resolve) => clock.after(restMs, resolve));
    }
    isSending = false;
  }

  void connect();
  return {
    notify: (name) => {
      if (closed || client === null) return;
      names.add(name);
      if (!isSending) void send();
    },
    onNotified: (listener) => {
      listen = listener;
    },
    close: async () => {
      closed = true;
      cancel();
      await endWithin(client?.end() ?? Promise.resolve(), sockets);
    },
  };
}

/** Null for a notification that no node of ours sent: anybody on the database may notify. */
function readHint(payload: string): Hint | null {
  try {
    const { store, node, names } = JSON.parse(payload) as Partial<Hint>;
    if (typeof store !== 'string' || typeof node !== 'number' || !Array.isArray(names)) return null;
    return { store, node, names: names.filter((name) => typeof name === 'string') };
  } catch {
    return null;
  }
}
