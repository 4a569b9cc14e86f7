/**
 * The content of a message as MIME, the same for MM4 and MM7: its parts, in a multipart/related with SMIL as its root
 * when there is a presentation, else in a multipart/mixed.
 */
import { decodeText, decodeWords } from './encoded-words.ts';
import { isMalformed, type Unwritable, unwritable } from './failure.ts';
import { fieldOf, percentDecoded, readParameters } from './header-fields.ts';
import type { Entity } from './mime-read.ts';
import type { OutEntity } from './mime-write.ts';
import type { MmsMessage, MmsPart } from './mms-message.ts';
import { inOrderOf, writeSmil } from './smil.ts';

const SMIL_TYPE = 'application/smil';
const SMIL_ID = 'smil@mms';
const SMIL_FILE = 'smil.xml';
const mediumType = /^[a-z0-9-]+\/[a-z0-9.+_-]+$/;
/** Length limit of a written file name; handsets truncate longer ones. */
const NAME_CHARACTERS_MAX = 40;

/** Content as an entity, strictly: names and ids must be plain and unique, as `presentable` makes them. */
export const contentEntity = (
  message: Pick<MmsMessage, 'parts' | 'smil'>,
  fields: readonly (readonly [string, string])[] = [],
): OutEntity | Unwritable => {
  const { parts, smil } = message;
  const seen = new Set<string>([SMIL_ID, SMIL_FILE]);
  for (const { contentType, contentId, fileName } of parts) {
    if (!mediumType.test(contentType) || contentType.startsWith('multipart/')) {
      return unwritable('contentType', 'is no medium’s type');
    }
    if (!/^[A-Za-z0-9._@-]{1,100}$/.test(contentId)) return unwritable('contentId', 'is no plain id');
    if (!/^[A-Za-z0-9._-]{1,100}$/.test(fileName)) return unwritable('fileName', 'is no plain name');
    if (seen.has(contentId) || seen.has(fileName)) return unwritable('parts', 'share a contentId or a fileName');
    seen.add(contentId).add(fileName);
  }
  const leaves = parts.map(leafOf);
  if (smil === null) return { contentType: 'multipart/mixed', fields, parts: leaves };
  const root = { contentType: SMIL_TYPE, contentId: SMIL_ID, fileName: SMIL_FILE, bytes: Buffer.from(smil, 'utf8') };
  return {
    contentType: `multipart/related; type="${SMIL_TYPE}"; start="<${SMIL_ID}>"`,
    fields,
    parts: [leafOf(root), ...leaves],
  };
};

const leafOf = ({ contentType, contentId, fileName, bytes }: MmsPart): OutEntity => {
  const charset = contentType.startsWith('text/') || contentType === SMIL_TYPE ? '; charset=utf-8' : '';
  return {
    contentType: `${contentType}${charset}; name="${fileName}"`,
    fields: [
      ['Content-ID', `<${contentId}>`],
      ['Content-Location', fileName],
    ],
    body: bytes,
  };
};

/**
 * The message prepared for every handset: plain, unique file names and ids, CRLF in texts, and a presentation. Call it
 * before writing when the parts come from people. Source: RFC 2046 §4.1.1 (line ends of text).
 */
export const presentable = <T extends Pick<MmsMessage, 'parts' | 'smil'>>(message: T): T => {
  const names = new Set([SMIL_FILE]);
  const parts = message.parts.map((part, i) => {
    const fileName = distinct(names, plainName(part.fileName), i);
    return { ...part, fileName, contentId: `${i + 1}@mms`, bytes: canonicalText(part) };
  });
  return { ...message, parts, smil: parts.length === 0 ? null : writeSmil(parts) };
};

const canonicalText = ({ contentType, bytes }: MmsPart): Buffer =>
  contentType === 'text/plain' ? Buffer.from(bytes.toString('utf8').replaceAll(/\r\n|\r|\n/g, '\r\n')) : bytes;

const plainName = (name: string): string => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '_');
  return plain.slice(-NAME_CHARACTERS_MAX);
};

/** `name`, or a similar one when it is empty or taken; adds it to `taken`. */
const distinct = (taken: Set<string>, name: string, index: number): string => {
  let free = name === '' ? `part-${index + 1}` : name;
  while (taken.has(free)) free = `${index + 1}-${free}`;
  taken.add(free);
  return free;
};

/** The parts of received content, in the order of its presentation. Nested multiparts are flattened. */
export const readContent = (entities: readonly Entity[]): Pick<MmsMessage, 'parts' | 'smil'> => {
  const leaves = entities.flatMap(leavesOf);
  const isSmil = (entity: Entity) => entity.contentType.value === SMIL_TYPE;
  const root = leaves.find(isSmil);
  const parts = leaves.filter((entity) => !isSmil(entity)).map(partOf);
  const distinct = withDistinctNames(parts);
  if (root === undefined) return { parts: distinct, smil: null };
  const smil = inUtf8(root).toString('utf8');
  return { parts: inOrderOf(smil, distinct), smil };
};

const leavesOf = (entity: Entity): Entity[] => (entity.parts === null ? [entity] : entity.parts.flatMap(leavesOf));

const partOf = (entity: Entity): MmsPart => {
  const { value, parameters } = entity.contentType;
  const disposition = readParameters(fieldOf(entity.fields, 'content-disposition') ?? '');
  const fileName =
    fieldOf(entity.fields, 'content-location') ??
    parameters.get('name') ??
    (isMalformed(disposition) ? null : disposition.parameters.get('filename')) ??
    '';
  return {
    contentType: mediumType.test(value) ? value : 'application/octet-stream',
    contentId: contentIdOf(entity) ?? '',
    // RFC 2231 has another encoding, but phones write encoded words.
    fileName: percentDecoded(decodeWords(fileName.trim())),
    bytes: value.startsWith('text/') ? inUtf8(entity) : entity.body,
  };
};

const charsetOf = (entity: Entity): string => entity.contentType.parameters.get('charset')?.toLowerCase() ?? 'utf-8';

/** US-ASCII is UTF-8, and peers that declare it send UTF-8. */
const inUtf8 = (entity: Entity): Buffer => {
  const charset = charsetOf(entity);
  return /^(utf-?8|us-ascii)$/.test(charset) ? entity.body : Buffer.from(decodeText(entity.body, charset), 'utf8');
};

/** The Content-ID without angle brackets; null when there is none. */
export const contentIdOf = (entity: Entity): string | null => {
  const id = fieldOf(entity.fields, 'content-id');
  return id === null ? null : id.replace(/^<(.*)>$/, '$1').trim();
};

/** Peers omit names or repeat them; ours are unique, so that each part can be referred to. */
const withDistinctNames = (parts: readonly MmsPart[]): MmsPart[] => {
  const names = new Set<string>();
  const ids = new Set<string>();
  return parts.map((part, i) => ({
    ...part,
    fileName: distinct(names, part.fileName, i),
    contentId: distinct(ids, part.contentId, i),
  }));
};
