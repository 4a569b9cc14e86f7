/** Ends a long wait when the caller disconnects or loses access (revoked pair, ended session). */
import type { Exchange } from './exchange.ts';

/** How often it is looked whether the caller would still be let in. */
export const admissionEveryMs = 500;

/**
 * Runs `work` with a signal that is aborted as soon as the caller's connection is gone, or the caller is let in no more:
 * the exchange then sends that refusal, whatever `work` gave.
 */
export async function untilGone<T>(exchange: Exchange, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { request, admission } = exchange;
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  let cancel = (): void => {};
  let over = false;

  async function look(): Promise<void> {
    exchange.refused ??= (await admission?.again()) ?? null;
    if (exchange.refused !== null) abort();
  }
  function lookLater(): void {
    if (admission === null || over || gone.signal.aborted) return;
    // While the store does not answer, the next look decides.
    cancel = admission.clock.after(
      admissionEveryMs,
      () =>
        void look()
          .catch(() => {})
          .finally(lookLater),
    );
  }

  request.socket.once('close', abort);
  lookLater();
  try {
    const result = await work(gone.signal);
    // What came after the caller's rights ended is not for them.
    if (!gone.signal.aborted) await look();
    return result;
  } finally {
    over = true;
    cancel();
    request.socket.off('close', abort);
  }
}
