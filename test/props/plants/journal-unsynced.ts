/**
 * Planted bug: the journal is written and not synced; the database is. The power suite must find lost messages. Nothing
 * is lost while the machine runs.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// SQLite does its syncs natively, so this changes only the journal's.
fs.fdatasyncSync = () => {};
syncBuiltinESMExports();
