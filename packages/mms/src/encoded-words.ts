/** Text in header fields: encoded words of RFC 2047. Writes only printable ASCII. */

/** 45 octets of UTF-8 make an encoded word of 72 characters; 75 are allowed (RFC 2047 §2). */
const WORD_BYTES_MAX = 45;
const PLAIN_WORD_MAX = 70;

/**
 * Printable ASCII unchanged, everything else as encoded words of UTF-8 in base64. `text` must have passed `breaksLine`.
 */
export const encodeWords = (text: string): string => {
  const isPlain =
    /^[\x20-\x7e]*$/.test(text) &&
    !text.includes('=?') &&
    text.trim() === text &&
    text.split(' ').every((word) => word.length <= PLAIN_WORD_MAX);
  return isPlain
    ? text
    : chunksOf(text)
        .map((chunk) => `=?UTF-8?B?${chunk.toString('base64')}?=`)
        .join(' ');
};

/** UTF-8 split between characters: each encoded word must be decodable alone (RFC 2047 §5). */
const chunksOf = (text: string): Buffer[] => {
  const bytes = Buffer.from(text, 'utf8');
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    let end = Math.min(at + WORD_BYTES_MAX, bytes.length);
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
};

/** Decodes encoded words; undecodable ones stay unchanged. Blanks between two of them are removed (RFC 2047 §6.2). */
export const decodeWords = (value: string): string => {
  const pieces: (string | Encoded)[] = [];
  let at = 0;
  for (const found of value.matchAll(/=\?([^?\s]{1,40})\?([bq])\?([^?\s]*)\?=/gi)) {
    const [whole, label, encoding, content] = found as unknown as [string, string, string, string];
    const between = value.slice(at, found.index);
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : qBytes(content);
    // A language may follow the charset (RFC 2231 §5).
    const charset = label.replace(/\*.*$/, '').toLowerCase();
    const last = pieces.at(-1);
    const isNeighbour = last !== undefined && between.trim() === '';
    if (!isNeighbour) pieces.push(between);
    // Some writers split a character: octets of neighbours are joined before decoding.
    if (isNeighbour && typeof last === 'object' && last.charset === charset) last.bytes.push(bytes);
    else pieces.push({ charset, bytes: [bytes] });
    at = found.index + whole.length;
  }
  return [...pieces, value.slice(at)].map(pieceText).join('');
};

interface Encoded {
  charset: string;
  bytes: Buffer[];
}

const pieceText = (piece: string | Encoded): string =>
  typeof piece === 'string' ? piece : decodeText(Buffer.concat(piece.bytes), piece.charset);

/** True for text that no field may contain, not even encoded: the next gateway might write it undecoded. */
export const breaksLine = (text: string): boolean => !text.isWellFormed() || /[\r\n\0]/.test(text);

/** RFC 2047 §4.2. */
const qBytes = (content: string): Buffer => {
  const spaced = content.replaceAll('_', ' ');
  return Buffer.from(
    spaced.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
};

/** Octets of a named charset as text; as UTF-8 when the name is unknown. Invalid octets become U+FFFD. */
export const decodeText = (bytes: Buffer, charset: string): string => {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // This runtime does not know the charset: the peer's fault, not our error.
    return new TextDecoder('utf-8').decode(bytes);
  }
};
