/** Before all tests, the portal is built as `npm start` builds it: pages, and what the gateway tells of them, need it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../packages/portal/build.js')], { stdio: 'inherit' });
}
