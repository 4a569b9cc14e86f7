/**
 * A peer file: how to set up, start and call another gateway, as JSON. Fills in its placeholders and refuses invalid
 * files. docs/prove.md describes the format.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { freePort } from './free-port.ts';
import type { Gateway, Program } from './gateway.ts';

/** Values that a peer file may use. */
export interface Places {
  /** The gateway's folder: `@RUN@`. */
  run: string;
  /** The port of the message centre: `@SINK@`. */
  sink: number;
  /** Unanswered submissions that a gateway should allow: `@WINDOW@`. */
  window: number;
  /** The user's home folder: `@HOME@`. */
  home: string;
}

/** An unusable peer file; the message says why. */
export class PeerRefused extends Error {}

type Command = string | string[];

interface PeerFile {
  name: string;
  files?: Record<string, string | string[]>;
  setup?: Command[];
  start: (Command | { run: Command; after_port: number | string })[];
  env?: Record<string, string>;
  ready_port: number | string;
  ready_path?: string;
  settle_s?: number;
  url_port: number | string;
  single: { method?: string; path: string; header?: string | string[]; body?: string; accepted?: string };
  quiet_s?: number;
}

const text = { type: 'string', minLength: 1 };
const texts = { type: 'array', items: text, minItems: 1 };
const command = { oneOf: [text, texts] };
const port = { type: ['integer', 'string'] };
const seconds = { type: 'number', minimum: 0, maximum: 600 };
/** `batch` and `dlr` are parts of benchmark files; a run here does not use them. */
const peerSchema = {
  type: 'object',
  required: ['name', 'start', 'ready_port', 'url_port', 'single'],
  additionalProperties: false,
  properties: {
    name: text,
    files: {
      type: 'object',
      additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    },
    setup: { type: 'array', items: command },
    start: {
      type: 'array',
      minItems: 1,
      items: {
        oneOf: [
          text,
          texts,
          {
            type: 'object',
            required: ['run', 'after_port'],
            additionalProperties: false,
            properties: { run: command, after_port: port },
          },
        ],
      },
    },
    env: { type: 'object', additionalProperties: { type: 'string' } },
    ready_port: port,
    ready_path: { type: 'string', pattern: '^/' },
    settle_s: seconds,
    url_port: port,
    single: {
      type: 'object',
      required: ['path'],
      additionalProperties: false,
      properties: {
        method: { enum: ['GET', 'POST', 'PUT'] },
        path: { type: 'string', pattern: '^/' },
        header: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        body: { type: 'string' },
        accepted: text,
      },
    },
    quiet_s: seconds,
    batch: {},
    dlr: {},
  },
};

/** How long the final quiet period of a peer lasts before missing messages count as lost. */
const quietSecondsDefault = 60;

/** Reads the file and fills in its placeholders. Throws PeerRefused. */
export async function readPeer(file: string, places: Places): Promise<Gateway> {
  const read = parse(file);
  const filled = (await fillIn(read, createFiller(file, places))) as PeerFile;
  const { single } = filled;
  const portOf = (name: string, value: number | string): number => {
    const number = Number(value);
    if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
    throw new PeerRefused(`${file}: ${name} is ${JSON.stringify(value)}; it takes a port.`);
  };
  const accepted = single.accepted === undefined ? null : patternOf(file, single.accepted);
  const lines = listOf(single.header ?? []);
  const headers = lines.map((line) => headerOf(file, line));
  if (!/\{to\}/.test(single.path + (single.body ?? ''))) {
    throw new PeerRefused(`${file}: single has no {to} in its path or body, so no message could be told from another.`);
  }
  const body = single.body ?? null;
  return {
    name: filled.name,
    files: Object.entries(filled.files ?? {}).map(([name, content]) => ({
      path: resolve(places.run, name),
      text: `${listOf(content).join('\n')}\n`,
    })),
    setup: (filled.setup ?? []).map((one) => programOf(one)),
    start: filled.start.map((one) =>
      typeof one === 'string' || Array.isArray(one)
        ? programOf(one)
        : { ...programOf(one.run), afterPort: portOf('after_port', one.after_port) },
    ),
    env: filled.env ?? {},
    readyPort: portOf('ready_port', filled.ready_port),
    readyPath: filled.ready_path ?? null,
    settleMs: (filled.settle_s ?? 0) * 1_000,
    quietMs: (filled.quiet_s ?? quietSecondsDefault) * 1_000,
    port: portOf('url_port', filled.url_port),
    request: (to, mid) => {
      const write = (template: string) => template.replaceAll('{to}', to).replaceAll('{mid}', mid);
      return {
        method: single.method ?? (body === null ? 'GET' : 'POST'),
        path: write(single.path),
        headers: body === null ? headers : [['content-type', 'application/json'] as const, ...headers],
        body: body === null ? null : write(body),
      };
    },
    acknowledged: (status, answer) => (status >= 200 && status < 300 && (accepted?.test(answer) ?? true) ? '' : null),
    records: null,
  };
}

