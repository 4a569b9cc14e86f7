/**
 * The customers of the simulation: requests to nodes that run, as behind a load balancer. One with an idempotency key is sent again,
 * to any node, until it is answered.
 */
import { caller } from '../../packages/gateway/src/messaging/accept/accept-fixture.ts';
import type { RecipientResult, SendRequest } from '../../packages/gateway/src/model/send.ts';
import { StoreBroken, StoreUnavailable } from '../../packages/gateway/src/store/faults.ts';
import { Chance } from './chance.ts';
import { senders, type World } from './world.ts';

const patienceMs = 8_000;
const againMs = 1_000;
const triesMax = 8;
const validityMinutes = 3;

interface Request {
  id: number;
  body: SendRequest;
  key: string | null;
  tries: number;
}

export class Load {
  /** By recipient, the message; each recipient gets one text. */
  readonly acknowledged = new Map<string, string>();
  readonly #world: World;
  readonly #chance: Chance;
  /** What waits for its limit makes a run long. */
  readonly #hasLimits: boolean;
  #requests = 0;
  #recipients = 0;
  #isOver = false;
  /** Requests without an answer that may be sent again. */
  #open = 0;

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#chance = new Chance(seed, 'load');
    this.#hasLimits = this.#chance.happens(0.3);
  }

  /** A request every so often, until `endMs`. */
  start(everyMs: number, endMs: number): void {
    const { scheduler } = this.#world;
    const next = (): void => {
      if (scheduler.nowMs >= endMs) {
        this.#isOver = true;
        return;
      }
      this.#ask(this.#made());
      scheduler.at(this.#chance.between(0, 2 * everyMs), next);
    };
    scheduler.at(1_000, next);
  }

  /** Nobody sends anything any more, nor waits for an answer. */
  get isOver(): boolean {
    return this.#isOver && this.#open === 0;
  }

  #made(): Request {
    const { carrierIds } = this.#world;
    const count = this.#chance.whole(1, 4);
    const to = Array.from({ length: count }, () => {
      const prefix = `120255${this.#chance.whole(0, carrierIds.length - 1)}`;
      return `${prefix}${String(this.#recipients++).padStart(4, '0')}`;
    });
    const isLimited = this.#hasLimits && this.#chance.happens(0.15);
    const from = isLimited ? this.#chance.one([senders.byMinute, senders.byDay]) : senders.plain;
    const id = this.#requests++;
    this.#open += 1;
    const body = { from, to, text: `text ${id}`, mediaUrls: [], referenceId: `ref-${id}`, validityMinutes };
    return { id, body, key: this.#chance.happens(0.5) ? `key-${id}` : null, tries: 0 };
  }

  #ask(request: Request): void {
    const { scheduler, nodes, watch } = this.#world;
    const { broken } = watch;
    request.tries += 1;
    const able = nodes.filter((node) => node.takesRequests);
    if (able.length === 0) {
      this.#later(request);
      return;
    }
    const node = this.#chance.one(able);
    let isOver = false;
    const once = (work: () => void) => (): void => {
      if (isOver) return;
      isOver = true;
      work();
    };
    scheduler.at(
      patienceMs,
      once(() => this.#later(request)),
    );
    scheduler.at(this.#chance.between(0.1, 3), () =>
      node.process.deliver(() => {
        const context = {
          requestId: `req_${String(request.id).padStart(26, '0')}`,
          dryRun: false,
          idempotency: request.key === null ? null : { key: request.key, bodyHash: `${request.id}` },
        };
        node
          .acceptor!.accept(request.body, caller, context, ({ results }) => JSON.stringify(results))
          .then(
            (outcome) => {
              if (node.process.isDead) return;
              if (outcome.kind === 'rejected') broken.push(`request ${request.id} is refused: ${outcome.reason}`);
              else
                scheduler.at(
                  this.#chance.between(0.1, 3),
                  once(() => this.#answered(request, outcome.body)),
                );
            },
            (error: unknown) => {
              if (node.process.isDead || error instanceof StoreBroken) return;
              if (error instanceof StoreUnavailable)
                scheduler.at(
                  1,
                  once(() => this.#later(request)),
                );
              else broken.push(`a request failed: ${(error as Error).stack}`);
            },
          );
      }),
    );
  }

  #later(request: Request): void {
    if (request.key === null || request.tries >= triesMax) {
      this.#open -= 1;
      return;
    }
    this.#world.scheduler.at(againMs, () => this.#ask(request));
  }

  #answered(request: Request, body: string): void {
    this.#open -= 1;
    for (const { to, messageId } of JSON.parse(body) as RecipientResult[]) {
      if (messageId !== undefined) this.acknowledged.set(to, messageId);
    }
    this.#world.say('customer', `request ${request.id} is accepted: ${request.body.to.join(' ')}`);
  }
}
