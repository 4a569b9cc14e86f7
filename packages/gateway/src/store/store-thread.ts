/** Where a thread of a SQLite store begins. */
import { catalogue } from './modules.ts';
import { serveSqlite } from './sqlite-worker.ts';

serveSqlite(catalogue);
