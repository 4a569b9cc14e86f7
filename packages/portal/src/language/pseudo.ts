/**
 * English in disguise, for tests: `⟦Ḿëşşåğëş one⟧`. Longer by a third, as other languages are, and marked, so that text
 * that is not a label stands out.
 */
const plain = 'abcdefghijklmnopqrstuvwxyzACEGILNORSTUYZ';
const accented = 'åƀçđëƒğħíĵķłɱñøþɋřşŧüṽŵẋýžÅÇËĞÍŁÑØŘŞŦÜÝŽ';
const disguised = new Map([...plain].map((letter, at) => [letter, [...accented][at]!]));

export function pseudoText(text: string): string {
  if (!/\p{L}/u.test(text)) return text;
  const letters = [...text].map((letter) => disguised.get(letter) ?? letter).join('');
  return `⟦${letters}${'·'.repeat(Math.ceil(text.length * 0.3))}⟧`;
}

/** Disguised labels, including the results of functions. */
export function pseudo<T>(labels: T): T {
  if (typeof labels === 'string') return pseudoText(labels) as T;
  if (typeof labels === 'function') return ((...values: unknown[]) => pseudo(labels(...values))) as T;
  if (typeof labels !== 'object' || labels === null) return labels;
  if (Array.isArray(labels)) return labels.map(pseudo) as T;
  return Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, pseudo(label)])) as T;
}
