/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { EventType, StoredEvent } from './deliveries';

export interface Endpoint {
  endpointId: string;
  name: string;
  url: string;
  types: EventType[] | null;
  format: 'standard' | 'flat';
  number: string | null;
  campaign: string | null;
  /** Its name only. */
  header: { name: string } | null;
  /** How long an attempt waits for its answer. */
  timeoutSeconds: number;
  /** Null while it is enabled. Deliveries wait for it, at most 30 days. */
  disabled: { at: string; why: 'by hand' | 'failing' | 'gone' } | null;
  /** During rotation: until when the old secret signs as well. */
  oldSecretUntil: string | null;
  createdAt: string;
}

export interface EndpointFields {
  /** http or https; https for a live endpoint. Redirects are not followed. */ url?: string;
  /** For people; the host of `url` when left out. */
  name?: string | null;
  /** Types of event sent here; null = all. */
  types?: EventType[] | null;
  /** `standard`: Standard Webhooks, `{type, timestamp, data}`. `flat`: one object for each message, for older clients; other events are not sent. */
  format?: 'standard' | 'flat' | null;
  /** Only events of this sending number; null = any. */
  number?: string | null;
  /** Only events of this campaign; null = any. */
  campaign?: string | null;
  /** A header sent with every attempt, such as a token of your server. */
  header?: {
    name: string;
    /** Kept encrypted and never shown again. */
    value: string;
  } | null;
  /** An attempt that is not answered within this time has failed; null = the default. */
  timeoutSeconds?: number | null;
}

export type EndpointWithSecret = Endpoint & {
  /** Verifies the signatures. Shown this once: keep it. */ secret: string;
};

export interface ReplayRange {
  /** Events that happened at this time or later. */ since: string;
  /** And before or at this one; now when left out. */
  until?: string | null;
  /** `next` of the answer before, when it was not all. */
  after?: string | null;
  /** Only those whose attempts are used up. */
  failedOnly?: boolean | null;
  /** Only say how many there are. */
  dryRun?: boolean | null;
}

export interface EndpointsRoutes {
  'DELETE /endpoints/:endpointId': {
    query: Record<never, never>;
    body: undefined;
    answer: Endpoint;
  };
  'GET /endpoints': {
    query: Record<never, never>;
    body: undefined;
    answer: Endpoint[];
  };
  'GET /endpoints/:endpointId': {
    query: Record<never, never>;
    body: undefined;
    answer: Endpoint;
  };
  'PATCH /endpoints/:endpointId': {
    query: Record<never, never>;
    body: EndpointFields;
    answer: Endpoint;
  };
  'POST /endpoints': {
    query: Record<never, never>;
    body: EndpointFields & unknown;
    answer: EndpointWithSecret;
  };
  'POST /endpoints/:endpointId/disable': {
    query: Record<never, never>;
    body: unknown;
    answer: Endpoint;
  };
  'POST /endpoints/:endpointId/enable': {
    query: Record<never, never>;
    body: unknown;
    answer: Endpoint;
  };
  'POST /endpoints/:endpointId/replay': {
    query: Record<never, never>;
    body: ReplayRange;
    answer: { replayed: number };
  };
  'POST /endpoints/:endpointId/rotate-secret': {
    query: Record<never, never>;
    body: {
      /** For so long both secrets sign, each with a signature of its own. */ overlapHours?: number | null;
    };
    answer: EndpointWithSecret;
  };
  'POST /endpoints/:endpointId/test': {
    query: Record<never, never>;
    body: unknown;
    answer: StoredEvent;
  };
}
