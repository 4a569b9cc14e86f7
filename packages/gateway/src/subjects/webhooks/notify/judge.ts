/** Interprets an attempt's result: for the delivery, for the endpoint's health, and for giving up. Pure. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AttemptOutcome, EndpointHealth } from '../../../messaging/store/items.ts';
import type { WebhookPosted } from '../webhook-post.ts';
import { afterFailure, isGivenUp, parseRetryAfter } from '../webhook-schedule.ts';
import type { DueRow } from './endpoint-queue.ts';

/** `busy` is not an attempt and never gets here. */
export type Answer = Exclude<WebhookPosted, { kind: 'busy' }>;

export interface Judgement {
  outcome: AttemptOutcome;
  health: EndpointHealth;
  /** Why the endpoint must be disabled; null when it stays enabled. */
  disable: 'failing' | 'gone' | null;
}

/** Statuses whose `Retry-After` counts (RFC 6585 §4, RFC 9110 §15.6.4). */
const retryAfterStatuses = [429, 503];
const gone = 410;

export function isSuccess(answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status <= 299;
}

/** `at`: when the attempt began; `now`: when it ended. */
export function judge(
  row: DueRow,
  answer: Answer,
  before: EndpointHealth,
  times: { at: EpochMs; now: EpochMs; fraction: number },
): Judgement {
  const { at, now, fraction } = times;
  const { endpointId } = before;
  const answered = answer.kind === 'answered' ? answer : null;
  const attempt = {
    at,
    durationMs: answer.durationMs,
    status: answered?.status ?? null,
    error: answer.kind === 'answered' ? null : answer.error,
    answer: answered?.answer ?? '',
    skewSeconds: answered?.skewSeconds ?? null,
  };
  const base = { endpointId, position: row.event.position, attempt, tries: row.tries };
  if (isSuccess(answer)) {
    return {
      outcome: { ...base, to: 'delivered', dueAt: now },
      health: { endpointId, failingSince: null, lastSuccessAt: now },
      disable: null,
    };
  }
  const failingSince = before.failingSince ?? at;
  const retryAfter = answered !== null && retryAfterStatuses.includes(answered.status) ? answered.retryAfter : null;
  const next = afterFailure({
    tries: row.tries + 1,
    now,
    failingSince,
    retryAfterMs: parseRetryAfter(retryAfter, now),
    fraction,
  });
  const disable = answered?.status === gone ? 'gone' : isGivenUp(failingSince, now) ? 'failing' : null;
  // When the endpoint is disabled, its deliveries wait until it is enabled again.
  const dueAt = next.to === 'waiting' ? next.dueAt : now;
  const to = disable === null ? next.to : 'waiting';
  return { outcome: { ...base, to, dueAt }, health: { ...before, failingSince }, disable };
}
