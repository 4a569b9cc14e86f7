/** Time limits as abort signals, on a given clock. */
import type { Clock } from './clock.ts';

/** Runs `work` with a signal that aborts after `ms` or together with `parent`. `work` must obey it. */
export async function timeLimit<T>(
  clock: Clock,
  ms: number,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const cancel = clock.after(ms, abort);
  if (parent.aborted) abort();
  else parent.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    cancel();
    parent.removeEventListener('abort', abort);
  }
}

/** `work`, or null when `signal` aborts first; the work itself continues and its result is ignored. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const abort = () => resolve(null);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
