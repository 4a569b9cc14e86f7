/** A bare Debian to install things into. Made once for a checkout: it takes half a minute. Needs root and debootstrap. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const suite = 'bookworm';
const kept = fileURLToPath(new URL(`../../node_modules/.cache/debian-${suite}.tar`, import.meta.url));

/** False where it cannot be made. CI has the tools, so a missing tool is a fault there. */
export function canMakeDebian(): boolean {
  const lacks = process.getuid?.() !== 0 || !existsSync('/usr/sbin/debootstrap');
  if (lacks && process.env.CI !== undefined)
    throw new Error('needs root and debootstrap (apt-get install debootstrap)');
  return !lacks;
}

/** A tar of its files. */
export function debianTar(): string {
  if (existsSync(kept)) return kept;
  // Another file of tests may make one at the same time.
  const root = `${kept}.${process.pid}`;
  mkdirSync(dirname(kept), { recursive: true });
  execFileSync('debootstrap', ['--variant=minbase', suite, root], { stdio: 'ignore' });
  execFileSync('tar', ['cf', `${root}.part`, '-C', root, '--one-file-system', '.']);
  rmSync(root, { recursive: true });
  renameSync(`${root}.part`, kept);
  return kept;
}

export interface DebianRoot {
  folder: string;
  run(...command: string[]): string;
  remove(): void;
}

/** Fills an empty `folder` with a Debian. */
export function debianRoot(folder: string): DebianRoot {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['xpf', debianTar(), '-C', folder]);
  execFileSync('mount', ['-t', 'proc', 'proc', join(folder, 'proc')]);
  return {
    folder,
    run: (...command) =>
      execFileSync('chroot', [folder, ...command], {
        encoding: 'utf8',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    remove: () => {
      execFileSync('umount', [join(folder, 'proc')]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
