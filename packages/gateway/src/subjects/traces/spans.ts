/**
 * The trace of a message, from its stored timeline: one span for the message, and below it one for each of its states.
 * In the JSON form of OTLP 1.x (opentelemetry-proto, `ExportTraceServiceRequest`). Ids are derived from the message's
 * own, so that a span sent twice is the same span. Contains no number and no text.
 */
import { hash } from 'node:crypto';
import type { DeliveryState } from '../../model/lifecycle.ts';
import type { EndedMessage } from './store/module.ts';

interface Attribute {
  key: string;
  value: { stringValue: string };
}

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code: number };
}

const kinds = { internal: 1, client: 3, producer: 4 } as const;
const statusCodes = { unset: 0, error: 2 } as const;
const failures: readonly DeliveryState[] = ['undelivered', 'failed', 'expired', 'unconfirmed'];

/** A state and its start. */
interface Point {
  state: DeliveryState;
  at: number;
  code: string | null;
  carrier: string | null;
}

export function spansOf(message: EndedMessage): Span[] {
  const { messageId, requestId, accountId, messageType, traceparent, acceptedAt } = message;
  const [, trace = digest(requestId, 32), caller] = traceparent?.split('-') ?? [];
  const points = pointsOf(message);
  const end = points.at(-1)!;
  const whole: Span = {
    traceId: trace,
    spanId: digest(messageId, 16),
    ...(caller !== undefined && { parentSpanId: caller }),
    name: `send ${messageType}`,
    kind: kinds.producer,
    startTimeUnixNano: nanos(acceptedAt),
    endTimeUnixNano: nanos(end.at),
    attributes: attributes({
      'messaging.operation.type': 'send',
      'messaging.message.id': messageId,
      'messaging.destination.name': end.carrier,
      'heliograph.request_id': requestId,
      'heliograph.account_id': accountId,
      'heliograph.state': end.state,
      'error.type': failures.includes(end.state) ? end.code : null,
    }),
    status: { code: failures.includes(end.state) ? statusCodes.error : statusCodes.unset },
  };
  const stays = points.slice(0, -1).map((point, place): Span => {
    const next = points[place + 1]!;
    return {
      traceId: trace,
      spanId: digest(`${messageId} ${place}`, 16),
      parentSpanId: whole.spanId,
      name: point.state,
      // Only in `sending` does another system do the work.
      kind: point.state === 'sending' ? kinds.client : kinds.internal,
      startTimeUnixNano: nanos(point.at),
      endTimeUnixNano: nanos(Math.max(point.at, next.at)),
      attributes: attributes({
        'messaging.destination.name': point.carrier ?? next.carrier,
        'error.type': point.state === 'sending' && next.state !== 'sent' ? (next.code ?? next.state) : null,
      }),
      status: { code: statusCodes.unset },
    };
  });
  return [whole, ...stays];
}

/** Every state of the message, in order, from `queued` on. */
function pointsOf({ acceptedAt, steps }: EndedMessage): Point[] {
  const points: Point[] = [{ state: 'queued', at: acceptedAt, code: null, carrier: null }];
  for (const { sendingAt, ...step } of steps) {
    if (sendingAt !== null) points.push({ state: 'sending', at: sendingAt, code: null, carrier: step.carrier });
    points.push(step);
  }
  return points;
}

function attributes(values: Readonly<Record<string, string | null>>): Attribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: { stringValue: value } }],
  );
}

function digest(text: string, digits: number): string {
  return hash('sha256', text, 'hex').slice(0, digits);
}

/** OTLP times are in nanoseconds; in JSON they are text. */
function nanos(atMs: number): string {
  return `${Math.round(atMs)}000000`;
}

/** The body of a request to a collector. */
export function exportBody(messages: readonly EndedMessage[], version: string): string {
  const spans = messages.flatMap(spansOf);
  const resource = { attributes: attributes({ 'service.name': 'heliograph', 'service.version': version }) };
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'heliograph', version }, spans }] }],
  });
}
