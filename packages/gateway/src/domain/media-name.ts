/**
 * What a medium is called: the end of its type's file names, and the name under which it is given out. Pure; a name from
 * outside never passes with a character that means something to a URL, a path or a header.
 */
import type { MediumType } from './medium.ts';

const characters = 64;

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

/** `given` in the characters a-z 0-9 . _ - (1 to 64 of them), with the extension of what it is by its content. */
export function mediumFileName(given: string, type: MediumType): string {
  const extension = `.${mediumExtensions[type]}`;
  const stem = given
    .slice(0, 4 * characters)
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, characters - extension.length)
    .replace(/-+$/, '');
  return (stem === '' ? 'medium' : stem) + extension;
}
