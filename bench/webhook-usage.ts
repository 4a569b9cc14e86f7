/** CPU by process and by thread, and memory, from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { machineCpuSeconds, usageOf } from './processes.ts';

const ticksPerSecond = 100;

/** Resident memory now. */
export function rssMb(pid: number): number {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Math.round(Number(resident?.[1] ?? 0) / 1_024);
}

/**
 * Starts to measure; the returned function gives the CPU seconds since then: of all threads, of each thread, and of the
 * other processes.
 */
export function watchCpu(gateway: number, helpers: Readonly<Record<string, number>>) {
  const threads = threadSeconds(gateway);
  const others = Object.entries(helpers).map(([name, pid]) => ({ name, pid, before: seconds(pid) }));
  const own = seconds(gateway);
  const machine = machineCpuSeconds() ?? 0;
  return () => {
    const used = seconds(gateway) - own;
    const helped = others.map(({ name, pid, before }) => ({ name, seconds: seconds(pid) - before }));
    const known = helped.reduce((sum, helper) => sum + helper.seconds, used);
    return {
      gateway: used,
      threads: [...threadSeconds(gateway)]
        .map(([id, now]) => now - (threads.get(id) ?? 0))
        .filter((spent) => spent > 0.2)
        .sort((a, b) => b - a),
      helpers: helped,
      foreign: (machineCpuSeconds() ?? 0) - machine - known,
    };
  };
}

function seconds(pid: number): number {
  return usageOf(pid)?.cpuSeconds ?? 0;
}

function threadSeconds(pid: number): Map<string, number> {
  return new Map(
    readdirSync(`/proc/${pid}/task`).map((id) => {
      const fields = readFileSync(`/proc/${pid}/task/${id}/stat`, 'latin1').split(') ')[1]!.split(' ');
      return [id, (Number(fields[11]) + Number(fields[12])) / ticksPerSecond];
    }),
  );
}
