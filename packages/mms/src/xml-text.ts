/**
 * Text of XML 1.0 documents, both ways. Only the five entities of the standard and numeric references are decoded:
 * nothing expands.
 */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** An unknown reference stays unchanged. */
export const decodeXmlText = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
        if (name !== undefined) return named[name] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
        return isXmlCharacter(code) ? String.fromCodePoint(code) : whole;
      })
    : text;

/** XML 1.0 §2.2. */
const isXmlCharacter = (code: number): boolean =>
  code === 0x09 ||
  code === 0x0a ||
  code === 0x0d ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

/** True when XML can represent every character; a lone surrogate cannot be. */
export const isXmlText = (text: string): boolean => {
  for (const character of text) if (!isXmlCharacter(character.codePointAt(0)!)) return false;
  return true;
};

/**
 * For content and for attributes in double quotes. Line ends become references, because readers normalise them (§2.11).
 */
export const encodeXmlText = (text: string): string =>
  text.replaceAll(/[&<>"\r\n\t]/g, (character) => references[character]!);

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};