function parse(file: string): unknown {
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new PeerRefused(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read as JSON: ${message}`,
    );
  }
  const valid = new Ajv2020({ allowUnionTypes: true }).compile(peerSchema);
  if (valid(read)) return read;
  const {
    instancePath = '',
    message = '',
    params,
  } = valid.errors?.find(({ keyword }) => keyword !== 'oneOf') ?? valid.errors![0]!;
  const where = instancePath === '' ? '' : ` ${instancePath.slice(1).replaceAll('/', '.')}`;
  const what = 'additionalProperty' in params ? `${message}: ${params.additionalProperty}` : message;
  throw new PeerRefused(`${file}:${where} ${what}.`);
}

/** Resolves placeholders. Each of `@PORT@`, `@PORT2@`, … gets its own port, the same everywhere. */
function createFiller(file: string, { run, sink, window, home }: Places): (name: string) => Promise<string> {
  const known = new Map([
    ['RUN', run],
    ['SINK', String(sink)],
    ['WINDOW', String(window)],
    ['HOME', home],
  ]);
  return async (name) => {
    if (!known.has(name) && /^PORT[0-9]?$/.test(name)) {
      let port: string;
      do port = String(await freePort());
      while ([...known.values()].includes(port));
      known.set(name, port);
    }
    const value = known.get(name);
    if (value !== undefined) return value;
    throw new PeerRefused(
      `${file}: there is no placeholder @${name}@. There are: @RUN@ @SINK@ @WINDOW@ @HOME@ @PORT@ @PORT2@ … @PORT9@.`,
    );
  };
}

/** Fills in all strings of the parts that a run uses. */
async function fillIn(value: unknown, filler: (name: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') {
    let filled = value;
    for (const [placeholder, name] of value.matchAll(/@([A-Z]+[0-9]?)@/g)) {
      filled = filled.replaceAll(placeholder, await filler(name!));
    }
    return filled;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const one of value) items.push(await fillIn(one, filler));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, one] of Object.entries(value)) {
    if (name !== 'batch' && name !== 'dlr') fields.push([name, await fillIn(one, filler)]);
  }
  return Object.fromEntries(fields);
}

function programOf(given: Command): Program {
  return { command: typeof given === 'string' ? ['sh', '-c', given] : given, afterPort: null };
}

function listOf(value: string | string[]): string[] {
  return typeof value === 'string' ? [value] : value;
}

function headerOf(file: string, line: string): readonly [string, string] {
  const [, name, value] = /^([^:\s]+): *(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new PeerRefused(
      `${file}: single.header has ${JSON.stringify(line)}; it takes lines such as "Authorization: Bearer …".`,
    );
  }
  return [name, value];
}

function patternOf(file: string, pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    throw new PeerRefused(`${file}: single.accepted is no regular expression: ${(error as Error).message}.`);
  }
}
