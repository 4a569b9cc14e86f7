/** Ends a long wait when the caller disconnects or loses access (revoked pair, ended session). */
import type { Exchange } from './exchange.ts';

/** How often the caller's access is checked again. */
export const admissionEveryMs = 500;

/**
 * Runs `work` with a signal that aborts when the caller disconnects or loses access. After a loss of access the
 * exchange sends the refusal, whatever `work` returned.
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
    // If the store does not answer, the next check decides.
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
    // A result that came after the caller lost access must not be sent.
    if (!gone.signal.aborted) await look();
    return result;
  } finally {
    over = true;
    cancel();
    request.socket.off('close', abort);
  }
}
