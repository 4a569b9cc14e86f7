/** Counts carriers' answers and their response times. */
import type { Registry } from '../../kernel/metrics.ts';
import { answerKinds, type CarrierCounts } from '../../messaging/send-queue/lane-meter.ts';
import { byCarrier } from './labels.ts';

const roundTripBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
const receiptBuckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 43_200, 259_200];

export interface CarrierMetrics {
  countsOf(carrierId: string): CarrierCounts;
  link(carrierId: string, up: boolean): void;
}

export function createCarrierMetrics(registry: Registry): CarrierMetrics {
  const submits = registry.counters(byCarrier, {
    name: 'helio_submit_total',
    help: 'Tries to hand a message to a carrier, by how they ended; later = refused for now, throttled = too many at once.',
    label: { name: 'result', values: answerKinds },
  });
  const roundTrip = registry.histograms(byCarrier, {
    name: 'helio_submit_rtt_seconds',
    help: 'From handing a message to the carrier until its answer; of up to 256 under way at a time.',
    buckets: roundTripBuckets,
  });
  const receiptDelay = registry.histograms(byCarrier, {
    name: 'helio_receipt_delay_seconds',
    help: 'From the taking of a part by the carrier to its final receipt; of up to 4 parts a second.',
    buckets: receiptBuckets,
  });
  const changes = registry.counters(byCarrier, {
    name: 'helio_bind_changes_total',
    help: 'How often a carrier became reachable or unreachable.',
    label: { name: 'to', values: ['up', 'down'] },
  });
  return {
    countsOf: (carrierId) => {
      const answers = submits(carrierId);
      const trips = roundTrip(carrierId);
      const delays = receiptDelay(carrierId);
      // Creates the series, so that it shows 0 before the first.
      changes(carrierId);
      return {
        answered: (kind) => answers.add(kind),
        roundTrip: (ms) => trips.observe(ms / 1_000),
        receiptDelay: (ms) => delays.observe(ms / 1_000),
      };
    },
    link: (carrierId, up) => changes(carrierId).add(up ? 'up' : 'down'),
  };
}
