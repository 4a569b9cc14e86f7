/**
 * Runs the poster in a thread, so that TLS and slow endpoints do not slow down messages. Started by the first post, and
 * restarted after a crash.
 */
import { Worker } from 'node:worker_threads';
import type { FetchCaps, UrlPolicy } from '@heliograph/guarded-fetch';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import { threadMemory } from '../../kernel/spare-memory.ts';
import type { Poster, WebhookPost, WebhookPosted } from './webhook-post.ts';

/** The machine's own addresses are read where the connection is opened. */
export type WebhookPolicy = Omit<UrlPolicy, 'ownAddresses'>;

export interface WebhookWorkerData {
  version: string;
  caps: Partial<FetchCaps>;
}

/** A post with its secrets in plain text: passed only between threads. */
export interface SentPost {
  job: number;
  url: string;
  id: string;
  body: string;
  secrets: string[];
  header: { name: string; value: string } | null;
  traceparent: string | null;
  timeoutMs: number | null;
  isSandbox: boolean;
}

export interface SentBatch {
  /** What may be dialled at this moment. */
  policy: WebhookPolicy;
  posts: SentPost[];
}

export interface SentResult {
  job: number;
  posted: WebhookPosted;
}

export interface WebhookThreadParts {
  clock: Clock;
  logger: Logger;
  /** Called for each batch. */
  policy(): WebhookPolicy;
  /** This gateway's version, for `User-Agent`. */
  version: string;
  /** Only for tests. */
  caps?: Partial<FetchCaps>;
}

/** A dead thread is not restarted sooner. */
const restartMs = 1_000;
const busy: WebhookPosted = { kind: 'busy' };
/** The post may have killed the thread: it counts as an attempt, so that it cannot do so for ever. */
const died: WebhookPosted = { kind: 'unreachable', error: 'internal', durationMs: 0 };

export function openWebhookThread(parts: WebhookThreadParts): Poster {
  const { clock, logger } = parts;
  const open = new Map<number, (posted: WebhookPosted) => void>();
  let lastJob = 0;
  let batch: SentPost[] = [];
  let worker: Worker | null = null;
  let notBeforeMs = 0;
  let closed = false;

  function start(): Worker {
    // The same extension as this file: .ts from the sources, .js once built.
    const file = new URL(import.meta.url.replace(/webhook-thread(\.\w+)$/, 'webhook-worker$1'));
    const data: WebhookWorkerData = { version: parts.version, caps: parts.caps ?? {} };
    const started = new Worker(file, { workerData: data, resourceLimits: threadMemory });
    started.on('message', (text: string) => receive(JSON.parse(text)));
    started.on('error', (err) => logger.error({ err }, 'the thread that sends webhooks has failed'));
    started.once('exit', () => {
      worker = null;
      notBeforeMs = clock.monotonicMs() + restartMs;
      endAll(closed ? busy : died);
    });
    return started;
  }

  function receive(results: SentResult[]): void {
    for (const { job, posted } of results) {
      open.get(job)?.(posted);
      open.delete(job);
    }
  }

  function endAll(posted: WebhookPosted): void {
    const ended = [...open.values()];
    open.clear();
    for (const end of ended) end(posted);
  }

  /** Sends all posts of this turn of the event loop as one message. */
  function flush(): void {
    worker ??= start();
    const sent: SentBatch = { policy: parts.policy(), posts: batch };
    worker.postMessage(JSON.stringify(sent));
    batch = [];
  }

  return {
    post: (post) => {
      if (closed || (worker === null && clock.monotonicMs() < notBeforeMs)) return Promise.resolve(busy);
      const job = ++lastJob;
      if (batch.length === 0) queueMicrotask(flush);
      batch.push(sentPost(job, post));
      return new Promise((resolve) => open.set(job, resolve));
    },
    close: async () => {
      closed = true;
      await worker?.terminate();
      endAll(busy);
    },
  };
}

function sentPost(
  job: number,
  { url, id, body, secrets, header, traceparent, timeoutMs, isSandbox }: WebhookPost,
): SentPost {
  return {
    job,
    url,
    id,
    body,
    secrets: secrets.map((secret) => secret.reveal()),
    header: header === null ? null : { name: header.name, value: header.value.reveal() },
    traceparent,
    timeoutMs,
    isSandbox,
  };
}
