/**
 * Bounds the young generation of threads, and returns memory to the system when little is going on: V8 collects garbage
 * when something allocates, so garbage of a start or a burst would stay until the next burst.
 */
import { getHeapStatistics } from 'node:v8';
import { machineClock } from './machine.ts';

/**
 * For threads beside the main one: half of V8's young generation. They hold little at a time; the main thread has the open
 * requests of all connections in it.
 */
export const threadMemory = { maxYoungGenerationSizeMb: 24 };

const lookEveryMs = 20_000;
/** Of a processor since the last look, at most: a collection stops the thread for some 30 ms. */
const busyShareMax = 0.05;
/** And for one that gives back everything: the thread is at rest, and so is the process, whose processors it takes for some 100 ms. */
const restShareMax = 0.01;
const processShareMax = 0.05;
/** A heap that has grown by less is not worth it. */
const grownBytesMin = 8 * 1_048_576;

export interface Heap {
  /** The share of a processor that this thread had since the last call, 0 to 1. */
  busyShare(): number;
  /** The same of all threads of the process together; may be more than 1. */
  processShare(): number;
  /** The process's physical memory in the heap, garbage included. */
  bytes(): number;
  /** `everything`: what V8 keeps in case it is needed again, too. */
  collect(everything: boolean): void;
}

/**
 * A function to be called now and then. It collects when the thread was quiet and its heap has grown since the last time, and
 * everything once it is at rest.
 */
export function collectorOf(heap: Heap): () => void {
  let leftBytes = 0;
  let gaveAll = false;
  return () => {
    const busyShare = heap.busyShare();
    const isAtRest = heap.processShare() <= processShareMax && busyShare <= restShareMax;
    const hasGrown = heap.bytes() - leftBytes >= grownBytesMin;
    if (busyShare > busyShareMax || !(hasGrown || (isAtRest && !gaveAll))) return;
    heap.collect(isAtRest);
    gaveAll = isAtRest;
    leftBytes = heap.bytes();
  };
}

/** For the calling thread. The launcher starts Node with `--expose-gc`; without that flag nothing happens. */
export function collectWhenQuiet(everyMs = lookEveryMs): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  const look = collectorOf({
    // Not the time in which the event loop was busy, which grows where other processes want the processor too.
    busyShare: shareOf(() => process.threadCpuUsage()),
    processShare: shareOf(() => process.cpuUsage()),
    bytes: () => getHeapStatistics().total_physical_size,
    collect: (everything) =>
      void gc({ type: 'major', execution: 'sync', flavor: everything ? 'last-resort' : 'regular' }),
  });
  const again = (): void => {
    look();
    machineClock.after(everyMs, again);
  };
  machineClock.after(everyMs, again);
}

/** Of one processor, since the last call. */
function shareOf(usage: () => NodeJS.CpuUsage): () => number {
  const read = () => {
    const { user, system } = usage();
    return { at: machineClock.monotonicMs(), ms: (user + system) / 1_000 };
  };
  let before = read();
  return () => {
    const now = read();
    const share = (now.ms - before.ms) / (now.at - before.at);
    before = now;
    return share;
  };
}
