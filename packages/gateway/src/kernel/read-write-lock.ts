/**
 * A read-write lock: many shared holders or one exclusive, in the order of their requests. A failing holder does not
 * affect others.
 */

export interface ReadWriteLock {
  /** Runs beside other shared work, never beside exclusive work. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs after all earlier requests are done; later ones wait for it. */
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
