/** Runs a function once per turn of the event loop, in a microtask, after everything that a socket read brought. */
export function oncePerTick(run: () => void): () => void {
  let queued = false;
  return () => {
    if (queued) return;
    queued = true;
    queueMicrotask(() => {
      queued = false;
      run();
    });
  };
}
