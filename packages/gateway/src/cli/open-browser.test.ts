/** Opening the browser is optional: the opener is called with the address, and a missing one gives a sentence. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBrowser } from './start.ts';

const url = 'http://localhost:8088/setup#k=4R7M-QX2C-9TLD';

it.each([
  ['linux', 'xdg-open'],
  ['darwin', 'open'],
] as const)('on %s calls %s with the whole address', async (platform, command) => {
  const folder = mkdtempSync(join(tmpdir(), 'helio-open-'));
  const seen = join(folder, 'seen');
  writeFileSync(join(folder, command), `#!/bin/sh\nprintf '%s' "$1" > ${seen}.part && mv ${seen}.part ${seen}\n`);
  chmodSync(join(folder, command), 0o755);
  const errors: string[] = [];
  openBrowser(url, { env: { PATH: `${folder}:/usr/bin:/bin` }, error: (text) => errors.push(text) }, platform);
  await expect.poll(() => existsSync(seen)).toBe(true);
  expect([readFileSync(seen, 'utf8'), errors]).toEqual([url, []]);
});

it('says so where there is none', async () => {
  const errors: string[] = [];
  openBrowser(
    url,
    { env: { PATH: mkdtempSync(join(tmpdir(), 'helio-open-')) }, error: (text) => errors.push(text) },
    'linux',
  );
  await expect.poll(() => errors).toEqual(['No browser could be opened (xdg-open). Open the link yourself.\n']);
});
