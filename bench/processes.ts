/** Helper processes that answer requests over IPC one at a time, and the CPU and memory that a process used. */
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Helper<Command> {
  readonly pid: number;
  ask<Answer>(command: Command): Promise<Answer>;
  stop(): void;
}

/** Forks `file` (relative to this folder), which calls `answerParent`. */
export function startHelper<Command extends object>(file: string, ...argumentsOf: string[]): Helper<Command> {
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), argumentsOf);
  return {
    pid: child.pid!,
    ask: (command) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null): void => reject(new Error(`${file} ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (answer) => {
          child.off('exit', ended);
          resolve(answer as never);
        });
        child.send(command);
      }),
    stop: () => child.kill('SIGKILL'),
  };
}

/** Runs in the child: sends one answer for each command. */
export function answerParent<Command>(answer: (command: Command) => unknown): void {
  process.on('message', async (command) => process.send!(await answer(command as Command)));
  process.on('disconnect', () => process.exit(0));
}

export interface Usage {
  /** User and system time of all threads. */
  cpuSeconds: number;
  /** Peak of resident memory. */
  rssPeakMb: number;
}

/** Clock ticks a second in /proc: 100 on every Linux. */
const ticksPerSecond = 100;

/** Null where there is no /proc. */
export function usageOf(pid: number): Usage | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
    const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
      rssPeakMb: Number(peak?.[1] ?? 0) / 1024,
    };
  } catch {
    return null;
  }
}

/** MB resident now in this process and all its descendants; null without /proc. */
export function residentMb(pid: number): number | null {
  try {
    const held = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + (residentMb(Number(child)) ?? 0), Number(held?.[1] ?? 0) / 1024);
  } catch {
    return null;
  }
}

/** CPU seconds that the whole machine has used since boot; null without /proc. */
export function machineCpuSeconds(): number | null {
  try {
    const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'latin1')
      .split('\n', 1)[0]!
      .trim()
      .split(/\s+/)
      .slice(1)
      .map(Number);
    return (user! + nice! + system! + irq! + softirq!) / ticksPerSecond;
  } catch {
    return null;
  }
}

/** CPU seconds of the children that a process has, and of those that have ended (proc(5): cutime, cstime). */
export function childrenCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  return childrenOf(pid).reduce((sum, child) => sum + (usageOf(child)?.cpuSeconds ?? 0), ended);
}

export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number),
  );
}
