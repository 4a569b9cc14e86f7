/** What a thread of `start-thread.ts` runs: it serves the stores that it is told of, one after the other. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { catalogue } from '../../packages/gateway/src/app/modules.ts';
import { journaledMessages } from '../../packages/gateway/src/messaging/store/journaled/recover.ts';
import { type SqliteWorkerData, serveSqlite } from '../../packages/gateway/src/store/sqlite-worker.ts';

parentPort!.on('message', ({ data, port }: { data: SqliteWorkerData; port: MessagePort }) => {
  serveSqlite(port, data, catalogue, journaledMessages);
  // What a store that could not be opened has left behind only ends with the thread.
  if (port.listenerCount('message') === 0) parentPort!.close();
  else port.on('close', () => parentPort!.postMessage('idle'));
});
