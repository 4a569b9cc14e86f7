/**
 * Ends the process when the disk failed or the database is damaged. A normal exit would close the database: it would
 * sync again, trust the disk's second answer, and delete the log that still has everything. So another program replaces
 * this process and exits with the code.
 */

/** sysexits.h EX_SOFTWARE: a bug, a failed disk, or a database found damaged while in use. */
export const brokenExitCode = 70;

export function endAtOnce(exitCode: number): never {
  try {
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${exitCode})`], {});
  } catch {
    // Unavailable on some systems and in threads.
  }
  process.kill(process.pid, 'SIGKILL');
  throw new Error('the process goes on after SIGKILL');
}
