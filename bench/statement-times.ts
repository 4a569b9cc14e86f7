/**
 * How long each run of a prepared statement took in the server (binding and execution), as PostgreSQL logs it. The server
 * logs every statement for it, so processor time is some microseconds higher than without.
 */

export interface StatementTimes {
  /** Settings of the server. */
  readonly settings: string[];
  /** What the server logs, in pieces. */
  onLog(piece: string): void;
  /** Milliseconds of each run since the last reset. */
  of(statement: string): number[];
  reset(): void;
}

/** Without the parameters, which would be most of the log. */
const settings = ['log_min_duration_statement=0', 'log_parameter_max_length=0', 'log_line_prefix=%p '];

const line = /^(\d+) LOG: {2}duration: ([\d.]+) ms {2}(bind|execute) (\w+):/;

export function createStatementTimes(): StatementTimes {
  /** By process: the time of its last bind, which the execution follows. */
  const bound = new Map<string, number>();
  let times = new Map<string, number[]>();
  let rest = '';
  return {
    settings,
    onLog: (piece) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop()!;
      for (const text of lines) {
        const [, pid, duration, phase, name] = line.exec(text) ?? [];
        if (pid === undefined || name === undefined) continue;
        if (phase === 'bind') bound.set(pid, Number(duration));
        else {
          const runs = times.get(name) ?? [];
          runs.push((bound.get(pid) ?? 0) + Number(duration));
          times.set(name, runs);
        }
      }
    },
    of: (statement) => times.get(statement) ?? [],
    reset: () => {
      times = new Map();
    },
  };
}
