/**
 * What the PostgreSQL engine gets from outside: sessions, and timers for its waits. The simulation of several nodes
 * (`test/simulation`) passes a modelled server and a virtual clock.
 */
import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';
import type { Timers } from '../kernel/clock.ts';
import { machineTimers } from '../kernel/machine.ts';

export interface PostgresMachine {
  client(config: ClientConfig): Client;
  pool(config: PoolConfig): Pool;
  timers: Timers;
  /** Whether a session can receive hints from other nodes; without hints, polling is enough. */
  listens: boolean;
}

export const postgresMachine: PostgresMachine = {
  client: (config) => new Client(config),
  pool: (config) => new Pool(config),
  timers: machineTimers,
  listens: true,
};

export const pause = ({ after }: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve);
  });
