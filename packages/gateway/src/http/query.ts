/** The query string as pairs. It holds a secret: never keep, print or throw any of it. */

/** Pairs in the order they were sent; a value is null when its percent-encoding is broken. */
export type Query = readonly (readonly [name: string, value: string | null])[];

const none: Query = [];

/** Reads `a=1&b=2` (without the question mark), as forms write it: `+` is a space, names are decoded too. */
export function parseQuery(text: string): Query {
  if (text === '') return none;
  const pairs: [string, string | null][] = [];
  for (let from = 0, to = 0; from < text.length; from = to + 1) {
    to = text.indexOf('&', from);
    if (to === -1) to = text.length;
    if (to === from) continue;
    const part = text.slice(from, to);
    const equals = part.indexOf('=');
    const name = equals === -1 ? part : part.slice(0, equals);
    pairs.push([decode(name) ?? name, equals === -1 ? '' : decode(part.slice(equals + 1))]);
  }
  return pairs;
}

/** Every value sent under `name`. */
export function valuesOf(query: Query, name: string): (string | null)[] {
  const values: (string | null)[] = [];
  for (const pair of query) if (pair[0] === name) values.push(pair[1]);
  return values;
}

function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
