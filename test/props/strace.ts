/**
 * Commands that run the gateway under strace and tamper with its syncs. Linux only; a test checks `hasStrace` first.
 */
import { execFileSync } from 'node:child_process';

export function hasStrace(): boolean {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * The wrapper (see GatewayOptions) under which syncs are replaced: `retval=0` claims success and does nothing,
 * `error=EIO:when=N` fails the Nth sync of each thread and lets the others through.
 */
export function tamperedSyncs(how: 'retval=0' | `error=EIO:when=${number}`): string[] {
  const options = ['-f', '-qq', '-o', '/dev/null', '--seccomp-bpf', '-e', 'trace=fsync,fdatasync'];
  return ['strace', ...options, '-e', `inject=fsync,fdatasync:${how}`];
}
