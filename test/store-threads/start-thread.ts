/** Takes the place of the gateway's `store/start-thread.ts`: a thread whose store was closed serves the next one. */
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { threadMemory } from '../../packages/gateway/src/kernel/spare-memory.ts';
import type { SqliteWorkerData } from '../../packages/gateway/src/store/sqlite-worker.ts';
import type { StoreThread } from '../../packages/gateway/src/store/start-thread.ts';

/** A fixed path: the next run finds the file in V8's compile cache. */
export const bundled = join(import.meta.dirname, '../../node_modules/.cache/heliograph/store-thread.mjs');

const idle: Worker[] = [];

export function startThread(_file: URL, data: SqliteWorkerData): StoreThread {
  const worker = idle.pop() ?? new Worker(bundled, { resourceLimits: threadMemory });
  const { port1: port, port2: its } = new MessageChannel();
  const thread = new EventEmitter();
  const onError = (error: Error) => thread.emit('error', error);
  worker.ref();
  worker.on('error', onError);
  worker.once('message', () => {
    worker.off('error', onError);
    // An idle thread keeps no process alive.
    worker.unref();
    idle.push(worker);
  });
  port.on('message', (message) => thread.emit('message', message));
  // After the last message, whether the thread is idle now or has ended.
  port.on('close', () => thread.emit('exit'));
  worker.postMessage({ data, port: its }, [its]);
  return {
    on: (event: string, listener) => thread.on(event, listener),
    postMessage: (message) => port.postMessage(message),
  };
}
