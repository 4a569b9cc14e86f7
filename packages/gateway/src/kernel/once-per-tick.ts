/** Calls `run` once for all that happens in one turn of the event loop: a microtask comes after the socket's whole read. */
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
