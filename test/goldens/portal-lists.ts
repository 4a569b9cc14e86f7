/**
 * Lists generated from the portal's own files: the labels available to each page, and the addresses at which the
 * gateway serves the portal. `npm run goldens` writes them; the test beside it fails when they are out of date.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const labelFile = /(?:^|[/-])(?:labels|texts)\.(\w+)\.ts$/;

/** By language, of `language/rest.<language>.ts`: the labels of every feature that `start.<language>.ts` does not name. */
export function restPacks(portal: string): Record<string, string> {
  const files = readdirSync(portal, { recursive: true, encoding: 'utf8' }).filter((path) => labelFile.test(path));
  const packs = Map.groupBy(files.toSorted(), (path) => labelFile.exec(path)![1]!);
  return Object.fromEntries([...packs].map(([language, paths]) => [language, restPack(portal, language, paths)]));
}

function restPack(portal: string, language: string, paths: readonly string[]): string {
  const start = readFileSync(join(portal, `language/start.${language}.ts`), 'utf8');
  const lines = paths
    .map((path) => `../${path.replace(/\.ts$/, '')}`)
    .filter((path) => !start.includes(`'${path}'`))
    .map((path) => `export { ${labelsIn(join(portal, 'language', `${path}.ts`)).join(', ')} } from '${path}';`);
  return `/** Labels of all pages but the first. Written by \`npm run goldens\`: do not edit. */\n${lines.join('\n')}\n`;
}

/** `usageLabels as usage`: the name for `labelsOf('usage')`. */
function labelsIn(file: string): string[] {
  const names = [...readFileSync(file, 'utf8').matchAll(/^export const (\w+)/gm)].map(([, name]) => name!);
  return names.map((name) => (name.endsWith('Labels') ? `${name} as ${name.slice(0, -'Labels'.length)}` : name));
}

/** Addresses of the API that also serve the portal's page to a browser. */
const served = ['/', '/reasons'];

/** `routes`: the addresses of the portal's router, as it writes them (`/messages/$messageId`). */
export function portalPaths(routes: readonly string[]): string {
  const paths = routes.filter((path) => !served.includes(path)).map((path) => path.replaceAll('$', ':'));
  const lines = paths.toSorted().map((path) => `  '${path}',`);
  return `/** Where the portal has pages, but for those that the API has a route for. Written by \`npm run goldens\`: do not edit. */
export const portalPaths: readonly string[] = [\n${lines.join('\n')}\n];\n`;
}
