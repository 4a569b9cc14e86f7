/** Webhook deliveries as CSV (RFC 4180) or JSON lines, written page by page. */
import { isoTime } from '../../http/envelope.ts';
import { type ExportFormat, type ExportOut, localTimes } from '../../http/portal/export-stream.ts';
import { csvCell } from '../../kernel/csv.ts';
import type { Endpoint } from '../../model/records.ts';
import { deliveryId, type WebhookDelivery } from '../../model/webhook-event.ts';
import { type DeliveryQuery, deliveryPage, nextAttemptAt, shownDelivery } from './delivery-list.ts';
import type { WebhookStore } from './store/module.ts';

const exportLimits = { rows: 500_000, page: 500 } as const;

const columns = [
  ...['Time (UTC)', 'Local time', 'Event', 'Event id', 'Delivery', 'Endpoint', 'Endpoint id', 'Status', 'Last answer'],
  ...['Attempts', 'Next attempt (UTC)', 'Updated (UTC)'],
];

/** Writes until the end, until the client is gone, or up to the limit. `endpoints`: those of one company only. */
export async function writeDeliveries(
  { stream, timeZone, gone }: ExportOut,
  query: DeliveryQuery,
  {
    store,
    endpoints,
    format,
  }: {
    store: Pick<WebhookStore, 'webhookDeliveries'>;
    endpoints: readonly Endpoint[];
    format: ExportFormat;
  },
): Promise<void> {
  const known = new Map(endpoints.map((endpoint) => [endpoint.endpointId, endpoint]));
  const local = localTimes(timeZone);
  const line = (delivery: WebhookDelivery): string => {
    const endpoint = known.get(delivery.endpointId)!;
    return format === 'csv'
      ? `${cellsOf(delivery, endpoint, local).map(csvCell).join(',')}\r\n`
      : `${JSON.stringify(shownDelivery(delivery, endpoint))}\n`;
  };
  if (format === 'csv') stream.write(`\uFEFF${columns.map(csvCell).join(',')}\r\n`);
  const [first] = endpoints;
  const owner = { accountId: first?.accountId ?? '', endpointIds: [...known.keys()] };
  let pageQuery = { ...query, limit: exportLimits.page };
  for (let rows = 0; rows < exportLimits.rows && !gone(); ) {
    const { page, before } = await deliveryPage(store, owner, pageQuery);
    rows += page.length;
    if (page.length > 0 && !stream.write(page.map(line).join(''))) await stream.drained();
    if (before === null) break;
    pageQuery = { ...pageQuery, before };
  }
  stream.end();
}

function cellsOf(delivery: WebhookDelivery, endpoint: Endpoint, local: (ms: number) => string): string[] {
  const { endpointId, position, eventId, type, state, attempts, lastStatus, createdAt, updatedAt } = delivery;
  return [
    ...[
      isoTime(createdAt),
      local(createdAt),
      type,
      eventId,
      deliveryId(endpointId, position),
      endpoint.name,
      endpointId,
    ],
    ...[state, lastStatus === null ? '' : String(lastStatus), String(attempts)],
    ...[nextAttemptAt(delivery, endpoint) ?? '', isoTime(updatedAt)],
  ];
}
