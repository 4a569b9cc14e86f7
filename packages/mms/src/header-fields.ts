/**
 * Header fields of RFC 5322 and MIME: reading, folding, parameters. Refuses everything that two readers could
 * understand differently: repeated fields, blanks before the colon, a lone CR, NUL.
 */
import { isMalformed, type Malformed, malformed, quoted, type Unwritable, unwritable } from './failure.ts';
import type { MmsLimits } from './limits.ts';

/** A field as written, unfolded and trimmed. */
export interface HeaderField {
  /** In lower case. */
  name: string;
  value: string;
}

export interface Header {
  fields: HeaderField[];
  /** Offset of the body. */
  bodyAt: number;
}

/** A value with parameters, e.g. Content-Type. */
export interface Parametrized {
  /** In lower case. */
  value: string;
  /** By name in lower case. */
  parameters: ReadonlyMap<string, string>;
}

const FOLD_AT = 76;
const LINE_MAX = 998;
const PARAMETERS_MAX = 20;
const LF = 0x0a;
const CR = 0x0d;

/** Fields that decide what a message is: if repeated, two readers could see two messages. */
const onlyOnce = /^(content-.*|mime-version|from|to|cc|sender|date|subject|message-id|x-mms-(?!previously-).*)$/;

export const readHeader = (bytes: Buffer, limits: MmsLimits): Header | Malformed => {
  const lines: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(LF, at);
    const next = end === -1 ? bytes.length : end + 1;
    if (next > limits.headerBytesMax) return malformed('limit', `a header of over ${limits.headerBytesMax} octets`);
    const line = bytes.toString('utf8', at, end > at && bytes[end - 1] === CR ? end - 1 : end === -1 ? next : end);
    at = next;
    if (line === '') break;
    if (/[\r\0]/.test(line)) return malformed('syntax', 'a lone CR or a NUL in a header');
    // Folded lines are one field: RFC 5322 §2.2.3 removes the line end and keeps the blank.
    if (/^[ \t]/.test(line) && lines.length > 0) lines[lines.length - 1] += line;
    else lines.push(line);
    if (lines.length > limits.headerFieldsMax) {
      return malformed('limit', `over ${limits.headerFieldsMax} header fields`);
    }
  }
  const fields = fieldsOf(lines);
  return isMalformed(fields) ? fields : { fields, bodyAt: at };
};

const fieldsOf = (lines: readonly string[]): HeaderField[] | Malformed => {
  const fields: HeaderField[] = [];
  const seen = new Set<string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || !/^[!-9;-~]+$/.test(name)) return malformed('syntax', `no header field: ${quoted(line)}`);
    if (seen.has(name) && onlyOnce.test(name)) return malformed('syntax', `${name} is there twice`);
    seen.add(name);
    fields.push({ name, value: line.slice(colon + 1).trim() });
  }
  return fields;
};

/** The value of the first field of this name (in lower case); null when there is none. */
export const fieldOf = (fields: readonly HeaderField[], name: string): string | null =>
  fields.find((field) => field.name === name)?.value ?? null;

/**
 * Reads `value; name=value; name="value"`. Everything after the last readable parameter is ignored. Source: RFC 2045
 * §5.1.
 */
export const readParameters = (text: string): Parametrized | Malformed => {
  const value = /^[^;\s]*/.exec(text)![0].toLowerCase();
  const parameters = new Map<string, string>();
  const pattern = /\s*;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?/y;
  pattern.lastIndex = value.length;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [, name, inQuotes, bare] = found;
    if (name === undefined) continue;
    const [key, plain] = plainParameter(name.toLowerCase(), inQuotes?.replaceAll(/\\(.)/g, '$1') ?? bare!);
    if (parameters.has(key)) return malformed('syntax', `the parameter ${quoted(key)} is there twice`);
    if (parameters.size === PARAMETERS_MAX) return malformed('limit', `over ${PARAMETERS_MAX} parameters`);
    parameters.set(key, plain);
  }
  return { value, parameters };
};

/** `name*=utf-8''a%20b` of RFC 2231 §4 as `name` and its text; anything else unchanged. */
const plainParameter = (name: string, value: string): [string, string] => {
  const extended = name.endsWith('*') ? /^utf-8'[^']*'(.*)$/i.exec(value) : null;
  if (extended === null) return [name, value];
  return [name.slice(0, -1), percentDecoded(extended[1]!)];
};

/** Percent-decoded if it is percent-encoded UTF-8, else unchanged. */
export const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // The peer wrote a stray `%`: not our error.
    return text;
  }
};

/**
 * `Name: value` with its CRLF, folded at blanks (RFC 5322 §2.2.3). The value must be printable ASCII: text goes through
 * `encodeWords` first. All header lines are written by this function, which keeps CR, LF and NUL out.
 */
export const writeField = (name: string, value: string): string | Unwritable => {
  if (!/^[\x20-\x7e]*$/.test(value)) return unwritable(name, 'holds what no header field may hold');
  let rest = `${name}: ${value}`;
  const lines: string[] = [];
  while (rest.length > FOLD_AT) {
    const cut = foldAt(rest, name.length + 2);
    if (cut === -1) break;
    lines.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  lines.push(rest);
  if (lines.some((line) => line.length > LINE_MAX)) return unwritable(name, `has a word of over ${LINE_MAX} octets`);
  return `${lines.join('\r\n')}\r\n`;
};

/** The last blank before column 76, else the first one after it, between two words; -1 when there is none. */
const foldAt = (line: string, nameEnd: number): number => {
  let cut = -1;
  for (let at = Math.max(1, line.startsWith(' ') ? 1 : nameEnd); at < line.length - 1; at++) {
    if (line[at] !== ' ' || line[at - 1] === ' ' || line[at + 1] === ' ') continue;
    if (at > FOLD_AT && cut !== -1) break;
    cut = at;
    if (at > FOLD_AT) break;
  }
  return cut;
};
