/** The dashboard and the alerts name only metrics, labels and values that the gateway has, and each metric is on the dashboard. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DescribedMetric } from '../packages/gateway/src/kernel/metrics.ts';
import { allMetrics } from './props/all-metrics.ts';

const read = (path: string) => readFileSync(new URL(`../deploy/${path}`, import.meta.url), 'utf8');

interface Panel {
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}
const dashboard = JSON.parse(read('grafana/heliograph.json')) as {
  panels: Panel[];
  templating: { list: { definition?: string }[] };
};
const panelQueries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const rules = read('prometheus/heliograph.rules.yml').replaceAll(/^\s*#.*$/gm, '');
const sources = {
  dashboard: [...panelQueries, ...dashboard.templating.list.flatMap(({ definition = [] }) => definition)].join('\n'),
  rules,
  'tests of the rules': read('prometheus/heliograph.rules.test.yml'),
};

/** Added by Prometheus itself. */
const addedLabels = ['job', 'instance'];
const metrics = new Map(allMetrics().flatMap((metric) => samplesOf(metric).map((name) => [name, metric] as const)));

function samplesOf({ name, type }: DescribedMetric): string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((ending) => name + ending) : [name];
}

function labelsOf({ type, labels }: DescribedMetric): string[] {
  return [...Object.keys(labels), ...addedLabels, ...(type === 'histogram' ? ['le'] : [])];
}

describe.each(Object.entries(sources))('%s', (_name, text) => {
  const named = [...text.matchAll(/\b(helio_[a-z0-9_]+)(?:\{([^}]*)\})?/g)];

  it('names only metrics that there are', () => {
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([, name]) => name!).filter((name) => !metrics.has(name))).toEqual([]);
  });

  it('use labels and values that they have', () => {
    const wrong = named.flatMap(([whole, name, inside = '']) => {
      const { labels } = metrics.get(name!)!;
      return [...inside.matchAll(/(\w+)=~?"([^"]*)"/g)].flatMap(([, label, value]) => {
        const values = labels[label!];
        const isKnown = labelsOf(metrics.get(name!)!).includes(label!);
        const hasValue = values === null || values === undefined || value!.startsWith('$') || values.includes(value!);
        return isKnown && hasValue ? [] : [whole];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('records what else it names', () => {
    const recorded = [...rules.matchAll(/- record: (\S+)/g)].map(([, name]) => name!);
    const others = [...text.matchAll(/\bhelio:[a-z0-9_:]+/g)].map(([name]) => name);
    expect(others.filter((name) => !recorded.includes(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('shows every metric', () => {
    const shown = new Set(
      [...sources.dashboard.matchAll(/\bhelio_[a-z0-9_]+/g)].map(([name]) => metrics.get(name)?.name),
    );
    expect(allMetrics().filter(({ name }) => !shown.has(name))).toEqual([]);
  });

  it('asks for the gateways and carriers that were chosen', () => {
    expect(panelQueries.filter((expr) => !expr.includes('job="$job",instance=~"$instance"'))).toEqual([]);
  });

  it('has no panel over another', () => {
    const places = dashboard.panels.map(({ gridPos }) => gridPos);
    const overlaps = places.flatMap((one, index) =>
      places
        .slice(index + 1)
        .filter(
          (other) =>
            one.x < other.x + other.w &&
            other.x < one.x + one.w &&
            one.y < other.y + other.h &&
            other.y < one.y + one.h,
        ),
    );
    expect(overlaps).toEqual([]);
    expect(places.every(({ x, w }) => x + w <= 24)).toBe(true);
  });
});

describe('the alerts', () => {
  it('are the ones that docs/metrics.md explains', () => {
    const page = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');
    const explained = [...page.matchAll(/^\| `(Heliograph\w+)`/gm)].map(([, name]) => name!);
    const defined = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    expect(explained.sort()).toEqual(defined.sort());
  });

  it('each have a test that sees them fire', () => {
    const fired = [
      ...sources['tests of the rules'].matchAll(/alertname: (\w+)\n\s+eval_time: \w+\n\s+exp_alerts:(?! \[\])/g),
    ];
    const defined = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    expect(defined.filter((name) => !fired.some(([, alert]) => alert === name))).toEqual([]);
  });
});
