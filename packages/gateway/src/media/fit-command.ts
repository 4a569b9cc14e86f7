/**
 * Starts the fit process with minimal rights: no environment, no files but its code, no network, no child processes,
 * and kernel limits on memory, CPU time and files.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export type FitChild = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Data segment in KiB. V8 alone reserves 512 MiB of it for code on x64 and touches little of that, which leaves about
 * 350 MiB. A backstop: `kindOf` already refuses images that would need so much.
 */
const dataKib = 900_000;
/** CPU time of a process over its lifetime. Ends one that spins after the gateway is gone. */
const cpuSeconds = 600;
/** No core dump (it would hold pictures) and no file. Limits that this system cannot set are skipped. */
const limits = ['-c 0', '-f 0', `-t ${cpuSeconds}`, `-d ${dataKib}`];
const limited = [...limits.map((limit) => `(ulimit ${limit}) 2>/dev/null && ulimit ${limit}`), 'exec "$0" "$@"'].join(
  '; ',
);

/** Tuning, no secrets: one decoding at a time, and memory returned at once instead of kept for the next job. */
const environment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '2',
};

export function startFitChild(): FitChild {
  // The same extension as this file: .ts from the sources, .js once built.
  const file = fileURLToPath(import.meta.url.replace(/fit-command(\.\w+)$/, 'fit-child$1'));
  const readable = [`${dirname(file)}${sep}`, packagesFolder()].map((folder) => `--allow-fs-read=${folder}`);
  const flags = ['--permission', '--allow-addons', '--disable-warning=SecurityWarning', '--max-old-space-size=64'];
  return spawn('/bin/sh', ['-c', limited, process.execPath, ...flags, ...readable, file], {
    cwd: '/',
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** The `node_modules` with sharp and its dependencies. */
function packagesFolder(): string {
  const sharp = createRequire(import.meta.url).resolve('sharp');
  const name = `${sep}node_modules${sep}`;
  return sharp.slice(0, sharp.lastIndexOf(name) + name.length);
}
