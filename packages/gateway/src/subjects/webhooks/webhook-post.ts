/** The interface between deciding and connecting: one POST and its result. Plain data. */
import type { Secret } from '../../kernel/secret.ts';

/** Time limit of an attempt, up to the end of its answer: whole seconds, as set on an endpoint. */
export const webhookTimeoutMs = { min: 1_000, default: 15_000, max: 30_000 } as const;

export interface WebhookPost {
  readonly url: string;
  /** `webhook-id`: the event's id, the same in all attempts. */
  readonly id: string;
  /** The signed and sent bytes. */
  readonly body: string;
  /** At least one; the attempt is signed with each of them. */
  readonly secrets: readonly Secret[];
  readonly header: { readonly name: string; readonly value: Secret } | null;
  /** Header `traceparent`; null = none. */
  readonly traceparent: string | null;
  /** Null: the sender's default. */
  readonly timeoutMs: number | null;
  /** For a sandbox record, which may also send to this gateway's simulators. */
  readonly isSandbox: boolean;
}

export type WebhookPosted =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The first 4 KB of the body, as text. */
      readonly answer: string;
      /** The header, unchanged; null without one. */
      readonly retryAfter: string | null;
      readonly durationMs: number;
      /** Our clock minus the endpoint's, by the `Date` of its answer; left out when it sent none. */
      readonly skewSeconds?: number;
    }
  /** `error`: a fixed word, `blocked`, `timeout`, `dns`, … It never reveals what a name resolved to. */
  | { readonly kind: 'unreachable'; readonly error: string; readonly durationMs: number }
  /** Nothing was sent, because of our own limits: not an attempt. */
  | { readonly kind: 'busy' };

export interface Poster {
  /** Never rejects. */
  post(post: WebhookPost): Promise<WebhookPosted>;
  /** Ends all open connections. */
  close(): Promise<void>;
}
