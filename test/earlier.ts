/** A published version as a checkout of its own beside this one, from its tag, with the packages that are installed here. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
/** Ours: linked to the sources of the version itself. */
const ownNames = ['@heliograph', 'heliograph', '.cache'];

export interface EarlierVersion {
  readonly checkout: string;
  remove(): void;
}

export function checkOutVersion(tag: string): EarlierVersion {
  const checkout = mkdtempSync(join(tmpdir(), 'helio-earlier-'));
  const unpacked = spawnSync('sh', ['-c', `git archive "$0" | tar -x -C "$1"`, tag, checkout], {
    cwd: here,
    encoding: 'utf8',
  });
  if (unpacked.status !== 0 || !existsSync(join(checkout, 'packages'))) {
    rmSync(checkout, { recursive: true });
    throw new Error(`no ${tag} in this repository (git fetch --tags): ${unpacked.stderr}`);
  }
  const modules = join(checkout, 'node_modules');
  mkdirSync(join(modules, '@heliograph'), { recursive: true });
  for (const name of readdirSync(join(here, 'node_modules'))) {
    if (!ownNames.includes(name)) symlinkSync(join(here, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(checkout, 'packages'))) {
    const link = name === 'gateway' ? 'heliograph' : join('@heliograph', name);
    symlinkSync(join(checkout, 'packages', name), join(modules, link));
    const own = join(here, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(checkout, 'packages', name, 'node_modules'));
  }
  return { checkout, remove: () => rmSync(checkout, { recursive: true }) };
}
