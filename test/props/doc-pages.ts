/** The pages of the documentation in the order in which they are read, as `docs/README.md` lists them. */
import { readFileSync } from 'node:fs';

const readme = new URL('../../docs/README.md', import.meta.url);

/** Names as in their addresses: `webhooks`, `tutorials/first-text`. */
export function docPages(): string[] {
  const [shipped = ''] = readFileSync(readme, 'utf8').split('## You change Heliograph');
  return [...shipped.matchAll(/^- \[[^\]]+\]\(([\w/-]+)\.md\)/gm)].map(([, name]) => name!);
}
