/**
 * Hands events to a server on this machine as the gateway would: signed, one after the other, again until it took them. It
 * opens what the person at this terminal named and nothing else, and follows no redirect.
 */
import type { WebhookEvent } from '@heliograph/client';
import type { Clock } from '../kernel/clock.ts';
import type { Secret } from '../kernel/secret.ts';
import { version } from '../kernel/version.ts';
import { signWebhook } from '../subjects/webhooks/webhook-signature.ts';

/** What came of one POST. */
export type Forwarded =
  | { kind: 'answered'; status: number; durationMs: number }
  /** It took the event and did not answer in time. */
  | { kind: 'timeout'; durationMs: number }
  /** Nobody took the event; `why` is the system's word, like ECONNREFUSED. */
  | { kind: 'down'; why: string; durationMs: number };

export interface ForwardParts {
  url: string;
  secret: Secret;
  clock: Clock;
  /** Pauses; shorter when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Told of each POST; `again`: the same event follows once more. */
  report(event: WebhookEvent, attempt: number, outcome: Forwarded, again: boolean): void;
  /** Only for tests. */
  timeoutMs?: number;
}

/** As long as the gateway waits for an endpoint. */
const timeoutMsDefault = 15_000;
const firstWaitMs = 500;
const longestWaitMs = 4_000;
/** An event that the server takes and fails at must not hold up all the others for ever. */
const failuresMax = 5;

export type Forward = (event: WebhookEvent, signal: AbortSignal) => Promise<void>;

/**
 * Resolves when the server answered with 2xx, or failed at this event for the fifth time. While nobody listens there it
 * goes on trying. Rejects with the reason of `signal` when that aborts.
 */
export function createForward(parts: ForwardParts): Forward {
  return async (event, signal) => {
    let failures = 0;
    for (let attempt = 1; ; attempt++) {
      const outcome = await post(event, parts, signal);
      if (outcome.kind !== 'down') failures++;
      const again = !taken(outcome) && failures < failuresMax;
      parts.report(event, attempt, outcome, again);
      if (!again) return;
      await parts.wait(Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs), signal);
      signal.throwIfAborted();
    }
  };
}

export function taken(outcome: Forwarded): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
}

async function post(event: WebhookEvent, parts: ForwardParts, signal: AbortSignal): Promise<Forwarded> {
  const { url, secret, clock, timeoutMs = timeoutMsDefault } = parts;
  const { id, type, timestamp, data } = event;
  const body = JSON.stringify({ type, timestamp, data });
  const seconds = Math.floor(clock.now() / 1_000);
  const timeLimit = AbortSignal.timeout(timeoutMs);
  const startedMs = clock.monotonicMs();
  const durationMs = () => Math.round(clock.monotonicMs() - startedMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Heliograph/${version}`,
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signWebhook({ id, timestamp: seconds, body, secrets: [secret] }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([timeLimit, signal]),
    });
    // Nobody reads it; left alone it would hold its connection.
    await response.body?.cancel();
    return { kind: 'answered', status: response.status, durationMs: durationMs() };
  } catch (error) {
    signal.throwIfAborted();
    if (timeLimit.aborted) return { kind: 'timeout', durationMs: durationMs() };
    // Anything else that fetch throws is the connection's; a bug of ours has no such cause.
    if (!(error instanceof TypeError) || error.cause === undefined) throw error;
    return { kind: 'down', why: wordOf(error.cause), durationMs: durationMs() };
  }
}

function wordOf(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return String(code ?? message ?? cause);
}
