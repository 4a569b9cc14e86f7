/**
 * File names of media: in URLs, and for people. Pure. Names from outside lose characters that have a meaning in URLs,
 * paths or headers, or that mislead the eye.
 */
import type { MediumType } from './medium.ts';

const characters = 64;
const shownCharacters = 120;

export const mediumExtensions: Readonly<Record<MediumType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'text/vcard': 'vcf',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
};

/** Extensions of other types that handsets send. */
const otherExtensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/xhtml+xml': 'xhtml',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/aac': 'aac',
  'audio/amr-wb': 'awb',
  'audio/flac': 'flac',
  'audio/midi': 'mid',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/x-caf': 'caf',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif',
  'text/calendar': 'ics',
  'text/html': 'html',
  'text/plain': 'txt',
  'video/3gpp2': '3g2',
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
};

const extensions = new Map(Object.entries({ ...otherExtensions, ...mediumExtensions }));

const extensionForm = /\.([A-Za-z0-9]{1,5})$/;

/** `given` in the characters a-z 0-9 . _ - (1 to 64 of them), with the extension of its type by content. */
export function mediumFileName(given: string, type: MediumType): string {
  return plainName(given, mediumExtensions[type]);
}

/** The same for a file of any type. With `known` false, type and extension are as the peer declared. */
export function anyFileName(given: string, { type, known }: { type: string; known: boolean }): string {
  const ofType = extensions.get(type);
  const ofName = extensionForm.exec(given)?.[1]?.toLowerCase();
  return plainName(given, (known ? (ofType ?? ofName) : (ofName ?? ofType)) ?? 'bin');
}

function plainName(given: string, ending: string): string {
  const extension = `.${ending}`;
  const stem = given
    .slice(-4 * characters)
    .replace(extensionForm, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, characters - extension.length)
    .replace(/-+$/, '');
  return (stem === '' ? 'medium' : stem) + extension;
}

/**
 * `given` as people may read it: the last part of a path, without control characters, direction marks (which hide the
 * true extension) and other invisible characters; '' when nothing is left.
 */
export function shownFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const clean = [
    ...last
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\ufffd]/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  ];
  if (/^\.*$/.test(clean.join(''))) return '';
  if (clean.length <= shownCharacters) return clean.join('');
  const extension = extensionForm.exec(clean.join(''))?.[0] ?? '';
  return clean.slice(0, shownCharacters - extension.length).join('') + extension;
}
