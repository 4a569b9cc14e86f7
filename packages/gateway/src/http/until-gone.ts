/** Waits that end when the caller hangs up. What is waited for is not known here. */
import type { Exchange } from './exchange.ts';

/** Runs `work` with a signal that is aborted as soon as the caller's connection is gone. */
export async function untilGone<T>({ request }: Exchange, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  request.socket.once('close', abort);
  try {
    return await work(gone.signal);
  } finally {
    request.socket.off('close', abort);
  }
}
