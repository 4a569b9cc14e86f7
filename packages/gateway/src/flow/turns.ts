/**
 * Two kinds of work that must not mix: any number of the first at once, one of the second alone. In the order they were
 * asked for. A failure is its caller's and holds up nobody.
 */

export interface Turns {
  /** Runs together with others of its kind, never beside work that runs alone. */
  together<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when everything asked for before is done; what is asked for later waits for it. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const underWay = new Set<Promise<unknown>>();
  let lastAlone: Promise<unknown> = Promise.resolve();

  return {
    together: (work) => {
      const done = lastAlone.then(work);
      const leave = (): unknown => underWay.delete(ended);
      const ended: Promise<unknown> = done.then(leave, leave);
      underWay.add(ended);
      return done;
    },
    alone: (work) => {
      const done = Promise.all([lastAlone, ...underWay]).then(work);
      lastAlone = done.catch(() => {});
      return done;
    },
  };
}
