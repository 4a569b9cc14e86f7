/**
 * The end of a process whose disk failed or whose database is damaged. An ordinary exit would close the database, which writes
 * and syncs once more, believes the second answer of the disk, and throws away the log that still has everything. So nothing of
 * this process runs any more: another program takes its place, and that one ends with the exit code.
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
