/**
 * Free HTTP/1.1 connections, kept for the next request to the same target. Every connection comes from the dialler,
 * checked, and none is used beyond its maximum age, however busy.
 */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Clock } from './clock.ts';

export interface Connection {
  /** Scheme, host, port and the checked address: a request must have the same to use the connection. */
  readonly key: string;
  /** The HTTP engine over this one socket; it cannot open another. */
  readonly client: Dispatcher;
  readonly socket: Socket;
  readonly openedAtMs: number;
}

export interface ConnectionLimits {
  /** A connection of this age is not used again. */
  readonly ageMs: number;
  /** A free connection is closed after this long, earlier when the server's Keep-Alive header says so. */
  readonly idleMs: number;
  /** Free connections to all targets; the one that has been free longest is closed first. */
  readonly idleMax: number;
}

export interface Connections {
  /** Creates a connection from a socket and its client. */
  open(key: string, client: Dispatcher, socket: Socket): Connection;
  /** Takes a free connection; null when there is none. */
  take(key: string): Connection | null;
  /** Frees a connection whose request is over; a closed or old one is dropped. */
  give(connection: Connection): void;
  drop(connection: Connection): void;
  /** Free connections. */
  readonly idle: number;
  /** Drops every connection, free or not. */
  close(): void;
}

export function createConnections(clock: Clock, limits: ConnectionLimits): Connections {
  const open = new Set<Connection>();
  /** In the order in which they became free. */
  const idle = new Set<Connection>();
  const idleByKey = new Map<string, Connection[]>();

  function leaveIdle(connection: Connection): void {
    if (!idle.delete(connection)) return;
    const rest = idleByKey.get(connection.key)!.filter((other) => other !== connection);
    if (rest.length === 0) idleByKey.delete(connection.key);
    else idleByKey.set(connection.key, rest);
  }

  function drop(connection: Connection): void {
    leaveIdle(connection);
    open.delete(connection);
    connection.socket.destroy();
  }

  const isUsable = ({ socket, openedAtMs }: Connection) =>
    !socket.destroyed && clock.monotonicMs() - openedAtMs < limits.ageMs;

  return {
    open(key, client, socket) {
      const connection = { key, client, socket, openedAtMs: clock.monotonicMs() };
      open.add(connection);
      socket.once('close', () => drop(connection));
      return connection;
    },

    take(key) {
      // The most recently used one, so that the others reach their idle limit sooner.
      for (;;) {
        const connection = idleByKey.get(key)?.at(-1);
        if (connection === undefined) return null;
        leaveIdle(connection);
        if (isUsable(connection)) return connection;
        drop(connection);
      }
    },

    give(connection) {
      if (!isUsable(connection)) return drop(connection);
      idle.add(connection);
      idleByKey.set(connection.key, [...(idleByKey.get(connection.key) ?? []), connection]);
      if (idle.size > limits.idleMax) drop(idle.values().next().value!);
    },

    drop,

    get idle() {
      return idle.size;
    },

    close() {
      for (const connection of open) drop(connection);
    },
  };
}
