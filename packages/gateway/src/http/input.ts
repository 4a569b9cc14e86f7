/**
 * What a request brings: its query string as pairs, and its body, read once as raw bytes, within limits of size and time, never
 * decompressed; and what the body comes to as JSON. One linear scan checks UTF-8, limits depth and rejects duplicate keys before
 * `JSON.parse`, since parsers differ on the latter and fail on the former. The query string holds a secret: never keep, print or
 * throw any of it.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../kernel/clock.ts';

/** Pairs in the order they were sent; a value is null when its percent-encoding is broken. */
export type Query = readonly (readonly [name: string, value: string | null])[];

const none: Query = [];

/** Reads `a=1&b=2` (without the question mark), as forms write it: `+` is a space, names are decoded too. */
export function parseQuery(text: string): Query {
  if (text === '') return none;
  const pairs: [string, string | null][] = [];
  for (let from = 0, to = 0; from < text.length; from = to + 1) {
    to = text.indexOf('&', from);
    if (to === -1) to = text.length;
    if (to === from) continue;
    const part = text.slice(from, to);
    const equals = part.indexOf('=');
    const name = equals === -1 ? part : part.slice(0, equals);
    pairs.push([decode(name) ?? name, equals === -1 ? '' : decode(part.slice(equals + 1))]);
  }
  return pairs;
}

/** Every value sent under `name`. */
export function valuesOf(query: Query, name: string): (string | null)[] {
  const values: (string | null)[] = [];
  for (const pair of query) if (pair[0] === name) values.push(pair[1]);
  return values;
}

function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** How a body ended. A client that goes away in the middle ends in nothing at all: no call, nothing stored. */
export type BodyResult = { kind: 'read'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'too_slow' };

/** A client that is slower than this over any measured period is cut off. */
const bytesPerSecondMin = 1_024;
const measureEveryMs = 5_000;

/** Reads `request` and calls `done` at most once. */
export function readBody(
  request: IncomingMessage,
  parts: { clock: Clock; bytesMax: number },
  done: (result: BodyResult) => void,
): void {
  const { clock, bytesMax } = parts;
  const declared = request.headers['content-length'];
  const length = declared === undefined ? null : Number(declared);
  const chunks: Buffer[] = [];
  let received = 0;
  let measuredMs = 0;
  let cancelMeasure: (() => void) | null = null;
  let finished = false;

  function finish(result: BodyResult): void {
    // The listeners stay: they go with the request, and removing each costs more than their few calls.
    finished = true;
    cancelMeasure?.();
    if (result.kind === 'read') request.resume();
    else stopReading(request);
    done(result);
  }
  const whole = (): void => {
    if (!finished) finish({ kind: 'read', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, received) });
  };
  const gone = (): void => cancelMeasure?.();
  const take = (chunk: Buffer): void => {
    if (finished) return;
    received += chunk.length;
    if (received > bytesMax) {
      finish({ kind: 'too_large' });
      return;
    }
    chunks.push(chunk);
    if (received === length) whole();
    else cancelMeasure ??= clock.after(measureEveryMs, measure);
  };
  const measure = (): void => {
    measuredMs += measureEveryMs;
    if ((received * 1_000) / measuredMs < bytesPerSecondMin) finish({ kind: 'too_slow' });
    else cancelMeasure = clock.after(measureEveryMs, measure);
  };

  if (length !== null && length > bytesMax) {
    done({ kind: 'too_large' });
    return;
  }
  if (length === 0) {
    request.resume();
    done({ kind: 'read', bytes: Buffer.alloc(0) });
    return;
  }
  request.on('data', take);
  request.on('end', whole);
  request.on('close', gone);
}

/** Pausing is not enough: a paused request reads from the socket until its own buffer is full. */
function stopReading(request: IncomingMessage): void {
  request.pause();
  request._read = () => {};
}

export type JsonProblem = 'utf8' | 'bom' | 'depth' | 'duplicate' | 'syntax';

/** Objects in `value` inherit nothing, at any level: see `Bare`. */
export type JsonResult = { ok: true; value: unknown } | { ok: false; problem: JsonProblem };

/** Reads `bytes` as one JSON text (RFC 8259) of at most `depthMax` nested objects and arrays. Linear in the bytes. */
export function parseJson(bytes: Buffer, depthMax: number): JsonResult {
  if (bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refused('bom');
  if (!isUtf8(bytes)) return refused('utf8');
  const text = bytes.toString('utf8');
  const members = countMembers(text, depthMax);
  if (members === tooDeep) return refused('depth');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own message quotes the input, which may hold a secret or a text.
    return refused('syntax');
  }
  // The parser keeps one of two members with the same name, so a different count shows duplicates. It decodes names
  // first: `"t\u006f"` and `"to"` are the same name.
  const kept: Kept = { members: 0 };
  const value = withoutPrototypes(parsed, kept);
  return kept.members === members ? { ok: true, value } : refused('duplicate');
}

function refused(problem: JsonProblem): JsonResult {
  return { ok: false, problem };
}

const quote = 0x22;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

const tooDeep = -1;

/**
 * Counts the members of all objects (colons outside strings), or returns `tooDeep`. Malformed text may pass: the parser
 * runs after this.
 */
function countMembers(text: string, depthMax: number): number {
  let depth = 0;
  let members = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === quote) {
      i = endOfString(text, i + 1);
    } else if (unit === colon) {
      members++;
    } else if (unit === openObject || unit === openArray) {
      if (++depth > depthMax) return tooDeep;
    } else if (unit === closeObject || unit === closeArray) {
      depth--;
    }
  }
  return members;
}

/** Index of the quotation mark that ends the string, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === quote) return i;
    if (unit === backslash) i++;
  }
  return text.length;
}

interface Kept {
  members: number;
}

/**
 * An object that inherits nothing, as from `Object.create(null)`, but which V8 keeps in its fast form: that halves the
 * cost of reading it.
 */
class Bare {
  [name: string]: unknown;
}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');
Object.freeze(Bare.prototype);

/** The same value with objects that inherit nothing: `constructor` and `__proto__` become ordinary keys. */
function withoutPrototypes(value: unknown, kept: Kept): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (typeof value[i] === 'object') value[i] = withoutPrototypes(value[i], kept);
    }
    return value;
  }
  const bare = new Bare();
  const source = value as Record<string, unknown>;
  for (const name of Object.keys(source)) {
    kept.members++;
    bare[name] = withoutPrototypes(source[name], kept);
  }
  return bare;
}
