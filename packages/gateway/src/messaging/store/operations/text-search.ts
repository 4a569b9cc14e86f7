/** Turns search text into a pattern for `lower(…) like … escape '\'`. Pure. */

/** Lowers only ASCII capitals: SQLite's `lower` knows no others. */
export function patternOf(text: string): string {
  const lowered = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return `%${lowered.replace(/[\\%_]/g, '\\$&')}%`;
}
