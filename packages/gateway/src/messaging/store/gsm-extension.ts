/**
 * Repairs a GSM 03.38 escape that was cut from its character: one part ends with ESC, the next begins with the
 * character (3GPP TS 23.038 §6.2.1.1). Senders should not cut there; some do.
 */

/** Ends the text of a part whose last septet is an escape. */
export const cutEscape = '\u001b';

/** Characters of the extension table, by the default character after the escape. */
const extension: ReadonlyMap<string, string> = new Map([
  ['\n', '\f'],
  ['Λ', '^'],
  ['(', '{'],
  [')', '}'],
  ['/', '\\'],
  ['<', '['],
  ['=', '~'],
  ['>', ']'],
  ['¡', '|'],
  ['e', '€'],
]);

/** Joins two consecutive texts; a cut escape applies to the following character, or becomes a space at the end. */
export function joinAtEscape(text: string, next: string): string {
  if (!text.endsWith(cutEscape)) return text + next;
  const first = next.slice(0, 1);
  return text.slice(0, -1) + (first === '' ? ' ' : (extension.get(first) ?? first)) + next.slice(1);
}
