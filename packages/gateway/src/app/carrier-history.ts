/** Wires the history of carriers: the counters, the writer that stores them each minute, and the operator's pages. */
import type { PortalModule } from '../http/portal/portal.ts';
import type { Lanes } from '../messaging/send-queue/lanes.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import type { TrustedClock } from '../messaging/time/trusted-clock.ts';
import type { HistoryCounter } from '../subjects/carrier-history/history-counter.ts';
import { carrierHistoryRoutes } from '../subjects/carrier-history/history-routes.ts';
import { createHistoryService } from '../subjects/carrier-history/history-service.ts';
import { createHistoryWriter } from '../subjects/carrier-history/history-writer.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';

export interface CarrierHistory {
  readonly portal: PortalModule;
  readonly parts: readonly Part[];
}

export interface CarrierHistoryPorts {
  store: Store;
  lanes: Pick<Lanes, 'report' | 'isPaused'>;
  /** Counts since the start; the store and the send queues add to it. */
  counter: HistoryCounter;
  directory: Pick<DirectoryFollower, 'current'>;
  trustedClock: Pick<TrustedClock, 'doubt'>;
}

export function openCarrierHistory(context: Context, ports: CarrierHistoryPorts): CarrierHistory {
  const { store, lanes, counter, trustedClock } = ports;
  const common = { ...context, store, directory: ports.directory.current };
  const { start, stop } = createHistoryWriter({ ...common, lanes, counter, doubt: trustedClock.doubt });
  return {
    portal: carrierHistoryRoutes(createHistoryService(common)),
    // Each node writes its own counts; only the acting node writes what it sees of the send queues.
    parts: [{ name: 'carrier history', start, stop }],
  };
}
