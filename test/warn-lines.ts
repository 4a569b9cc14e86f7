/** The lines that the sources log at level `warn`, extracted from the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const rooms = ['packages/gateway/src', 'packages/sandbox/src'];

export interface WarnLine {
  /** From the root of the repository. */
  file: string;
  /**
   * Its sentences, up to the part that is only known at run time; empty when the whole sentence comes from elsewhere.
   */
  messages: string[];
}

export function warnLines(): WarnLine[] {
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((name) => join(root, room, name)),
  );
  return files
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|-fixture\.ts$|\/contract\//.test(file))
    .sort()
    .flatMap((file) =>
      warnLinesIn(readFileSync(file, 'utf8')).map((messages) => ({ file: relative(root, file), messages })),
    );
}

/** The last argument of each call of a method `warn` with a sentence. */
export function warnLinesIn(source: string): string[][] {
  return [...source.matchAll(/\.warn\(/g)]
    .map(({ index, 0: call }) => argumentsAt(source, index + call.length))
    .filter((args) => args.length > 1)
    .map((args) =>
      [...args.at(-1)!.matchAll(/'((?:[^'\\]|\\.)*)'|`([^`$]*)/g)]
        .map(([, plain, template]) => plain ?? template!)
        .filter((text) => text !== ''),
    );
}

/** The arguments of a call whose bracket opened right before `from`. */
function argumentsAt(source: string, from: number): string[] {
  const args = [''];
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const character = source[at]!;
    if (`'"\``.includes(character)) {
      const end = source.indexOf(character, at + 1);
      args.push(args.pop()! + source.slice(at, end + 1));
      at = end;
      continue;
    }
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character) && --depth < 0) break;
    if (character === ',' && depth === 0) args.push('');
    else args.push(args.pop()! + character);
  }
  return args.map((text) => text.trim()).filter((text) => text !== '');
}
