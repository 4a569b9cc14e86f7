/** Counts answers to HTTP requests by part of the gateway: no path and nothing of a caller becomes a label. */
import type { CountAnswer } from '../../http/call-record.ts';
import type { Registry } from '../../kernel/metrics.ts';
import { type RecipientStatus, type RequestReason, recipientStatuses, requestReasons } from '../../model/reason.ts';
import { namesOf } from './labels.ts';

/** The first prefix that a request's path begins with. */
const paths = [
  ['send', '/SendSMS'],
  ['api', '/api/v1/'],
  ['portal', '/api/portal/'],
  ['carriers', '/carriers/'],
  ['media', '/media/'],
  ['probes', '/healthz'],
  ['probes', '/readyz'],
] as const;

export const routes = ['send', 'api', 'portal', 'carriers', 'media', 'probes', 'other'] as const;

export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

export interface HttpMetrics {
  countAnswer: CountAnswer;
  /** A recipient was refused in an accepted request. */
  refused(status: RecipientStatus): void;
}

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const byRoute = { name: 'route', values: routes };
  const requests = registry.counters(byRoute, {
    name: 'helio_http_requests_total',
    help: 'Answers to HTTP requests, by the part of the gateway that was asked and the class of the status.',
    label: { name: 'status', values: statusClasses },
  });
  const duration = registry.histograms(byRoute, {
    name: 'helio_http_request_duration_seconds',
    help: 'From a request to its answer, without streams.',
    buckets: durationBuckets,
  });
  const refusedRequests = registry.counter({
    name: 'helio_refused_total',
    help: 'Requests to POST /SendSMS that were refused as a whole.',
    label: { name: 'reason', values: refusals<RequestReason>(requestReasons) },
  });
  const refusedRecipients = registry.counter({
    name: 'helio_recipients_refused_total',
    help: 'Recipients refused in requests that were taken.',
    label: { name: 'status', values: refusals<RecipientStatus>(recipientStatuses) },
  });
  const known = new Map(routes.map((route) => [route, { requests: requests(route), duration: duration(route) }]));

  return {
    countAnswer: (path, status, reason, tookMs) => {
      const route = routeOf(path);
      const own = known.get(route)!;
      own.requests.add(statusClass(status));
      if (tookMs !== null) own.duration.observe(tookMs / 1_000);
      if (route === 'send' && status >= 400 && Object.hasOwn(requestReasons, reason)) {
        refusedRequests.add(reason as RequestReason);
      }
    },
    refused: (status) => refusedRecipients.add(status),
  };
}

function refusals<N extends string>(table: Readonly<Record<N, unknown>>): N[] {
  return namesOf<N>(table).filter((name) => name !== 'SUCCESS');
}

function routeOf(path: string): (typeof routes)[number] {
  for (const [route, start] of paths) if (path.startsWith(start)) return route;
  return 'other';
}

function statusClass(status: number): (typeof statusClasses)[number] {
  return statusClasses[Math.floor(status / 100) - 2] ?? '5xx';
}
