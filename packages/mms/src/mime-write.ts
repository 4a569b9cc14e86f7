/**
 * MIME entities to bytes. Media are written in base64 or, over HTTP, unencoded. The boundary is a hash of the content,
 * so it cannot occur in it. Never writes a value that would end its line.
 */
import { createHash } from 'node:crypto';
import { isUnwritable, type Unwritable, unwritable } from './failure.ts';
import { writeField } from './header-fields.ts';
import { toBase64Lines } from './transfer-encoding.ts';

/** `binary` is for HTTP only: SMTP carries lines. */
export type TransferEncoding = 'base64' | 'binary';

export type OutField = readonly [name: string, value: string];

/** An entity to write: a leaf with its octets, or a multipart with its entities. */
export type OutEntity =
  | { contentType: string; fields: readonly OutField[]; body: Buffer; isText?: true }
  | {
      /** `multipart/…` without its boundary; further parameters may follow. */
      contentType: string;
      fields: readonly OutField[];
      parts: readonly OutEntity[];
    };

/** An entity without its header: HTTP carries these fields in its own. */
export interface WrittenEntity {
  fields: OutField[];
  body: Buffer;
}

const CRLF = Buffer.from('\r\n');

export const writeEntity = (entity: OutEntity, encoding: TransferEncoding): WrittenEntity | Unwritable =>
  'parts' in entity ? writeMultipart(entity, encoding) : writeLeaf(entity, encoding);

const writeLeaf = (entity: Extract<OutEntity, { body: Buffer }>, encoding: TransferEncoding): WrittenEntity => {
  // XML is our own text in short lines; everything else is octets.
  const chosen = entity.isText ? '8bit' : encoding;
  return {
    fields: [['Content-Type', entity.contentType], ['Content-Transfer-Encoding', chosen], ...entity.fields],
    body: chosen === 'base64' ? Buffer.from(toBase64Lines(entity.body), 'latin1') : entity.body,
  };
};

const writeMultipart = (
  entity: Extract<OutEntity, { parts: readonly OutEntity[] }>,
  encoding: TransferEncoding,
): WrittenEntity | Unwritable => {
  const bodies: { header: string; body: Buffer }[] = [];
  for (const part of entity.parts) {
    const written = writeEntity(part, encoding);
    if (isUnwritable(written)) return written;
    const header = writeFields(written.fields);
    if (isUnwritable(header)) return header;
    bodies.push({ header, body: written.body });
  }
  if (bodies.length === 0) return unwritable('parts', 'a multipart needs one');
  const boundary = boundaryOf(bodies);
  const pieces = bodies.flatMap(({ header, body }) => [Buffer.from(`--${boundary}\r\n${header}\r\n`), body, CRLF]);
  const contentType = entity.contentType.replace(/^[^;]*/, `$&; boundary="${boundary}"`);
  return {
    fields: [['Content-Type', contentType], ...entity.fields],
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
};

/** Nobody can write a part that contains its own hash. `=_` occurs in neither base64 nor quoted-printable. */
const boundaryOf = (bodies: readonly { header: string; body: Buffer }[]): string => {
  const hash = createHash('sha256');
  for (const { header, body } of bodies) hash.update(header).update(body);
  return `=_${hash.digest('hex').slice(0, 40)}`;
};

export const writeFields = (fields: readonly OutField[]): string | Unwritable => {
  let header = '';
  for (const [name, value] of fields) {
    const line = writeField(name, value);
    if (isUnwritable(line)) return line;
    header += line;
  }
  return header;
};
