/** The steps of a connection test for display, each with its duration. */
import type { Clock } from '../kernel/clock.ts';
import type { ConnectionStep } from './kind.ts';

/** Time limit of each connection, as a person waits for it. */
export const patienceMs = 15_000;

export function recordSteps(clock: Clock) {
  const steps: ConnectionStep[] = [];
  let since = clock.monotonicMs();
  const add = (step: string, ok: boolean, detail: string): void => {
    const now = clock.monotonicMs();
    steps.push({ step, ok, detail, tookMs: Math.round(now - since) });
    since = now;
  };
  return { steps, add };
}
