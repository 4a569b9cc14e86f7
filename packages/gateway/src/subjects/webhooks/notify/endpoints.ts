/** Follows the endpoint records: disables endpoints that keep failing, and restarts those that are back. */
import type { EndpointHealth } from '../../../messaging/store/items.ts';
import type { Directory } from '../../../model/directory.ts';
import type { Endpoint } from '../../../model/records.ts';
import type { WebhookStore } from '../store/module.ts';
import { isGivenUp } from '../webhook-schedule.ts';
import { type OpenSecret, openDestination } from './destination.ts';
import type { Places } from './endpoint-queue.ts';
import { disableEndpoint, type GiveUpParts, resumeEndpoint } from './give-up.ts';
import { createTarget, type Start, type Target } from './target.ts';

const queuedMax = 8_192;

export interface Endpoints {
  readonly targets: ReadonlyMap<string, Target>;
  /** Reads the state that earlier runs left. */
  start(): Promise<void>;
  /** The records may have changed. */
  follow(): void;
  giveUp(target: Target, why: 'failing' | 'gone'): void;
  /** Resolves when no work is under way here. */
  settled(): Promise<void>;
}

export interface EndpointsParts extends GiveUpParts {
  store: GiveUpParts['store'] & Pick<WebhookStore, 'endpointHealth' | 'webhookQueues'>;
  directory(): Directory;
  openSecret: OpenSecret;
  /** Its queue, its health or its state has changed. */
  changed(target: Target, what: 'state' | 'health'): void;
  broken(error: unknown): void;
}

export function createEndpoints(parts: EndpointsParts): Endpoints {
  const { clock, logger, store, directory } = parts;
  const targets = new Map<string, Target>();
  const places: Places = { left: queuedMax };
  const underWay = new Set<Promise<void>>();

  function inBackground(work: Promise<void>): void {
    const done = work.catch(parts.broken).finally(() => underWay.delete(done));
    underWay.add(done);
  }

  function destinationOf(endpoint: Endpoint): Target['destination'] {
    try {
      return openDestination(endpoint, parts.openSecret);
    } catch (err) {
      logger.error({ err, endpointId: endpoint.endpointId }, 'the secrets of a webhook endpoint do not open');
      return null;
    }
  }

  function add(endpoint: Endpoint, start: Start): Target {
    const target = createTarget(endpoint, places, start);
    target.destination = destinationOf(endpoint);
    targets.set(endpoint.endpointId, target);
    return target;
  }

  function update(target: Target, endpoint: Endpoint, version: number): void {
    let back = target.endpoint.disabled !== null && endpoint.disabled === null;
    target.endpoint = endpoint;
    target.destination = destinationOf(endpoint);
    if (target.givenUpUntil !== null && version >= target.givenUpUntil) {
      target.givenUpUntil = null;
      back = endpoint.disabled === null;
    }
    if (endpoint.disabled !== null) target.queue.shed(0);
    if (back) inBackground(resume(target));
    else parts.changed(target, 'state');
  }

  function remove(target: Target): void {
    target.removed = true;
    target.queue.shed(0);
    target.timer?.cancel();
    targets.delete(target.endpoint.endpointId);
  }

  function follow(): void {
    const { records, version, endpoint: known } = directory();
    for (const target of targets.values()) {
      if (known(target.endpoint.endpointId) === undefined) remove(target);
    }
    for (const endpoint of records.endpoints) {
      if (endpoint.deletedAt !== null) continue;
      const target = targets.get(endpoint.endpointId);
      if (target !== undefined) update(target, endpoint, version);
      // It may have got deliveries before it was known here.
      else
        parts.changed(add(endpoint, { health: undefined, complete: false, lookAt: Number.POSITIVE_INFINITY }), 'state');
    }
  }

  async function resume(target: Target): Promise<void> {
    target.changing = true;
    if (!(await resumeEndpoint(target.endpoint, parts))) return;
    target.changing = false;
    target.breaker.succeeded();
    target.health = { ...target.health, failingSince: null };
    target.queue.expectMore();
    parts.changed(target, 'health');
    parts.changed(target, 'state');
  }

  async function takeOut(target: Target, why: 'failing' | 'gone'): Promise<void> {
    const version = await disableEndpoint(target.endpoint.endpointId, why, parts);
    if (version === null) return;
    target.givenUpUntil = version;
    if (directory().version >= version) follow();
  }

  return {
    targets,
    start: async () => {
      const health = byEndpoint<EndpointHealth>(await store.endpointHealth());
      const queues = byEndpoint(await store.webhookQueues());
      for (const endpoint of directory().records.endpoints) {
        if (endpoint.deletedAt !== null) continue;
        const { endpointId } = endpoint;
        const lookAt = queues.get(endpointId)?.dueAt ?? Number.POSITIVE_INFINITY;
        const target = add(endpoint, { health: health.get(endpointId), complete: true, lookAt });
        const { failingSince } = target.health;
        // It was disabled for failing, and enabled again while the gateway was down.
        const back = endpoint.disabled === null && failingSince !== null && isGivenUp(failingSince, clock.now());
        if (back) inBackground(resume(target));
        else parts.changed(target, 'state');
      }
    },
    follow,
    giveUp: (target, why) => {
      if (target.givenUpUntil !== null) return;
      target.givenUpUntil = Number.POSITIVE_INFINITY;
      target.queue.shed(0);
      inBackground(takeOut(target, why));
    },
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

function byEndpoint<T extends { endpointId: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.endpointId, row]));
}
