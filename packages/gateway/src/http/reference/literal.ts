/** A JSON value as a literal of another language. */

export interface Notation {
  yes: string;
  no: string;
  nothing: string;
  /** Brackets of an object, and the sign between a name and its value. */
  object: readonly [open: string, close: string];
  pair: string;
  text(value: string): string;
}

const json = (value: string) => JSON.stringify(value);
const javascript: Notation = {
  ...{ yes: 'true', no: 'false', nothing: 'null' },
  ...{ object: ['{', '}'], pair: ': ', text: json },
};

export const notations = {
  javascript,
  python: { ...javascript, yes: 'True', no: 'False', nothing: 'None' },
  // Ruby interpolates `#{…}` in double quotes.
  ruby: { ...javascript, nothing: 'nil', pair: ' => ', text: (value: string) => json(value).replaceAll('#', '\\#') },
  php: { ...javascript, object: ['[', ']'], pair: ' => ', text: phpText },
} as const satisfies Record<string, Notation>;

export function phpText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A value up to this length stays on one line. */
const lineChars = 60;

/** `indent`: spaces before each line after the first. */
export function literal(value: unknown, notation: Notation, indent = 0): string {
  const { object, pair, text } = notation;
  const list = (open: string, items: string[], close: string): string => {
    if (items.length === 0) return `${open}${close}`;
    const short = `${open}${items.join(', ')}${close}`;
    if (short.length <= lineChars && !short.includes('\n')) return short;
    const inner = ' '.repeat(indent + 2);
    return `${open}\n${items.map((item) => `${inner}${item}`).join(',\n')}\n${' '.repeat(indent)}${close}`;
  };
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return value ? notation.yes : notation.no;
  if (typeof value === 'number') return String(value);
  if (value === null || value === undefined) return notation.nothing;
  const nested = (one: unknown) => literal(one, notation, indent + 2);
  if (Array.isArray(value)) return list('[', value.map(nested), ']');
  const entries = Object.entries(value).map(([name, one]) => `${text(name)}${pair}${nested(one)}`);
  // An empty PHP array would become a JSON list, but an object is wanted.
  if (entries.length === 0 && object[0] === '[') return 'new stdClass()';
  return list(object[0], entries, object[1]);
}
