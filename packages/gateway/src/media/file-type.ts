/**
 * Determines the type of a file from a handset. Content decides where the format is known, because browsers go by
 * content and peers mislabel; otherwise the label counts. Only files that `kindOf` recognised completely may be shown
 * inline or forwarded.
 */
import type { KeptFile, MediaFiles } from '../model/media.ts';
import { kindOf } from './kind.ts';

export interface FileType {
  /** A media type in lower case, without parameters. */
  type: string;
  /** The content proves the type; the peer's label alone does not. */
  known: boolean;
  downloadOnly: boolean;
}

const unknownType = 'application/octet-stream';
const typeForm = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/;

export function fileTypeOf(bytes: Buffer, declared: string): FileType {
  const kind = kindOf(bytes);
  if (kind.ok) return { type: kind.type, known: true, downloadOnly: false };
  const type = signatureOf(bytes) ?? movieOf(bytes) ?? markupOf(bytes);
  if (type !== null) return { type, known: true, downloadOnly: true };
  const label = (declared.split(';')[0] ?? '').trim().toLowerCase();
  if (typeForm.test(label) && label !== unknownType) return { type: label, known: false, downloadOnly: true };
  return { type: containerOf(bytes) ?? unknownType, known: false, downloadOnly: true };
}

export async function keepFile(files: MediaFiles, bytes: Buffer, declared: string): Promise<KeptFile> {
  const put = await files.put(bytes);
  if (!put.ok) return { kind: 'later', why: put.why };
  const { type, ...rest } = fileTypeOf(bytes, declared);
  return { kind: 'kept', medium: { hash: put.hash, type, sizeBytes: bytes.length }, ...rest };
}

const at = (offset: number, text: string) => (bytes: Buffer) =>
  bytes.toString('latin1', offset, offset + text.length) === text;

/** First octets that identify one format. Sources: the formats' own specifications. */
const signatures: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ['application/pdf', at(0, '%PDF-')],
  ['image/jpeg', at(0, '\xff\xd8\xff')],
  ['image/png', at(0, '\x89PNG\r\n\x1a\n')],
  ['image/gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => at(0, 'RIFF')(bytes) && at(8, 'WEBP')(bytes)],
  ['audio/wav', (bytes) => at(0, 'RIFF')(bytes) && at(8, 'WAVE')(bytes)],
  ['video/x-msvideo', (bytes) => at(0, 'RIFF')(bytes) && at(8, 'AVI ')(bytes)],
  ['image/tiff', (bytes) => at(0, 'II*\0')(bytes) || at(0, 'MM\0*')(bytes)],
  ['audio/amr', at(0, '#!AMR\n')],
  ['audio/amr-wb', at(0, '#!AMR-WB\n')],
  ['audio/mpeg', at(0, 'ID3')],
  ['audio/aac', (bytes) => at(0, '\xff\xf1')(bytes) || at(0, '\xff\xf9')(bytes)],
  ['audio/midi', at(0, 'MThd')],
  ['audio/x-caf', at(0, 'caff')],
  ['audio/flac', at(0, 'fLaC')],
  ['application/x-msdownload', (bytes) => at(0, 'MZ')(bytes) && bytes.length >= 64],
  ['application/x-elf', at(0, '\x7fELF')],
  ['application/rtf', at(0, '{\\rtf')],
  ['text/vcard', (bytes) => /^(\xef\xbb\xbf)?BEGIN:VCARD\r?\n/i.test(bytes.toString('latin1', 0, 20))],
  ['text/calendar', (bytes) => /^(\xef\xbb\xbf)?BEGIN:VCALENDAR\r?\n/i.test(bytes.toString('latin1', 0, 24))],
];

function signatureOf(bytes: Buffer): string | null {
  return signatures.find(([, matches]) => matches(bytes))?.[0] ?? null;
}

/** Brands of the ISO base media format (ISO/IEC 14496-12 §4.3; 23008-12 §10 for pictures). */
const brands: readonly (readonly [RegExp, string])[] = [
  [/^(heic|heix|hevc|hevx|heim|heis|hevm|hevs)$/, 'image/heic'],
  [/^(mif1|msf1)$/, 'image/heif'],
  [/^(avif|avis)$/, 'image/avif'],
  [/^qt {2}$/, 'video/quicktime'],
  [/^M4[AB] $/, 'audio/mp4'],
  [/^3g2/, 'video/3gpp2'],
  [/^3g/, 'video/3gpp'],
  [/^(isom|iso\d|mp4\d|avc1|M4V |MSNV|mmp4|dash)$/, 'video/mp4'],
];

function movieOf(bytes: Buffer): string | null {
  if (bytes.length < 12 || !at(4, 'ftyp')(bytes)) return null;
  const brand = bytes.toString('latin1', 8, 12);
  return brands.find(([form]) => form.test(brand))?.[1] ?? null;
}

/** Markup that a browser would render as a page, run as a scripted image, or parse as XML. */
function markupOf(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 1_024).replace(/^(\xef\xbb\xbf)?\s*(<!--[\s\S]*?-->\s*)*/, '');
  if (/^<(!doctype\s+html|html|head|body|script|iframe)\b/i.test(start)) return 'text/html';
  if (/^(<\?xml\b|<!doctype\s+svg\b|<svg\b)/i.test(start)) {
    if (/<html\b/i.test(start)) return 'application/xhtml+xml';
    return /<svg\b/i.test(start) ? 'image/svg+xml' : 'application/xml';
  }
  return null;
}

/** Containers of many formats: the peer's label says more than the container. */
function containerOf(bytes: Buffer): string | null {
  if (at(0, 'PK\x03\x04')(bytes)) return 'application/zip';
  return at(0, 'OggS')(bytes) ? 'audio/ogg' : null;
}
