/** Where a thread of a SQLite store begins. */
import { journaledMessages } from '../store/messages/recover.ts';
import { serveSqlite } from '../store/sqlite-worker.ts';
import { catalogue } from './modules.ts';

serveSqlite(catalogue, journaledMessages);
