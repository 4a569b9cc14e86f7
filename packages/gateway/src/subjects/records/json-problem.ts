/**
 * Locates a JSON syntax error (RFC 8259) by line and column. The runtime's message quotes the text, which may contain
 * a password, so it cannot be shown.
 */

export interface JsonProblem {
  /** `duplicate`: well-formed, but a field occurs twice and only one would count. */
  kind: 'syntax' | 'duplicate';
  /** From 1. */
  line: number;
  column: number;
}

const blanks = /[ \t\n\r]*/y;
const token =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/y;

/** What the grammar allows at this point. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or close' | 'end';

/** An object or array that is not closed yet; `names` are the fields of an object so far. */
interface Open {
  bracket: '{' | '[';
  names: Set<string>;
}

/** The first position of a syntax error or of a duplicate field; null when there is neither. */
export function firstJsonProblem(text: string): JsonProblem | null {
  const open: Open[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    blanks.lastIndex = at;
    blanks.exec(text);
    at = blanks.lastIndex;
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return at === text.length && expected === 'end' ? null : problemAt('syntax', text, at);
    const isName = expected === 'key' || expected === 'key or }';
    const next = after(found, expected, open);
    if (next === null) return problemAt('syntax', text, at);
    if (isName && next === ':' && !isNew(found, open.at(-1)!.names)) return problemAt('duplicate', text, at);
    expected = next;
    at = token.lastIndex;
  }
}

function after(found: string, expected: Expected, open: Open[]): Expected | null {
  const done = (): Expected => (open.length === 0 ? 'end' : ', or close');
  if (found === '}' || found === ']') {
    const mayClose = expected === ', or close' || expected === (found === '}' ? 'key or }' : 'value or ]');
    return mayClose && open.pop()?.bracket === (found === '}' ? '{' : '[') ? done() : null;
  }
  if (found === ',') return expected === ', or close' ? (open.at(-1)?.bracket === '{' ? 'key' : 'value') : null;
  if (found === ':') return expected === ':' ? 'value' : null;
  if (expected === 'key' || expected === 'key or }') return found.startsWith('"') ? ':' : null;
  if (expected !== 'value' && expected !== 'value or ]') return null;
  if (found !== '{' && found !== '[') return done();
  open.push({ bracket: found, names: new Set() });
  return found === '{' ? 'key or }' : 'value or ]';
}

/** `"t\u006f"` and `"to"` are the same name. */
function isNew(quotedName: string, names: Set<string>): boolean {
  const name: string = JSON.parse(quotedName);
  if (names.has(name)) return false;
  names.add(name);
  return true;
}

function problemAt(kind: JsonProblem['kind'], text: string, offset: number): JsonProblem {
  const before = text.slice(0, offset).split('\n');
  return { kind, line: before.length, column: before.at(-1)!.length + 1 };
}
