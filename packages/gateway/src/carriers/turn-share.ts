/**
 * Limits a carrier's share of each turn of the event loop, over all its connections. The rest waits for later turns,
 * oldest first; nothing is dropped.
 */
type Work = () => undefined | Promise<unknown>;

/** Returns what starts work: at most `perTurn` of it in one turn, and at most `atOnceMax` that has not ended yet. */
export function createTurnShare(perTurn: number, atOnceMax = Number.POSITIVE_INFINITY): (work: Work) => void {
  const waiting: Work[] = [];
  let left = perTurn;
  let running = 0;
  let isStarting = false;
  let isScheduled = false;

  function startSome(): void {
    // Work that brings more, as one command brings the next, has it started by this loop: the stack grows no deeper.
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
