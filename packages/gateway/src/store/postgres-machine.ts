/**
 * What the PostgreSQL engine takes from outside: sessions, and timers for its waits. The simulation of several nodes
 * (`test/simulation`) gives it a modelled server and a virtual clock.
 */
import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';
import type { Timers } from '../kernel/clock.ts';
import { machineTimers } from '../kernel/machine.ts';

export interface PostgresMachine {
  client(config: ClientConfig): Client;
  pool(config: PoolConfig): Pool;
  timers: Timers;
  /** Whether a session can listen for hints of other nodes; the poll is enough without. */
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
