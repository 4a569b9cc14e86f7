/**
 * A read-write lock: any number of shared holders at once, one exclusive holder alone, in the order in which they asked. A
 * failure is its caller's and holds up nobody.
 */

export interface ReadWriteLock {
  /** Runs beside other shared work, never beside exclusive work. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when everything asked for before is done; what is asked for later waits for it. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export function createReadWriteLock(): ReadWriteLock {
  const underWay = new Set<Promise<unknown>>();
  let lastExclusive: Promise<unknown> = Promise.resolve();

  return {
    shared: (work) => {
      const done = lastExclusive.then(work);
      const leave = (): unknown => underWay.delete(ended);
      const ended: Promise<unknown> = done.then(leave, leave);
      underWay.add(ended);
      return done;
    },
    exclusive: (work) => {
      const done = Promise.all([lastExclusive, ...underWay]).then(work);
      lastExclusive = done.catch(() => {});
      return done;
    },
  };
}
