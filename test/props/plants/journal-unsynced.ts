/**
 * Planted bug: the journal is written and not synced; the database is. The power suite must find lost messages with it. As
 * long as the machine runs nothing is missing.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// SQLite makes its syncs itself.
fs.fdatasyncSync = () => {};
syncBuiltinESMExports();
