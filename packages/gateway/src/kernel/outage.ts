/** Tells of the first failure in a row only: work that repeats every second fails every second while the store is away. */
interface Outage<E> {
  /** It worked: the next failure is told again. */
  over(): void;
  failed(error: E): void;
}

export function createOutage<E>(tell: (error: E) => void): Outage<E> {
  let isKnown = false;
  return {
    over: () => {
      isKnown = false;
    },
    failed: (error) => {
      if (!isKnown) tell(error);
      isKnown = true;
    },
  };
}
