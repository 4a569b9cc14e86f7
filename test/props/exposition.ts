/** Reads a Prometheus exposition (text format 0.0.4) strictly: anything that it does not understand is an error. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  help: string;
  type: string;
  samples: Sample[];
}

export interface Exposition {
  families: Map<string, Family>;
  /** The sum of the samples of this name whose labels include these; undefined when there is none. */
  value(name: string, labels?: Record<string, string>): number | undefined;
}

/** A histogram's samples have its name plus a suffix. */
const endings = ['_bucket', '_sum', '_count'];

export function readExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  let help: [string, string] | null = null;
  let current: [string, Family] | null = null;
  for (const line of text.slice(0, -1).split('\n')) {
    const described = /^# HELP (helio_[a-z0-9_]+) (\S.*)$/.exec(line);
    const typed = /^# TYPE (helio_[a-z0-9_]+) (counter|gauge|histogram)$/.exec(line);
    if (described !== null) {
      help = [described[1]!, described[2]!];
    } else if (typed !== null) {
      const [, name, type] = typed;
      if (help?.[0] !== name) throw new Error(`${name} has no help before its type`);
      if (families.has(name!)) throw new Error(`${name} comes twice`);
      current = [name!, { help: help![1], type: type!, samples: [] }];
      families.set(...current);
    } else {
      const sample = readSample(line);
      if (current === null || !belongs(sample.name, current)) throw new Error(`${line} is in the wrong place`);
      current[1].samples.push(sample);
    }
  }
  for (const [name, family] of families) check(name, family);
  return {
    families,
    value: (name, labels = {}) => {
      const all = [...families.values()].flatMap(({ samples }) => samples);
      const wanted = Object.entries(labels);
      const found = all.filter((one) => one.name === name && wanted.every(([key, value]) => one.labels[key] === value));
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

function readSample(line: string): Sample {
  const [, name, inside = '', number] = /^(helio_[a-z0-9_]+)(?:\{(.+)\})? (\S+)$/.exec(line) ?? [];
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  if (name === undefined || Number.isNaN(value)) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  const rest = inside.replaceAll(/([a-z_]+)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/g, (_, key: string, value: string) => {
    if (key in labels) throw new Error(`two labels are named ${key}: ${line}`);
    labels[key] = value;
    return '';
  });
  if (rest !== '') throw new Error(`not labels: ${inside}`);
  return { name, labels, value };
}

function belongs(sample: string, [name, { type }]: [string, Family]): boolean {
  return type === 'histogram' ? endings.some((ending) => sample === name + ending) : sample === name;
}

function check(name: string, { type, samples }: Family): void {
  const keys = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]));
  if (new Set(keys).size < keys.length) throw new Error(`a sample of ${name} comes twice`);
  if (type !== 'gauge' && samples.some(({ value }) => value < 0)) throw new Error(`${name} is below 0`);
  if (type !== 'histogram') return;
  for (const [, own] of Map.groupBy(samples, ({ labels: { le: _, ...others } }) => JSON.stringify(others))) {
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`).map(({ value }) => value);
    if (buckets.some((value, place) => place > 0 && value < buckets[place - 1]!)) throw new Error(`${name} falls`);
    if (own.at(-3)?.labels.le !== '+Inf' || own.at(-1)?.value !== buckets.at(-1))
      throw new Error(`${name} does not add up`);
  }
}
