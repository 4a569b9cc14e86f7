/**
 * Counters, gauges and histograms, and their text for Prometheus (exposition format 0.0.4). Counting adds to a slot of
 * a typed array; names and labels are assembled at the scrape. Values of a label are known beforehand or come from the
 * records, as for `carrier`: no value from a stranger becomes a label.
 */

/** A label whose values are all known. */
export interface ClosedLabel<V extends string> {
  readonly name: string;
  readonly values: readonly V[];
}

/** A label that groups several counters or histograms; null = its values come from the records. */
export interface OuterLabel {
  readonly name: string;
  readonly values: readonly string[] | null;
}

export interface MetricSpec {
  /** With its unit, and `_total` for a counter. */
  readonly name: string;
  readonly help: string;
}

export interface CounterSpec<V extends string> extends MetricSpec {
  readonly label: ClosedLabel<V>;
}

export interface HistogramSpec extends MetricSpec {
  /** Upper bounds, ascending; `+Inf` is added. */
  readonly buckets: readonly number[];
}

export interface GaugeSpec extends MetricSpec {
  /** Label names, each with all its values, or null when these come from the records. */
  readonly labels?: Readonly<Record<string, readonly string[] | null>>;
}

export interface Counter<V extends string> {
  add(value: V, by?: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** Its values are set at each scrape and dropped afterwards. */
export interface Gauge {
  set(value: number, labels?: Readonly<Record<string, string>>): void;
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** A metric as the documentation describes it. */
export interface DescribedMetric extends MetricSpec {
  readonly type: MetricType;
  /** Null = the values come from the records. */
  readonly labels: Readonly<Record<string, readonly string[] | null>>;
}

export interface Registry {
  counter<V extends string>(spec: CounterSpec<V>): Counter<V>;
  /** One for each value of the outer label. */
  counters<V extends string>(outer: OuterLabel, spec: CounterSpec<V>): (value: string) => Counter<V>;
  histogram(spec: HistogramSpec): Histogram;
  histograms(outer: OuterLabel, spec: HistogramSpec): (value: string) => Histogram;
  gauge(spec: GaugeSpec): Gauge;
  /** `read` sets gauges at each scrape. When it rejects, that scrape lacks its gauges. */
  collect(source: string, read: () => void | Promise<void>): void;
  /** The whole exposition. Concurrent scrapes share one. */
  text(): Promise<string>;
  described(): DescribedMetric[];
}

interface Metric {
  readonly described: DescribedMetric;
  lines(): string[];
  forget?(): void;
}

/** `failed` is called when a source of gauges could not be read. */
export function createRegistry(failed: (source: string, error: unknown) => void): Registry {
  const metrics: Metric[] = [];
  const sources: { source: string; read: () => void | Promise<void> }[] = [];
  let scrape: Promise<string> | null = null;

  function add(
    type: MetricType,
    { name, help }: MetricSpec,
    labels: DescribedMetric['labels'],
    own: Omit<Metric, 'described'>,
  ) {
    if (metrics.some(({ described }) => described.name === name)) throw new Error(`two metrics are named ${name}`);
    metrics.push({ described: { name, help, type, labels }, ...own });
  }

  async function collectAndWrite(): Promise<string> {
    for (const metric of metrics) metric.forget?.();
    await Promise.all(
      sources.map(async ({ source, read }) => {
        try {
          await read();
        } catch (error) {
          failed(source, error);
        }
      }),
    );
    return metrics.map(written).join('');
  }

  const registry: Registry = {
    counter: (spec) => {
      const { counter, lines } = createCounter(spec, '');
      add('counter', spec, labelsOf(spec.label), { lines });
      return counter;
    },
    counters: (outer, spec) => {
      const of = family(outer, (label) => createCounter(spec, label));
      add('counter', spec, { ...labelsOf(outer), ...labelsOf(spec.label) }, of);
      return (value) => of.member(value).counter;
    },
    histogram: (spec) => {
      const { histogram, lines } = createHistogram(spec, '');
      add('histogram', spec, {}, { lines });
      return histogram;
    },
    histograms: (outer, spec) => {
      const of = family(outer, (label) => createHistogram(spec, label));
      add('histogram', spec, labelsOf(outer), of);
      return (value) => of.member(value).histogram;
    },
    gauge: (spec) => {
      const values = new Map<string, number>();
      add('gauge', spec, spec.labels ?? {}, {
        lines: () => [...values].map(([labels, value]) => sample(spec.name, labels, value)),
        forget: () => values.clear(),
      });
      return { set: (value, labels = {}) => values.set(labelText(labels), value) };
    },
    collect: (source, read) => {
      sources.push({ source, read });
    },
    text: () => {
      scrape ??= collectAndWrite().finally(() => {
        scrape = null;
      });
      return scrape;
    },
    described: () => metrics.map(({ described }) => described),
  };
  return registry;
}

function createCounter<V extends string>({ name, label }: CounterSpec<V>, outer: string) {
  const { values } = label;
  const places = Object.fromEntries(values.map((value, place) => [value, place])) as Record<V, number>;
  const counts = new Float64Array(values.length);
  const counter: Counter<V> = {
    add: (value, by = 1) => {
      counts[places[value]]! += by;
    },
  };
  const labels = values.map((value) => joined(outer, labelText({ [label.name]: value })));
  return { counter, lines: () => labels.map((text, place) => sample(name, text, counts[place]!)) };
}

function createHistogram({ name, buckets }: HistogramSpec, outer: string) {
  const bounds = Float64Array.from(buckets);
  /** Not cumulative; the last counts values above all bounds. */
  const counts = new Float64Array(bounds.length + 1);
  const total = new Float64Array(1);
  const histogram: Histogram = {
    observe: (value) => {
      let place = 0;
      while (place < bounds.length && value > bounds[place]!) place++;
      counts[place]! += 1;
      total[0]! += value;
    },
  };
  const lines = (): string[] => {
    let below = 0;
    const out = [...buckets.map(String), '+Inf'].map((bound, place) => {
      below += counts[place]!;
      return sample(`${name}_bucket`, joined(outer, labelText({ le: bound })), below);
    });
    return [...out, sample(`${name}_sum`, outer, total[0]!), sample(`${name}_count`, outer, below)];
  };
  return { histogram, lines };
}

function family<M extends { lines(): string[] }>(outer: OuterLabel, make: (label: string) => M) {
  const members = new Map<string, M>();
  const member = (value: string): M => {
    const known = members.get(value);
    if (known !== undefined) return known;
    const made = make(labelText({ [outer.name]: value }));
    members.set(value, made);
    return made;
  };
  // Values known beforehand show as 0 from the start.
  outer.values?.forEach(member);
  return {
    member,
    lines: () => [...members.values()].flatMap((member) => member.lines()),
  };
}

function labelsOf({ name, values }: OuterLabel): DescribedMetric['labels'] {
  return { [name]: values };
}

function written({ described: { name, help, type }, lines }: Metric): string {
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines().join('')}`;
}

function sample(name: string, labels: string, value: number): string {
  const text = Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  return labels === '' ? `${name} ${text}\n` : `${name}{${labels}} ${text}\n`;
}

function joined(outer: string, inner: string): string {
  return outer === '' ? inner : `${outer},${inner}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(
      ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
    )
    .join(',');
}
