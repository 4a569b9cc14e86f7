/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { EventType } from './deliveries';

export interface EndpointHealth {
  endpointId: string;
  /** Of the newest deliveries, those that were attempted. */
  tried: number;
  succeeded: number;
  /** All of them, however old. */
  waiting: number;
  nextAttemptAt: string | null;
  failed: number;
  p95Ms: number | null;
  failingSince: string | null;
  lastSuccessAt: string | null;
}

export interface EventCatalogue {
  events: DescribedEvent[];
  flat: {
    schema: Record<string, unknown>;
    examples: { receipt: Record<string, unknown>; reply: Record<string, unknown> };
  };
  header: HeaderRules;
}

export interface DescribedEvent {
  type: EventType;
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

export interface HeaderRules {
  name: string;
  value: string;
  /** Of name and value together. */
  charactersMax: number;
  fault: string;
}

export interface SignatureCheck {
  valid: boolean;
  reason: string | null;
  skewSeconds: number | null;
  by?: 'current' | 'old';
  until?: string | null;
}

export interface WebhooksRoutes {
  'GET /webhooks/catalogue': {
    query: Record<never, never>;
    body: undefined;
    answer: EventCatalogue;
  };
  'GET /webhooks/health': {
    query: Record<never, never>;
    body: undefined;
    answer: EndpointHealth[];
  };
  'POST /webhooks/verify': {
    query: Record<never, never>;
    body: { body: string; id: string; timestamp: string; signature: string; secret?: string; endpointId?: string };
    answer: SignatureCheck;
  };
}
