/**
 * The sandbox's webhook inbox as routes use it: received webhooks with a verdict on their signature, and the configured
 * answer. Types and limits; `subjects/sandbox/webhook-inbox.ts` receives.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { SignatureVerdict } from './signature-verdict.ts';

/** The seeded endpoint that sends to the receiver. */
export const inboxEndpointId = 'ep_sandbox_inbox';
/** Path on which it receives webhooks. */
export const inboxPath = '/inbox';
/** Webhooks stored; the oldest are dropped. */
export const inboxHeldMax = 500;
/** Webhooks in one result of `list`. */
export const inboxPageMax = 100;
/** The longest wait for a webhook. */
export const inboxWaitMsMax = 60_000;
/** The longest configurable delay of an answer: longer than any sender waits. */
export const inboxDelayMsMax = 60_000;
/** The form of a received webhook's id. */
export const receivedWebhookIdForm = /^whk_[0-9A-HJKMNP-TV-Z]{26}$/;

/** One POST that arrived. */
export interface ReceivedWebhook {
  /** Sorts by time of arrival; the cursor `after`. Different for each attempt, unlike the header `webhook-id`. */
  id: string;
  receivedAt: EpochMs;
  /** Names in lower case, values unchanged. */
  headers: Readonly<Record<string, string>>;
  /** Unchanged, read as UTF-8. */
  body: string;
  /** Whether one of the seeded endpoint's secrets signed it. */
  signature: SignatureVerdict;
  /** HTTP status of the answer. */
  answered: number;
}

/** The answer to all webhooks from now on. */
export interface InboxAnswer {
  /** 200–599. */
  status: number;
  /** 0–`inboxDelayMsMax`. */
  delayMs: number;
}

export const inboxAnswerDefault: InboxAnswer = { status: 200, delayMs: 0 };

export interface WebhookInbox {
  /**
   * Webhooks after the id `after` (without it from the oldest), oldest first, at most `inboxPageMax`. Returns at once
   * when there is one, else waits up to `waitMs` and returns []. 'full': too many callers wait already.
   */
  list(query: { after?: string; waitMs: number; signal?: AbortSignal }): Promise<ReceivedWebhook[] | 'full'>;
  answerWith(answer: InboxAnswer): void;
  /** The present answer. */
  answer(): InboxAnswer;
}
