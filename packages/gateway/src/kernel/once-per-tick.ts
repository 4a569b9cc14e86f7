/** Runs a function once per turn of the event loop, in a microtask, after all input of a socket read. */
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
