/** How long an answer is waited for. A gateway may take what is asked and never answer: nobody waits for that without end. */

/** By what is asked, in milliseconds of silence. */
export const patienceMs = {
  read: 20_000,
  write: 60_000,
  /** The way up of a file cannot be watched. */
  upload: 600_000,
  /** Between two pieces of a file that comes: what is rare is looked for meanwhile. */
  download: 120_000,
} as const;

/** What was waited for ended in silence. */
export class Silence extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super(`nothing was heard for ${ms} ms`);
    this.name = 'Silence';
    this.ms = ms;
  }
}

/**
 * Waits for what `ask` promises and throws `Silence` when nothing was heard for so long: its signal is aborted then.
 * `heard` begins the time anew, for as long as the silence after it may be.
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
