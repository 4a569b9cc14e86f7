/**
 * An open loop in its own process: requests leave on schedule, however long the answers take, over as many connections
 * as that needs. Forked by the benchmark, which sends it the load to generate.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createHttpConnection, type HttpConnection } from '../test/props/http-connection.ts';
import { monotonicMs } from '../test/props/smsc.ts';
import { answerParent } from './processes.ts';
import { createTemplate } from './request-template.ts';

export interface OpenLoopParams {
  port: number;
  requestsPerSecond: number;
  recipientsPerRequest: number;
  seconds: number;
  /** Number of the first recipient; keep it apart between runs on one gateway. */
  firstNumber: number;
  connectionsMax?: number;
  /** A request that finds no connection free at its time is left out, so that the load ends in time. */
  leavesOut?: boolean;
  /** How often it looks which requests are due; more often costs more. Default 4. */
  tickMs?: number;
}

export interface OpenLoopResult {
  /** Messages answered 200. */
  accepted: number;
  /** Requests with another answer or without one. */
  failed: number;
  /** Failed requests that were answered 503 with Retry-After. */
  refused: number;
  /** Requests that found no connection free; 0 unless they are left out. */
  leftOut: number;
  /** One of those answers, for the error report. */
  sampleFailure: string | null;
  /** The longest time that a request waited for a free connection. */
  lateMsMax: number;
  firstSentAtMs: number;
  last200AtMs: number;
  /** From the scheduled time of a request until its answer. */
  p50Ms: number;
  p99Ms: number;
  /** The same for accepted requests only. */
  acceptedP99Ms: number;
}

answerParent<OpenLoopParams>(run);

async function run(params: OpenLoopParams): Promise<OpenLoopResult> {
  const {
    port,
    requestsPerSecond,
    recipientsPerRequest,
    firstNumber,
    connectionsMax = 200,
    leavesOut = false,
    tickMs = 4,
  } = params;
  const requests = Math.round(requestsPerSecond * params.seconds);
  const firstSentAtMs = monotonicMs();
  const counts = { accepted: 0, failed: 0, refused: 0, leftOut: 0 };
  const result = { ...counts, sampleFailure: null as string | null, lateMsMax: 0, firstSentAtMs, last200AtMs: 0 };
  const latencies: number[] = [];
  const acceptedLatencies: number[] = [];
  const free: { send(firstNumber: number, dueMs: number): void }[] = [];
  const opened: HttpConnection[] = [];
  let issued = 0;

  function open() {
    const request = createTemplate(recipientsPerRequest);
    let due = 0;
    const ended = () => {
      latencies.push(performance.now() - due);
      free.push(slot);
    };
    const failed = (cause: string) => {
      result.failed++;
      result.sampleFailure ??= cause;
      ended();
    };
    const connection = createHttpConnection(port, {
      answered: ({ status, retryAfter, body }) => {
        if (status === 503 && retryAfter) result.refused++;
        if (status !== 200) return failed(`${status} ${body.toString('utf8', 0, 200)}`);
        result.accepted += recipientsPerRequest;
        result.last200AtMs = monotonicMs();
        acceptedLatencies.push(performance.now() - due);
        ended();
      },
      broken: failed,
    });
    const slot = {
      send: (first: number, dueMs: number) => {
        due = dueMs;
        request.fill(first);
        connection.send(request.bytes);
      },
    };
    opened.push(connection);
    return slot;
  }

  const begunMs = performance.now();
  while (issued < requests) {
    const nowMs = performance.now();
    for (; issued < requests; issued++) {
      const dueMs = begunMs + (issued * 1_000) / requestsPerSecond;
      if (dueMs > nowMs) break;
      const slot = free.pop() ?? (opened.length < connectionsMax ? open() : undefined);
      if (slot === undefined && leavesOut) {
        result.leftOut++;
        continue;
      }
      if (slot === undefined) break;
      result.lateMsMax = Math.max(result.lateMsMax, nowMs - dueMs);
      slot.send(firstNumber + issued * recipientsPerRequest, dueMs);
    }
    await wait(tickMs);
  }
  while (free.length < opened.length) await wait(tickMs);
  for (const connection of opened) connection.close();
  return {
    ...result,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    acceptedP99Ms: percentile(acceptedLatencies, 0.99),
  };
}

function percentile(latencies: number[], part: number): number {
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * part)] ?? 0;
}
