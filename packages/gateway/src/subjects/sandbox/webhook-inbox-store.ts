/** The newest webhooks that the sandbox inbox received. */
import { createWaiters } from '@heliograph/sandbox';
import type { Clock } from '../../kernel/clock.ts';
import { inboxHeldMax, inboxPageMax, type ReceivedWebhook, type WebhookInbox } from '../../model/webhook-inbox.ts';

/** Calls that wait for a webhook at one time. */
const waitersMax = 100;
/** There is one inbox and everybody who may look sees all of it. */
const place = 'inbox';
const everyone = (): boolean => true;

export interface WebhookInboxStore extends Pick<WebhookInbox, 'list'> {
  add(webhook: ReceivedWebhook): void;
  /** Answers all waiting callers and accepts no new ones. */
  endWaits(): void;
}

export function createWebhookInboxStore(clock: Clock): WebhookInboxStore {
  const held: ReceivedWebhook[] = [];
  const waiters = createWaiters(clock, waitersMax);
  let ended = false;

  /** Ids grow. */
  function page(after: string): ReceivedWebhook[] {
    const first = held.findIndex(({ id }) => id > after);
    return first === -1 ? [] : held.slice(first, first + inboxPageMax);
  }

  return {
    add: (webhook) => {
      held.push(webhook);
      if (held.length > inboxHeldMax) held.shift();
      waiters.wake(place, '');
    },
    list: async ({ after = '', waitMs, signal }) => {
      const now = page(after);
      if (now.length > 0 || waitMs <= 0 || ended || signal?.aborted) return now;
      const waited = waiters.wait(place, everyone, waitMs, signal);
      if (waited === 'full') return waited;
      await waited;
      return page(after);
    },
    endWaits: () => {
      ended = true;
      waiters.wakeAll();
    },
  };
}
