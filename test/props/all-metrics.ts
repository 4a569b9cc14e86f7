/** Every metric that the gateway has, as it describes them. */
import { openMetrics } from '../../packages/gateway/src/app/telemetry.ts';
import { silentLogger } from '../../packages/gateway/src/kernel/logger.ts';
import type { DescribedMetric } from '../../packages/gateway/src/kernel/metrics.ts';

export function allMetrics(): DescribedMetric[] {
  const settings = { dataDir: '.', metrics: { port: null, host: '127.0.0.1', tokenFile: null } };
  const metrics = openMetrics(settings, { logger: silentLogger })!;
  // Nothing is read before a scrape.
  metrics.read({} as Parameters<typeof metrics.read>[0]);
  for (const part of metrics.parts) void part.stop?.();
  return metrics.described();
}
