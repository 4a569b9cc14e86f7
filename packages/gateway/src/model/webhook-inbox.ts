/**
 * The sandbox's webhook inbox as routes see it: received webhooks with a verdict on their signature, and the
 * configured answer. Types and limits; `subjects/sandbox/webhook-inbox.ts` receives.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { SignatureVerdict } from './signature-verdict.ts';

/** The seeded endpoint that points to the receiver. */
export const inboxEndpointId = 'ep_sandbox_inbox';
/** Where it takes webhooks. */
export const inboxPath = '/inbox';
/** Webhooks that are kept; older ones make room. */
export const inboxHeldMax = 500;
/** Webhooks in one answer of `list`. */
export const inboxPageMax = 100;
/** The longest wait for a webhook. */
export const inboxWaitMsMax = 60_000;
/** The longest it may be told to keep a webhook waiting for its answer: past the time any sender grants. */
export const inboxDelayMsMax = 60_000;
/** The form of a received webhook's id. */
export const receivedWebhookIdForm = /^whk_[0-9A-HJKMNP-TV-Z]{26}$/;

/** One POST that arrived. */
export interface ReceivedWebhook {
  /** Sorts by time of arrival; the cursor `after`. Another one for each attempt, unlike the header `webhook-id`. */
  id: string;
  receivedAt: EpochMs;
  /** Names in lower case, values as they came. */
  headers: Readonly<Record<string, string>>;
  /** As it came, read as UTF-8. */
  body: string;
  /** Whether one of the seeded endpoint's secrets signed it. */
  signature: SignatureVerdict;
  /** HTTP status it was answered with. */
  answered: number;
}

/** How every webhook is answered from now on. */
export interface InboxAnswer {
  /** 200–599. */
  status: number;
  /** 0–`inboxDelayMsMax`. */
  delayMs: number;
}

export const inboxAnswerDefault: InboxAnswer = { status: 200, delayMs: 0 };

export interface WebhookInbox {
  /**
   * What arrived after the id `after` (from the oldest kept when left out), oldest first, at most `inboxPageMax`. Answers
   * at once when there is one, else waits up to `waitMs` and answers []. 'full': too many wait already.
   */
  list(query: { after?: string; waitMs: number; signal?: AbortSignal }): Promise<ReceivedWebhook[] | 'full'>;
  answerWith(answer: InboxAnswer): void;
  /** How it answers now. */
  answer(): InboxAnswer;
}
