/** Wires traces: which messages, and the collector they go to. Absent unless set. */
import { version } from '../kernel/version.ts';
import { createTraceFollower } from '../subjects/traces/trace-follower.ts';
import { openTraceThread } from '../subjects/traces/trace-thread.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';

export function openTraces(
  context: Context,
  { config, store }: { config: Pick<Config, 'traces'>; store: Store },
): { readonly parts: readonly Part[] } | null {
  if (config.traces === null) return null;
  const { collector, share } = config.traces;
  const thread = openTraceThread(collector, version);
  const follower = createTraceFollower({ ...context, store, share, send: thread.send });
  const stop = async (): Promise<void> => {
    const stopped = follower.stop();
    // What is under way ends with the thread, and is sent again by the next run.
    await thread.close();
    await stopped;
  };
  return { parts: [{ name: 'traces', onlyActing: true, start: follower.start, stop }] };
}
