/** Splits the search line into its words, for chips and completions. The gateway interprets them. Pure. */

/** A North American number as people write it: `(202) 555-0100`, `+1 202 555 0100`. */
const written = /(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?!\S)/;
const word = /(?:[A-Za-z]+:)?(?:"[^"]*"?|\S+)/;
const words = new RegExp(`${written.source}|${word.source}`, 'g');

/** White space separates words, except within double quotes and within a telephone number. */
export function searchWords(query: string): string[] {
  return query.match(words) ?? [];
}

/** The query without the word at this index. */
export function withoutWord(query: string, index: number): string {
  return searchWords(query)
    .filter((_, i) => i !== index)
    .join(' ');
}

/** Whether the gateway could not read this word; it may have read several of them as one telephone number. */
export function isFaulty(word: string, problems: readonly { token: string }[]): boolean {
  const bare = (text: string) => text.replaceAll('"', '');
  return problems.some(({ token }) => bare(token) === bare(word) || token.split(' ').includes(word));
}

/** The word being typed at the end of the query, if it may become the name of a token; else null. */
export function typedName(query: string): string | null {
  const [, word] = /(?:^|\s)([A-Za-z]*)$/.exec(query) ?? [];
  return word ?? null;
}

/** The query with the word being typed replaced by this token. */
export function completed(query: string, name: string): string {
  return query.replace(/[A-Za-z]*$/, `${name}:`);
}

/** A URL may contain the search as a JSON string: the router writes a text of digits that way. */
export function fromAddress(value: string): string {
  return /^"\d+"$/.test(value) ? value.slice(1, -1) : value;
}
