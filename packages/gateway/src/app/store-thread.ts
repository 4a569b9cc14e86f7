/** Entry point of the SQLite threads. */
import { journaledMessages } from '../messaging/store/journaled/recover.ts';
import { serveSqlite } from '../store/sqlite-worker.ts';
import { catalogue } from './modules.ts';

serveSqlite(catalogue, journaledMessages);
