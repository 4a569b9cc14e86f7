/** The code blocks of READMEs and docs, as a reader would copy them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface DocBlock {
  /** Relative to the root of the repository. */
  file: string;
  /** Line number of its first line of code. */
  line: number;
  /** The word after the fence; '' for none. */
  language: string;
  text: string;
}

const fence = /^( *)(`{3,}|~{3,})(.*)$/;

export function docBlocks(): DocBlock[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return blocksOfFiles([
    'README.md',
    'CONTRIBUTING.md',
    ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ]);
}

/** Blocks of the packages that are published separately. */
export function packageBlocks(): DocBlock[] {
  const readmes = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
  return blocksOfFiles(readmes.filter((file) => existsSync(join(root, file))));
}

function blocksOfFiles(files: readonly string[]): DocBlock[] {
  return files.toSorted().flatMap((file) => blocksOf(file, readFileSync(join(root, file), 'utf8')));
}

/** Throws for a fence that is never closed. */
export function blocksOf(file: string, markdown: string): DocBlock[] {
  const blocks: DocBlock[] = [];
  let open: (DocBlock & { indent: number; closing: string; lines: string[] }) | null = null;
  markdown.split('\n').forEach((line, index) => {
    const [, indent = '', ticks = '', language = ''] = fence.exec(line) ?? [];
    if (open === null) {
      if (ticks !== '') {
        open = {
          file,
          line: index + 2,
          language: language.trim(),
          text: '',
          indent: indent.length,
          closing: ticks,
          lines: [],
        };
      }
    } else if (line.trim() === open.closing) {
      const { lines, indent: _indent, closing: _closing, ...block } = open;
      blocks.push({ ...block, text: `${lines.join('\n')}\n` });
      open = null;
    } else open.lines.push(line.slice(open.indent));
  });
  if (open !== null) throw new Error(`${file}: the block at line ${(open as DocBlock).line} has no end`);
  return blocks;
}
