/**
 * Wires metrics and traces. Metrics: counters, gauges read at a scrape, and the server that answers scrapes. Traces:
 * which messages have one, and the collector that receives them. Each is absent unless configured.
 */
import type { CountAnswer } from '../http/call-record.ts';
import { ownHosts } from '../http/own-hosts.ts';
import type { RouteModule } from '../http/server.ts';
import { watchEventLoop } from '../kernel/event-loop.ts';
import type { Logger } from '../kernel/logger.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { createRegistry, type DescribedMetric } from '../kernel/metrics.ts';
import type { Secret } from '../kernel/secret.ts';
import { readSecretLine } from '../kernel/secret-line.ts';
import { version } from '../kernel/version.ts';
import type { AcceptorParts } from '../messaging/accept/accept.ts';
import type { CommitWatch } from '../store/create-store.ts';
import { type CarrierMetrics, createCarrierMetrics } from '../subjects/metrics/carrier-metrics.ts';
import { type CellMetrics, createCellMetrics } from '../subjects/metrics/cell-metrics.ts';
import { addGauges, type GaugePorts } from '../subjects/metrics/gauges.ts';
import { createHttpMetrics } from '../subjects/metrics/http-metrics.ts';
import { createMediaMetrics, type TimeMedia } from '../subjects/metrics/media-metrics.ts';
import { createMessageMetrics } from '../subjects/metrics/message-metrics.ts';
import { createMetricsListener } from '../subjects/metrics/metrics-listener.ts';
import { metricsRoute } from '../subjects/metrics/metrics-route.ts';
import { createScrape } from '../subjects/metrics/scrape.ts';
import { createTraceFollower } from '../subjects/traces/trace-follower.ts';
import { openTraceThread } from '../subjects/traces/trace-thread.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import { freeBytes, freeBytesMin } from './machine-checks.ts';
import type { Store } from './store.ts';

const tokenCharactersMin = 16;

/** The settings of the metrics cannot be used. The message is shown to people and holds no secret. */
export class MetricsRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MetricsRefused';
  }
}

export interface Metrics {
  /** For the store: counts its commits. */
  readonly commits: CommitWatch;
  /** For the HTTP server: counts its answers. */
  readonly countAnswer: CountAnswer;
  /** For the acceptor: counts its refusals. */
  readonly refused: NonNullable<AcceptorParts['refused']>;
  /** For the send queues: counts by carrier. */
  readonly carriers: CarrierMetrics;
  /** Counts requests to other cells. */
  readonly cells: CellMetrics;
  /** Measures the preparation of media. */
  readonly timeMedia: TimeMedia;
  /** Routes on the gateway's own port; none when scrapes have a separate port. */
  readonly routes: readonly RouteModule[];
  readonly parts: readonly Part[];
  /** All metrics, described. */
  described(): DescribedMetric[];
  /** From now on a scrape reads the gauges of these parts. */
  read(ports: Omit<GaugePorts, 'clock' | 'disk' | 'loopDelay' | 'process' | 'version'>): void;
}

/** Throws MetricsRefused. */
export function openMetrics(
  { metrics, dataDir }: Pick<Config, 'metrics' | 'dataDir'>,
  { logger }: { logger: Logger },
): Metrics | null {
  if (metrics === null) return null;
  const { host, port, tokenFile } = metrics;
  const registry = createRegistry((source, err) => logger.warn({ err, source }, 'a scrape lacks some of its figures'));
  const commits = createMessageMetrics(registry, clock);
  const { countAnswer, refused } = createHttpMetrics(registry);
  const carriers = createCarrierMetrics(registry);
  const cells = createCellMetrics(registry);
  const timeMedia = createMediaMetrics(registry, clock);
  const loopDelay = watchEventLoop();
  const scrape = createScrape(registry, tokenFile === null ? null : tokenOf(tokenFile));
  const listener = createMetricsListener({
    scrape,
    // Without a token, a web page opened on this machine could read the figures under a host name of its own (DNS
    // rebinding).
    isOwnHost: tokenFile === null ? ownHosts({ publicUrl: null, host, allowed: [] }) : undefined,
    failed: (err) => logger.warn({ err }, 'a scrape was not answered'),
  });
  const part: Part = {
    name: 'metrics',
    start: async () => {
      if (port === null) return;
      const taken = await listener.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
        throw new MetricsRefused(
          `HELIO_METRICS_PORT=${port} cannot be had on ${host} (${error.code}). Choose another, or another HELIO_METRICS_HOST.`,
        );
      });
      logger.info({ host, port: taken }, 'metrics are served');
    },
    stop: async () => {
      loopDelay.stop();
      if (port !== null) await listener.close();
    },
  };
  return {
    commits,
    countAnswer,
    refused,
    carriers,
    cells,
    timeMedia,
    routes: port === null ? [metricsRoute(scrape)] : [],
    parts: [part],
    described: registry.described,
    read: (ports) => {
      const disk = () => ({ freeBytes: freeBytes(dataDir), reserveBytes: freeBytesMin });
      addGauges(registry, { ...ports, clock, disk, loopDelay, process, version });
    },
  };
}

function tokenOf(file: string): Secret {
  const setting = { variable: 'HELIO_METRICS_TOKEN_FILE', file, what: 'token', charactersMin: tokenCharactersMin };
  return readSecretLine(setting, (sentence) => new MetricsRefused(sentence));
}

export function openTraces(
  context: Context,
  { config, store }: { config: Pick<Config, 'traces'>; store: Store },
): { readonly parts: readonly Part[] } | null {
  if (config.traces === null) return null;
  const { collector, share } = config.traces;
  const thread = openTraceThread(collector, version);
  const follower = createTraceFollower({ ...context, store, share, send: thread.send });
  const stop = async (): Promise<void> => {
    const stopped = follower.stop();
    // Spans that are being sent end with the thread; the next run sends them again.
    await thread.close();
    await stopped;
  };
  return { parts: [{ name: 'traces', onlyActing: true, start: follower.start, stop }] };
}
