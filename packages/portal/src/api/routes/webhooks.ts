/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface EndpointHealth {
  endpointId: string;
  tried: number;
  succeeded: number;
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
  type: string;
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

export interface HeaderRules {
  name: string;
  value: string;
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
    body: unknown;
    answer: SignatureCheck;
  };
}
