/** Measures how late the event loop runs due work: during that time it serves nobody. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 10;

export interface EventLoopDelay {
  /** In seconds, over the time since the last call. */
  sinceLast(): { mean: number; p50: number; p99: number; max: number };
  stop(): void;
}

export function watchEventLoop(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return {
    sinceLast: () => {
      // The monitor measures whole intervals of its own timer, so without delay it shows the resolution.
      const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
      const found =
        histogram.count === 0
          ? { mean: 0, p50: 0, p99: 0, max: 0 }
          : {
              mean: late(histogram.mean),
              p50: late(histogram.percentile(50)),
              p99: late(histogram.percentile(99)),
              max: late(histogram.max),
            };
      histogram.reset();
      return found;
    },
    stop: () => void histogram.disable(),
  };
}
