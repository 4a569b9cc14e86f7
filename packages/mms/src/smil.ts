/**
 * SMIL, the presentation of a message: written for the conformance subset of handsets, read only for its order. Never
 * parsed as XML: handsets often write invalid XML, and nothing in it may be expanded or fetched. Source: OMA MMS
 * Conformance Document §7 (one par a page, regions Image and Text).
 */
import { percentDecoded } from './header-fields.ts';
import type { MmsPart } from './mms-message.ts';
import { decodeXmlText, encodeXmlText } from './xml-text.ts';

const SLIDE = '5000ms';
/** A longer presentation is not read; its parts keep the order of the message. */
const SMIL_CHARACTERS_MAX = 64 * 1024;

const layout =
  '<layout><root-layout width="320" height="480"/>' +
  '<region id="Image" left="0" top="0" width="320" height="320" fit="meet"/>' +
  '<region id="Text" left="0" top="320" width="320" height="160" fit="scroll"/></layout>';

/** One slide per medium, each with the next text; remaining texts get slides of their own. */
export const writeSmil = (parts: readonly MmsPart[]): string => {
  const texts = parts.filter(isText);
  const media = parts.filter((part) => !isText(part));
  let slides = '';
  for (let i = 0; i < Math.max(texts.length, media.length); i++) {
    slides += `<par dur="${SLIDE}">${mediumOf(media[i])}${textOf(texts[i])}</par>`;
  }
  return `<smil><head>${layout}</head><body>${slides}</body></smil>`;
};

const isText = (part: MmsPart): boolean => part.contentType === 'text/plain';

const textOf = (part: MmsPart | undefined): string =>
  part === undefined ? '' : `<text src="${encodeXmlText(part.fileName)}" region="Text"/>`;

const mediumOf = (part: MmsPart | undefined): string => {
  if (part === undefined) return '';
  const src = `src="${encodeXmlText(part.fileName)}"`;
  if (part.contentType.startsWith('image/')) return `<img ${src} region="Image"/>`;
  if (part.contentType.startsWith('video/')) return `<video ${src} region="Image"/>`;
  if (part.contentType.startsWith('audio/')) return `<audio ${src}/>`;
  return `<ref ${src}/>`;
};

/**
 * The `src` values of the presentation in order, with their references decoded. Never fails; nonsense yields an empty
 * list.
 */
export const readSmil = (smil: string): string[] => {
  if (smil.length > SMIL_CHARACTERS_MAX) return [];
  const sources: string[] = [];
  const tags = smil.matchAll(/<(?:[\w-]+:)?(?:img|image|text|audio|video|ref|animation)\s([^<>]*)>/gi);
  for (const [, attributes] of tags) {
    const [, double, single] = /(?:^|\s)src\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/i.exec(attributes!) ?? [];
    const source = double ?? single;
    if (source !== undefined) sources.push(decodeXmlText(source.trim()));
  }
  return sources;
};

/** The parts in the order of the presentation; parts that it does not name follow in the order of the message. */
export const inOrderOf = (smil: string, parts: readonly MmsPart[]): MmsPart[] => {
  const byName = new Map<string, MmsPart>();
  for (const part of parts.toReversed()) {
    byName.set(`file:${part.fileName.toLowerCase()}`, part);
    byName.set(`cid:${part.contentId.toLowerCase()}`, part);
  }
  const shown = new Set<MmsPart>();
  for (const source of readSmil(smil)) {
    const name = percentDecoded(source)
      .replace(/^cid:/i, '')
      .replace(/^<(.*)>$/, '$1')
      .toLowerCase();
    const kinds = /^cid:/i.test(source) ? ['cid:', 'file:'] : ['file:', 'cid:'];
    const part = kinds.map((kind) => byName.get(kind + name)).find((found) => found !== undefined);
    if (part !== undefined) shown.add(part);
  }
  return [...shown, ...parts.filter((part) => !shown.has(part))];
};
