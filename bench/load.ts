/**
 * The load generator of a benchmark, in a process of its own: a closed loop over keep-alive connections. Each request
 * is built once; only the digits of its recipients change. `run.ts` forks it and sends it the load to generate.
 */
import type { ScratchCaller } from '../packages/gateway/src/cli/prove/scratch-records.ts';
import { createHttpConnection, type HttpConnection } from '../test/props/http-connection.ts';
import { monotonicMs } from '../test/props/smsc.ts';
import { answerParent } from './processes.ts';
import { createTemplate } from './request-template.ts';

export interface LoadParams {
  /** Of one gateway, or of several, over which the connections are spread. */
  port: number | readonly number[];
  /** Who sends to each of these ports; one caller by default. */
  callers?: readonly ScratchCaller[];
  connections: number;
  requests: number;
  recipientsPerRequest: number;
  /** Number of the first recipient; keep it apart between runs on one gateway. */
  firstNumber: number;
  /** 0, the default: each as soon as its connection is free. Otherwise none leaves before its time at this rate. */
  requestsPerSecond?: number;
}

export interface LoadResult {
  /** Requests answered 200. */
  ok: number;
  /** Other statuses and broken connections. */
  failed: number;
  /** One answer other than 200, for the error report. */
  sampleFailure: string | null;
  firstSentAtMs: number;
  last200AtMs: number;
  p50Ms: number;
  p99Ms: number;
}

answerParent<LoadParams>(run);

function run(params: LoadParams): Promise<LoadResult> {
  const { requests, recipientsPerRequest: batch, requestsPerSecond = 0 } = params;
  const latencies = new Float64Array(requests);
  const result = { ok: 0, failed: 0, sampleFailure: null as string | null, last200AtMs: 0 };
  let issued = 0;
  const opened: HttpConnection[] = [];
  const done = Promise.withResolvers<LoadResult>();
  const firstSentAtMs = monotonicMs();

  function oneConnection(port: number, caller?: ScratchCaller): void {
    const request = createTemplate(batch, caller);
    let sentAt = 0;
    const next = (): void => {
      if (issued === requests) return;
      const number = issued++;
      const dueMs = requestsPerSecond === 0 ? 0 : firstSentAtMs + (number * 1_000) / requestsPerSecond;
      const earlyMs = dueMs - monotonicMs();
      if (earlyMs > 0) setTimeout(send, earlyMs, number);
      else send(number);
    };
    const send = (number: number): void => {
      request.fill(params.firstNumber + number * batch);
      sentAt = performance.now();
      connection.send(request.bytes);
    };
    const connection = createHttpConnection(port, {
      answered: ({ status, body }) => {
        if (status === 200) {
          latencies[result.ok++] = performance.now() - sentAt;
          result.last200AtMs = monotonicMs();
        } else failed(`${status} ${body.toString('utf8', 0, 200)}`);
        concluded();
      },
      broken: (cause) => {
        failed(cause);
        setTimeout(concluded, 20);
      },
    });
    const concluded = (): void => {
      if (result.ok + result.failed < requests) next();
      else finish();
    };
    opened.push(connection);
    next();
  }

  function finish(): void {
    for (const connection of opened) connection.close();
    const sorted = latencies.subarray(0, result.ok).sort();
    const percentile = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
    done.resolve({
      ...result,
      firstSentAtMs,
      p50Ms: percentile(0.5),
      p99Ms: percentile(0.99),
    });
  }

  function failed(cause: string): void {
    result.failed++;
    result.sampleFailure ??= cause;
  }

  const ports = [params.port].flat();
  for (let i = 0; i < Math.min(params.connections, requests); i++)
    oneConnection(ports[i % ports.length]!, params.callers?.[i % ports.length]);
  return done.promise;
}
