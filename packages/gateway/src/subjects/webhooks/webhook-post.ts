/** The interface between deciding and connecting: one POST and its result. Plain data. */
import type { Secret } from '../../kernel/secret.ts';

/** How long an attempt may take until its answer has begun and ended: whole seconds, as an endpoint is set. */
export const webhookTimeoutMs = { min: 1_000, default: 15_000, max: 30_000 } as const;

export interface WebhookPost {
  readonly url: string;
  /** `webhook-id`: the event's id, the same over all attempts. */
  readonly id: string;
  /** The bytes that are signed and sent. */
  readonly body: string;
  /** At least one; the attempt is signed with each of them. */
  readonly secrets: readonly Secret[];
  readonly header: { readonly name: string; readonly value: Secret } | null;
  /** Header `traceparent`; null = none. */
  readonly traceparent: string | null;
  /** Null: as long as the sender grants everybody. */
  readonly timeoutMs: number | null;
  /** For a record of the sandbox: it may go to the simulators of this gateway, too. */
  readonly isSandbox: boolean;
}

export type WebhookPosted =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The first 4 KB of the body, as text. */
      readonly answer: string;
      /** The header as it came; null without one. */
      readonly retryAfter: string | null;
      readonly durationMs: number;
      /** Our clock less the endpoint's, by the `Date` of its answer; left out when it said none. */
      readonly skewSeconds?: number;
    }
  /** `error`: a constant word, `blocked`, `timeout`, `dns`, … It never tells what a name resolved to. */
  | { readonly kind: 'unreachable'; readonly error: string; readonly durationMs: number }
  /** Nothing was tried, because of limits of our own: not an attempt. */
  | { readonly kind: 'busy' };

export interface Poster {
  /** Never rejects. */
  post(post: WebhookPost): Promise<WebhookPosted>;
  /** Ends everything that is open. */
  close(): Promise<void>;
}
