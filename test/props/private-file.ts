/** A file with a secret, for settings that name a file; deleted when the process ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function privateFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'helio-secret-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'secret');
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return file;
}
