/** Runs a command as a person does, without a process of its own: what it printed, and its exit code. */
import { runHelio } from './program.ts';

export interface Ran {
  code: number;
  out: string;
  error: string;
}

export async function helio(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const seen = { out: '', error: '' };
  const terminal = {
    out: (text: string) => {
      seen.out += text;
    },
    error: (text: string) => {
      seen.error += text;
    },
    env,
  };
  return { code: await runHelio(args, terminal), ...seen };
}
