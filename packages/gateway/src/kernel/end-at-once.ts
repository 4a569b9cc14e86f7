/**
 * Ends the process when the disk failed or the database is damaged. A normal exit would close the database: it would
 * sync again, trust the disk's second answer, and delete the log that still has everything. So another program
 * replaces this process and ends with the exit code.
 */

/** sysexits.h EX_SOFTWARE: a bug, a disk that failed, a database found damaged while it is in use. */
export const brokenExitCode = 70;

export function endAtOnce(exitCode: number): never {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${exitCode})`], {});
  } catch {
    // Not on every system, and not in every thread.
  }
  process.kill(process.pid, 'SIGKILL');
  throw new Error('the process goes on after SIGKILL');
}
