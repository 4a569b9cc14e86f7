/** Entry point of the SQLite threads. */
import { parentPort, workerData } from 'node:worker_threads';
import { collectWhenQuiet } from '../kernel/spare-memory.ts';
import { journaledMessages } from '../messaging/store/journaled/recover.ts';
import { serveSqlite } from '../store/sqlite-worker.ts';
import { catalogue } from './modules.ts';

serveSqlite(parentPort!, workerData, catalogue, journaledMessages);
collectWhenQuiet();
