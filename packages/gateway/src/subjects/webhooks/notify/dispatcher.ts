/**
 * Sends the deliveries of all endpoints, each from its own queue, in fair turns, within a concurrency limit. A slow
 * endpoint delays only its own deliveries.
 */
import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { AttemptOutcome } from '../../../messaging/store/items.ts';
import type { CustomerEvent } from '../../../model/webhook-event.ts';
import type { StoreBase } from '../../../store/create-store.ts';
import type { WebhookStore } from '../store/module.ts';
import type { Poster, WebhookPosted } from '../webhook-post.ts';
import { contentOf } from './content.ts';
import type { DueRow } from './endpoint-queue.ts';
import { isSuccess, judge } from './judge.ts';
import { createLooker } from './looker.ts';
import { createRecorder } from './recorder.ts';
import { mayAttempt, needsLook, nextWindow, type Target, waitMs } from './target.ts';

const underWayMax = 1_024;
const busyPauseMs = 250;
const timerMsMax = 3_600_000;

export interface Dispatcher {
  /** Newly created deliveries: they go directly into the queues if possible. */
  offer(given: { endpointId: string; event: CustomerEvent }[]): void;
  /** Something about `target` has changed. Cheap; call it at any time. */
  wake(target: Target): void;
  /** Its health was reset. */
  healthChanged(target: Target): void;
  /** Starts no further attempts, waits so long for those under way, records them. */
  stop(waitMsMax: number): Promise<void>;
}

export interface DispatcherParts {
  clock: Clock;
  random: Random;
  logger: Logger;
  store: Pick<WebhookStore, 'dueWebhooks' | 'recordAttempts' | 'webhookDelivery'> & Pick<StoreBase, 'mayHandOver'>;
  poster: Poster;
  /** By endpoint; `endpoints` maintains it. */
  targets: ReadonlyMap<string, Target>;
  giveUp(target: Target, why: 'failing' | 'gone'): void;
  /** Attempts just stored, for live pages. */
  attempted?(outcomes: readonly AttemptOutcome[]): void;
  broken(error: unknown): void;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { clock, random, poster, targets, broken } = parts;
  const recorder = createRecorder({ ...parts, recorded });
  const looker = createLooker({ ...parts, targets: () => targets.values(), looked: wake });
  /** In the order of their turns. */
  const ready = new Set<Target>();
  let underWay = 0;
  let stopping = false;
  let stopped = false;
  let cancelWait: (() => void) | null = null;
  let drained: () => void = () => {};

  /**
   * How many attempts `target` may have under way: fewer when few places are free, so that many slow endpoints leave
   * some to others.
   */
  function share({ window }: Target): number {
    const free = 1 - underWay / underWayMax;
    return Math.max(Math.floor(window * free * free), 1);
  }

  function work(): void {
    if (ready.size > 0 && !parts.store.mayHandOver()) {
      awaitLease();
      return;
    }
    const nowMs = clock.monotonicMs();
    for (const target of ready) {
      // Endpoints left here are visited again when an attempt ends or is recorded.
      if (stopping || recorder.blocked() || underWay >= underWayMax) return;
      ready.delete(target);
      if (!mayAttempt(target, nowMs, share(target))) continue;
      attempt(target, target.queue.take()!);
      ready.add(target);
    }
  }

  /** Another node may send by now, unless the lease is renewed. */
  function awaitLease(): void {
    if (stopping) return;
    cancelWait ??= clock.after(busyPauseMs, () => {
      cancelWait = null;
      work();
    });
  }

  function attempt(target: Target, row: DueRow): void {
    const at = clock.now();
    const probe = target.breaker.open;
    target.underWay++;
    underWay++;
    post(target, row.event, at)
      .then((posted) => finish(target, row, posted, at, probe))
      .catch(broken);
  }

  async function post({ destination }: Target, event: CustomerEvent, at: number): Promise<WebhookPosted> {
    if (destination === null) return { kind: 'unreachable', error: 'secret', durationMs: 0 };
    const content = await contentOf(event, parts.store);
    if (content === 'later') return { kind: 'busy' };
    if (content === null) return { kind: 'unreachable', error: 'gone', durationMs: 0 };
    return poster.post(destination.post(content, at));
  }

  function finish(target: Target, row: DueRow, posted: WebhookPosted, at: number, probe: boolean): void {
    if (stopped) return;
    target.underWay--;
    underWay--;
    if (posted.kind === 'busy') {
      target.queue.putBack(row);
      target.pausedUntilMs = clock.monotonicMs() + busyPauseMs;
    } else {
      const times = { at, now: clock.now(), fraction: random.fraction() };
      const { outcome, health, disable } = judge(row, posted, target.health, times);
      target.health = health;
      const success = isSuccess(posted);
      target.window = nextWindow(target.window, success);
      if (success) target.breaker.succeeded();
      else target.breaker.failed(probe, clock.monotonicMs());
      if (target.breaker.open) target.queue.shed(0);
      recorder.add(outcome, health);
      if (disable !== null) parts.giveUp(target, disable);
    }
    if (underWay === 0) drained();
    wake(target);
  }

  function recorded(outcomes: readonly AttemptOutcome[]): void {
    parts.attempted?.(outcomes);
    const touched = new Set<Target>();
    for (const { endpointId, position, to, dueAt } of outcomes) {
      const target = targets.get(endpointId);
      if (target === undefined) continue;
      target.queue.release(position);
      if (to === 'waiting') target.lookAt = Math.min(target.lookAt, dueAt);
      touched.add(target);
    }
    touched.forEach(wake);
  }

  function wake(target: Target): void {
    if (stopping) return;
    if (clock.now() >= target.lookAt) {
      target.lookAt = Number.POSITIVE_INFINITY;
      target.queue.expectMore();
    }
    if (needsLook(target, clock.monotonicMs())) looker.want(target);
    if (target.queue.size > 0) ready.add(target);
    arm(target);
    work();
  }

  /** An early timer does no harm: it leads back here. */
  function arm(target: Target): void {
    const nowMs = clock.monotonicMs();
    const atMs = nowMs + Math.min(waitMs(target, clock.now(), nowMs), timerMsMax);
    if (target.timer !== null && target.timer.atMs <= atMs + 1) return;
    target.timer?.cancel();
    const cancel = clock.after(Math.ceil(atMs - nowMs), () => {
      target.timer = null;
      wake(target);
    });
    target.timer = { atMs, cancel };
  }

  return {
    offer: (given) => {
      const touched = new Set<Target>();
      for (const { endpointId, event } of given) {
        const target = targets.get(endpointId);
        // An endpoint that is not known yet reads the store as soon as it is.
        if (target === undefined) continue;
        if (target.endpoint.disabled !== null || target.breaker.open) target.queue.expectMore();
        else target.queue.offer({ tries: 0, event });
        touched.add(target);
      }
      touched.forEach(wake);
    },
    wake,
    healthChanged: (target) => recorder.addHealth(target.health),
    stop: async (waitMsMax) => {
      stopping = true;
      cancelWait?.();
      for (const target of targets.values()) target.timer?.cancel();
      await looker.stop();
      const cancelled = new Promise<void>((resolve) => {
        drained = resolve;
        if (underWay === 0) resolve();
        else clock.after(waitMsMax, resolve);
      });
      await cancelled;
      stopped = true;
      await recorder.stop();
    },
  };
}
