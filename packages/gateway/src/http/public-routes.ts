/** Routes without credentials: limits, reasons, health, readiness, `/`. They reveal neither secrets nor counts. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import type { Limits } from '../model/limits.ts';
import { reasons } from '../model/reason.ts';
import type { CarrierState, SharedNumber } from '../model/upkeep.ts';
import { renderData } from './envelope.ts';
import { type Answer, exchangeOf, rejection, respond, retryAfter } from './exchange.ts';
import type { Fail } from './failure.ts';
import { type Pages, wantsHtml } from './pages.ts';

/** Whether the gateway can do its work, and a sentence that says why not. */
export type Readiness = {
  ready: boolean;
  detail: string;
  carriers?: readonly CarrierState[];
  /** A fault of the machine's clock, in a sentence; the gateway stays ready. */
  clock?: string | null;
  /** For several nodes; absent on a single one. */
  cluster?: {
    /** Whether this node does the work that only one may do. */
    acts: boolean;
    /** Its name, for people to read. */
    node: string;
    /** The carriers whose send queues it has. */
    lanes: readonly string[];
    /** What else of all nodes' work it does. */
    duties: readonly string[];
  };
  /** Of several cells. Absent where there is one. */
  cells?: {
    /** The name of this one. */
    cell: string;
    /** The others that do not answer: requests of their accounts get 503 here. */
    cellsDown: readonly string[];
    /** Numbers that another cell has too: for `helio doctor` alone. */
    numbersShared: readonly SharedNumber[];
  };
};

/** Readiness is checked at most once in this time, however often it is probed. */
const readinessKeptMs = 1_000;
const notReadySeconds = 2;

export function publicRoutes(
  app: FastifyInstance,
  parts: {
    clock: Clock;
    limits: Limits;
    version: string;
    ready: () => Readiness | Promise<Readiness>;
    doctorToken?: string;
    stopping: () => boolean;
    pages: Pages;
    fail: Fail;
  },
): void {
  const fixed = (url: string, body: string): void => {
    const answer: Answer = { status: 200, reason: 'SUCCESS', body };
    app.get(url, (_request, reply) => respond(reply, answer));
  };
  fixed('/limits', renderData('The limits of this gateway. A key pair may have its own rate.', parts.limits));
  const catalogue: Answer = {
    status: 200,
    reason: 'SUCCESS',
    body: renderData('Every code this gateway can answer with.', reasons),
  };
  // The portal has a page at the same path.
  app.get('/reasons', (request, reply) =>
    respond(reply, wantsHtml(request.headers.accept) ? parts.pages.home(request) : catalogue),
  );
  fixed('/healthz', renderData('The process is alive.', { version: parts.version }));

  const card = renderData('This is a Heliograph messaging gateway.', {
    name: 'Heliograph',
    version: parts.version,
    docs: '/docs/api',
    openapi: '/openapi.json',
    send: 'POST /SendSMS',
  });
  app.get('/', (request, reply) => {
    if (wantsHtml(request.headers.accept)) respond(reply, parts.pages.home(request));
    else respond(reply, { status: 200, reason: 'SUCCESS', body: card });
  });

  const readiness = rarely(parts.clock, parts.ready);
  app.get('/readyz', (request, reply) => {
    readiness().then(
      (state) =>
        respond(
          reply,
          readyAnswer(
            parts.stopping() ? { ready: false, detail: 'The gateway is stopping.' } : state,
            isDoctor(request.headers.authorization, parts.doctorToken),
          ),
        ),
      (error: unknown) => {
        reply.hijack();
        parts.fail(exchangeOf(request.raw), error);
      },
    );
  });
}

/** Carriers that are down leave the gateway ready: it accepts, and what is for them waits. Why they are down is no stranger's business. */
function readyAnswer(
  { ready, detail, carriers = [], clock = null, cluster, cells }: Readiness,
  isDoctor: boolean,
): Answer {
  if (ready) {
    const carriersDown = carriers.filter(({ up, paused }) => !up && !paused).map(({ carrierId }) => carrierId);
    const sentences = [
      'Ready.',
      carriersDown.length === 0 ? null : `Carriers that cannot be reached: ${named(carriersDown)}.`,
      cells === undefined || cells.cellsDown.length === 0
        ? null
        : `Cells that do not answer: ${named(cells.cellsDown)}.`,
      clock,
    ];
    const body = renderData(sentences.filter((sentence) => sentence !== null).join(' '), {
      ready,
      carriersDown,
      ...(clock !== null && { clock }),
      ...cluster,
      ...(cells !== undefined && { cell: cells.cell, cellsDown: cells.cellsDown }),
      ...(isDoctor && { carriers, numbersShared: cells?.numbersShared }),
    });
    return { status: 200, reason: 'SUCCESS', body };
  }
  return rejection('TEMPORARILY_UNAVAILABLE', detail, { headers: retryAfter(notReadySeconds) });
}

/** As many ids as fit into a `detail`. */
function named(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}

function isDoctor(authorization: string | undefined, token: string | undefined): boolean {
  if (authorization === undefined || token === undefined) return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
}

/** Runs one look at a time and keeps its result for a moment; a result known without waiting is not kept. */
function rarely<T>(clock: Clock, look: () => T | Promise<T>): () => Promise<T> {
  let lookedMs = Number.NEGATIVE_INFINITY;
  let kept: Promise<T> | null = null;
  return async () => {
    const now = clock.monotonicMs();
    if (kept !== null && now - lookedMs < readinessKeptMs) return kept;
    const found = look();
    kept = found instanceof Promise ? found : null;
    lookedMs = now;
    return found;
  };
}
