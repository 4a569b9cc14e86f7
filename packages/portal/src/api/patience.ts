/** Time-outs of calls. A gateway may accept a request and never answer; nobody should wait for it for ever. */

/** By kind of request, in milliseconds of silence. */
export const patienceMs = {
  read: 20_000,
  write: 60_000,
  /** The progress of an upload cannot be observed. */
  upload: 600_000,
  /** Between two chunks of a download: the gateway may be searching for rare rows. */
  download: 120_000,
} as const;

/** The call ended in silence. */
export class Silence extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super(`nothing was heard for ${ms} ms`);
    this.name = 'Silence';
    this.ms = ms;
  }
}

/**
 * Awaits the promise of `ask`; throws `Silence` and aborts its signal when nothing is received in time. `heard`
 * restarts the wait, with the next allowed silence.
 */
export function patiently<T>(
  ms: number,
  ask: (signal: AbortSignal, heard: (nextMs: number) => void) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const given = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const wait = (nextMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reject(new Silence(nextMs));
        given.abort();
      }, nextMs);
    };
    wait(ms);
    ask(given.signal, wait)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
