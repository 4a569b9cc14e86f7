/** In the everyday suite `test/store-threads/start-thread.ts` takes its place. */
import { Worker } from 'node:worker_threads';
import { threadMemory } from '../kernel/spare-memory.ts';
import type { SqliteWorkerData } from './sqlite-worker.ts';

/** The parts of a Worker that the store uses. */
export interface StoreThread {
  on(event: 'message', listener: (received: string) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(message: unknown): void;
}

/** Starts a thread of the store. `file`: what it begins with. */
export function startThread(file: URL, data: SqliteWorkerData): StoreThread {
  return new Worker(file, { workerData: data, resourceLimits: threadMemory });
}
