/**
 * Shared by the tests of this folder: a whole notifier on an outbox in memory, a moved clock and a scripted receiver.
 */

import { type SettlingClock, settlingClock } from '../../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../../test/props/warnings.ts';
import type { Store } from '../../../app/store.ts';
import { buildDirectory } from '../../../carriers/directory.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { createIds } from '../../../kernel/ids.ts';
import { machineRandom } from '../../../kernel/machine.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { EventStore } from '../../../messaging/store/modules/events.ts';
import type { Directory } from '../../../model/directory.ts';
import type { Endpoint, Records } from '../../../model/records.ts';
import type { CustomerEvent } from '../../../model/webhook-event.ts';
import { createEndpointService } from '../endpoints.ts';
import type { Poster, WebhookPost, WebhookPosted } from '../webhook-post.ts';
import { createNotifier, type Notifier, type NotifierParts } from './notifier.ts';
import { type Outbox, outbox } from './outbox-fixture.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

export const answered = (status: number, retryAfter: string | null = null): WebhookPosted => ({
  kind: 'answered',
  status,
  answer: 'said',
  retryAfter,
  durationMs: 7,
});
export const ok = answered(200);

export interface Posted extends WebhookPost {
  at: number;
  answer(posted: WebhookPosted): void;
}

export interface Stage {
  clock: SettlingClock;
  store: Outbox;
  notifier: Notifier;
  posts: Posted[];
  /** The receiver's answer; null leaves it to `posts[i].answer`. */
  script: { answer: ((post: WebhookPost) => WebhookPosted | null) | null; fraction: number; closed: boolean };
  optOuts: CustomerEvent[];
  /** MMS whose recipients cannot take them. */
  unsupported: CustomerEvent[];
  faults: unknown[];
  warnings: string[];
  /** The records of the store become the directory. */
  refresh(): void;
  /** A new notifier on the same store, as after kill -9. */
  again(): Promise<Stage>;
}

/** Lets all promises settle, however long their chains. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves time in steps, and lets all promises settle after each. */
export async function pass(clock: SettlingClock, ms: number, stepMs = ms): Promise<void> {
  await settled();
  for (let left = ms; left > 0; left -= stepMs) {
    await clock.pass(Math.min(stepMs, left));
    await settled();
  }
}

export async function stage(endpoints: Endpoint[], more: Partial<Records> = {}): Promise<Stage> {
  return on(outbox(endpoints, more), settlingClock());
}

export async function on(store: Outbox, clock: SettlingClock, first = ok): Promise<Stage> {
  const posts: Posted[] = [];
  const script: Stage['script'] = { answer: () => first, fraction: 0.5, closed: false };
  const poster: Poster = {
    post: (post) =>
      new Promise((resolve) => {
        posts.push({ ...post, at: clock.now(), answer: resolve });
        const answer = script.answer?.(post);
        if (answer) resolve(answer);
      }),
    close: async () => {
      script.closed = true;
    },
  };
  let directory = buildDirectory(store.current);
  const optOuts: CustomerEvent[] = [];
  const unsupported: CustomerEvent[] = [];
  const faults: unknown[] = [];
  const warnings: string[] = [];
  const notifier = createNotifier({
    clock,
    random: { fraction: () => script.fraction, bytes: (count) => new Uint8Array(count) },
    logger: warningsIn(warnings),
    store,
    disable: disabling(store, clock),
    directory: () => directory,
    poster,
    openSecret: (sealed) => {
      if (!sealed.startsWith('sealed ')) throw new Error('not sealed with this key');
      return new Secret(sealed.slice(7));
    },
    onCarrierOptOut: async (event) => {
      optOuts.push(event);
    },
    onMmsNotSupported: async (event) => {
      unsupported.push(event);
    },
    broken: (error) => faults.push(error),
  });
  await notifier.start();
  await settled();
  return {
    clock,
    store,
    notifier,
    posts,
    script,
    optOuts,
    unsupported,
    faults,
    warnings,
    refresh: () => {
      directory = buildDirectory(store.current);
      notifier.endpointsChanged();
    },
    again: () => {
      script.answer = () => null;
      return on(store, clock);
    },
  };
}

/** Disables an endpoint as the endpoint service does, on its own store and the present records. */
export function disabling(
  store: Pick<Store, 'records' | 'putRecords' | 'editRecords'> & Pick<EventStore, 'addEvents'>,
  clock: Clock,
): NotifierParts['disable'] {
  let directory: Directory;
  const service = createEndpointService({
    store,
    clock,
    ids: createIds(clock, machineRandom),
    directory: () => directory,
    refreshDirectory: async () => {
      directory = buildDirectory(await store.records());
    },
    sealer: { seal: (text) => text },
    createSecret: () => new Secret(''),
    checkUrl: async () => ({ ok: true }),
    liveNeedsHttps: () => false,
    isUsableHeader: () => true,
  });
  return service.disableBy;
}
