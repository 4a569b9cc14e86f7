/**
 * Limits a carrier's share of each turn of the event loop, over all its connections. The rest waits for later turns,
 * oldest first; nothing is dropped.
 */
type Work = () => undefined | Promise<unknown>;

/**
 * Returns the function that starts work: at most `perTurn` pieces in one turn, and at most `atOnceMax` unfinished ones.
 */
export function createTurnShare(perTurn: number, atOnceMax = Number.POSITIVE_INFINITY): (work: Work) => void {
  const waiting: Work[] = [];
  let left = perTurn;
  let running = 0;
  let isStarting = false;
  let isScheduled = false;

  function startSome(): void {
    // Work may add work, as one command brings the next; this loop starts it, so the stack does not grow.
    if (isStarting) return;
    isStarting = true;
    while (left > 0 && running < atOnceMax && waiting.length > 0) start(waiting.shift()!);
    isStarting = false;
  }

  function start(work: Work): void {
    left--;
    renew();
    const done = work();
    if (done === undefined) return;
    running++;
    const end = (): void => {
      running--;
      startSome();
    };
    done.then(end, end);
  }

  function renew(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      left = perTurn;
      startSome();
    });
  }

  return (work) => {
    waiting.push(work);
    startSome();
  };
}
