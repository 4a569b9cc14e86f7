/**
 * Posts events to a server on this machine as the gateway would: signed, one after the other, repeated until accepted.
 * It connects only to the address that the user gave, and follows no redirect.
 */
import type { WebhookEvent } from '@heliograph/client';
import type { Clock } from '../kernel/clock.ts';
import type { Secret } from '../kernel/secret.ts';
import { version } from '../kernel/version.ts';
import { signWebhook } from '../subjects/webhooks/webhook-signature.ts';

/** The result of one POST. */
export type Forwarded =
  | { kind: 'answered'; status: number; durationMs: number }
  /** The server took the event but did not answer in time. */
  | { kind: 'timeout'; durationMs: number }
  /** The connection broke before an answer, or the answer is not HTTP; `why` is an error code, like ECONNRESET. */
  | { kind: 'broken'; why: string; durationMs: number }
  /** The server is unreachable; `why` is the system's error code, like ECONNREFUSED. */
  | { kind: 'down'; why: string; durationMs: number };

export interface ForwardParts {
  url: string;
  secret: Secret;
  clock: Clock;
  /** Pauses; shorter when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Called after each POST; `again`: the same event will be posted once more. */
  report(event: WebhookEvent, attempt: number, outcome: Forwarded, again: boolean): void;
  /** Only for tests. */
  timeoutMs?: number;
}

/** The gateway's default time-out for an endpoint. */
const timeoutMsDefault = 15_000;
const firstWaitMs = 500;
const longestWaitMs = 4_000;
/** An event on which the server keeps failing must not block the others for ever. */
const failuresMax = 5;

export type Forward = (event: WebhookEvent, signal: AbortSignal) => Promise<void>;

/**
 * Resolves when the server answered with 2xx, or failed on this event for the fifth time. While it cannot be reached,
 * it keeps trying. Rejects with the reason of `signal` when that aborts.
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
    // The body is not needed; unread, it would keep its connection busy.
    await response.body?.cancel();
    return { kind: 'answered', status: response.status, durationMs: durationMs() };
  } catch (error) {
    signal.throwIfAborted();
    if (timeLimit.aborted) return { kind: 'timeout', durationMs: durationMs() };
    // Any other error of fetch comes from the connection; a bug of ours has no such cause.
    if (!(error instanceof TypeError) || error.cause === undefined) throw error;
    const { cause } = error;
    return { kind: wasOpen(cause) ? 'broken' : 'down', why: wordOf(cause), durationMs: durationMs() };
  }
}

/** Whether the connection was open when it failed, as when the server crashes at an event. */
function wasOpen(cause: unknown): boolean {
  const { name, code } = (cause ?? {}) as { name?: unknown; code?: unknown };
  return ['HTTPParserError', 'SocketError'].includes(String(name)) || ['ECONNRESET', 'EPIPE'].includes(String(code));
}

function wordOf(cause: unknown): string {
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return String(code ?? message ?? cause);
}
