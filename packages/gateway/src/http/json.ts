/**
 * Parses untrusted JSON: one linear scan checks UTF-8, limits depth and rejects duplicate keys before `JSON.parse`,
 * since parsers differ on the latter and fail on the former.
 */
import { isUtf8 } from 'node:buffer';

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
    // The parser's own message quotes the input, which may hold anything.
    return refused('syntax');
  }
  // Of two members with one name the parser keeps one, so that a difference in numbers tells of duplicates; `"t\u006f"`
  // and `"to"` are one name to it and therefore to us.
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

/** Members of all objects (colons outside strings), or `tooDeep`. Malformed text may pass: the parser comes after. */
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

/** Index of the quotation mark that ends the string, or of the text's end. */
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
 * An object that inherits nothing, like one of `Object.create(null)`, but which the engine keeps in its fast form: that
 * halves the cost of everything that reads it.
 */
class Bare {
  [name: string]: unknown;
}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');
Object.freeze(Bare.prototype);

/** The same value with objects that inherit nothing: `constructor` and `__proto__` are keys like any other there. */
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
