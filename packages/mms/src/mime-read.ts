/**
 * Bytes to MIME entities (RFC 2045, 2046), within limits of depth, count and size. A multipart without its closing line
 * was truncated, and is refused.
 */
import { isMalformed, type Malformed, malformed, quoted } from './failure.ts';
import { fieldOf, type HeaderField, type Parametrized, readHeader, readParameters } from './header-fields.ts';
import type { MmsLimits } from './limits.ts';
import { decodeBody } from './transfer-encoding.ts';

export interface Entity {
  fields: HeaderField[];
  contentType: Parametrized;
  /** The content after transfer decoding; for a multipart everything between its header and its end. */
  body: Buffer;
  /** The entities of a multipart; null otherwise. */
  parts: Entity[] | null;
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
/** RFC 2046 §5.1.1 allows 70. */
const BOUNDARY_MAX = 200;

/** An entity with its header. */
export const readEntity = (bytes: Buffer, limits: MmsLimits): Entity | Malformed => {
  if (bytes.length > limits.bytesMax) return malformed('limit', `over ${limits.bytesMax} octets`);
  return entityAt(bytes, 0, { limits, entities: 0 });
};

/** The body of an entity whose header fields came separately, as in an HTTP request. */
export const readBody = (fields: HeaderField[], body: Buffer, limits: MmsLimits): Entity | Malformed => {
  if (body.length > limits.bytesMax) return malformed('limit', `over ${limits.bytesMax} octets`);
  return entityOf(fields, body, 0, { limits, entities: 0 });
};

/** Shared by all readers of one message. */
interface Reading {
  limits: MmsLimits;
  entities: number;
}

const entityAt = (bytes: Buffer, depth: number, reading: Reading): Entity | Malformed => {
  const header = readHeader(bytes, reading.limits);
  return isMalformed(header) ? header : entityOf(header.fields, bytes.subarray(header.bodyAt), depth, reading);
};

const entityOf = (fields: HeaderField[], encoded: Buffer, depth: number, reading: Reading): Entity | Malformed => {
  reading.entities++;
  if (reading.entities > reading.limits.entitiesMax) {
    return malformed('limit', `over ${reading.limits.entitiesMax} parts`);
  }
  // RFC 2045 §5.2: without a Content-Type it is plain text.
  const contentType = readParameters(fieldOf(fields, 'content-type') ?? 'text/plain; charset=us-ascii');
  if (isMalformed(contentType)) return contentType;
  const body = decodeBody(encoded, fieldOf(fields, 'content-transfer-encoding') ?? '');
  if (isMalformed(body)) return body;
  if (!contentType.value.startsWith('multipart/')) return { fields, contentType, body, parts: null };
  if (depth === reading.limits.multipartDepthMax) {
    return malformed('limit', `multiparts in each other, over ${reading.limits.multipartDepthMax} deep`);
  }
  const parts = partsOf(body, contentType, depth, reading);
  return isMalformed(parts) ? parts : { fields, contentType, body, parts };
};

const partsOf = (body: Buffer, contentType: Parametrized, depth: number, reading: Reading): Entity[] | Malformed => {
  const boundary = contentType.parameters.get('boundary') ?? '';
  if (boundary === '') return malformed('missing', 'a multipart without a boundary');
  if (boundary.length > BOUNDARY_MAX) return malformed('limit', `a boundary of over ${BOUNDARY_MAX} characters`);
  const parts: Entity[] = [];
  let start = -1;
  for (const delimiter of delimiters(body, boundary)) {
    if (start !== -1) {
      const part = entityAt(body.subarray(start, Math.max(start, delimiter.start)), depth + 1, reading);
      if (isMalformed(part)) return part;
      parts.push(part);
    }
    if (delimiter.isLast) return parts.length > 0 ? parts : malformed('missing', 'a multipart without parts');
    start = delimiter.next;
  }
  return malformed('syntax', `a multipart cut short: no closing line of ${quoted(boundary)}`);
};

interface Delimiter {
  /** Start of the preceding line end, which belongs to the delimiter (RFC 2046 §5.1.1). */
  start: number;
  /** The octet after its line. */
  next: number;
  isLast: boolean;
}

function* delimiters(body: Buffer, boundary: string): Generator<Delimiter> {
  const line = Buffer.from(`--${boundary}`, 'utf8');
  for (let at = body.indexOf(line); at !== -1; at = body.indexOf(line, at + 1)) {
    if (at > 0 && body[at - 1] !== LF) continue;
    const end = at + line.length;
    const isLast = body[end] === DASH && body[end + 1] === DASH;
    const next = lineEnd(body, isLast ? end + 2 : end);
    // Not a delimiter but a longer boundary with the same beginning, such as one of an inner multipart.
    if (next === null) continue;
    yield { start: at - (at === 0 ? 0 : body[at - 2] === CR ? 2 : 1), next, isLast };
  }
}

/** The offset after blanks and a line end, or the end of the body; null when something else follows. */
const lineEnd = (body: Buffer, from: number): number | null => {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x09) at++;
  if (body[at] === CR && body[at + 1] === LF) return at + 2;
  if (body[at] === LF) return at + 1;
  return at >= body.length ? body.length : null;
};
