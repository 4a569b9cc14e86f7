/**
 * `npm run house`: measures how easy the code is to read and to change, always with the same counts. Reads the sources
 * of this checkout, sends a text through a gateway, and tries the patches in `trials/` on a copy; needs no network.
 * `--json` prints only the numbers. Exits with 1 when a patch no longer applies.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isGenerated, patchNames, type Trial, tryPatches } from './trials.ts';
import { filesOnTheWay } from './way.ts';

const checkout = resolve(import.meta.dirname, '../..');
const kinds = ['smpp', 'mm7', 'mm4'];
const splinterLinesMax = 60;
/** A file longer than this should be split rather than absorb another one. */
const fileLinesGoal = 170;
const longLines = 300;
const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

interface Source {
  /** Relative to the root of the checkout. */
  path: string;
  text: string;
  lines: number;
}

interface Measure {
  name: string;
  /** The counting rule, in words. */
  counts: string;
  value: number;
}

/**
 * All TypeScript of the packages, generated files included, without tests, fixtures, contract suites and declarations.
 */
function readSources(): Source[] {
  const packages = readdirSync(join(checkout, 'packages')).map((name) => join(checkout, 'packages', name, 'src'));
  return (
    packages
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
      // Hidden folders are made by tests beside this one, and removed.
      .filter((path) => /\.tsx?$/.test(path) && !relative(checkout, path).includes('/.'))
      .filter((path) => !/\.test\.tsx?$|fixture\.tsx?$|\.contract\.ts$|\.d\.ts$|\/store\/contract\//.test(path))
      .map((path) => {
        const text = readFileSync(path, 'utf8');
        return { path: relative(checkout, path), text, lines: linesOf(text) };
      })
  );
}

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/** The length that this share of all files does not exceed. */
function quantile(lengths: readonly number[], share: number): number {
  const sorted = lengths.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** The exports of the packages: `@heliograph/mms/mm7-dialect` to `packages/mms/src/mm7-dialect.ts`. */
function readExports(): Map<string, string> {
  const found = readdirSync(join(checkout, 'packages')).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(checkout, 'packages', folder, 'package.json'), 'utf8'));
    const exports = Object.entries<unknown>(manifest.exports ?? {}).filter(([, file]) => typeof file === 'string');
    return exports.map(([name, file]) => [join(manifest.name, name), join('packages', folder, String(file))] as const);
  });
  return new Map(found);
}

/** For each file the others that name it in `from`, `import` or `new URL(…)`, by its path or as an export of its package. */
function importersOf(sources: readonly Source[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>(sources.map(({ path }) => [path, new Set()]));
  const exported = readExports();
  for (const { path, text } of sources) {
    for (const [, name] of text.matchAll(/(?:\bfrom|\bimport\(|\bimport|new URL\()\s*'([^']+)'/g)) {
      const file = name!.startsWith('.') ? join(dirname(path), name!) : (exported.get(name!) ?? name!);
      // The portal is bundled, so its imports have no file ending.
      const target = endings.map((ending) => file + ending).find((tried) => importers.has(tried));
      if (target !== undefined && target !== path) importers.get(target)!.add(path);
    }
  }
  return importers;
}

interface Line {
  path: string;
  text: string;
}

/** The gateway and the portal without the folders of the kinds: no kind should be named there. */
function outsideKinds(sources: readonly Source[]): Source[] {
  const own = new RegExp(`/carriers/(?:${kinds.join('|')})/`);
  return sources.filter(({ path }) => /^packages\/(gateway|portal)\//.test(path) && !own.test(path));
}

/** Lines that name a kind of carrier or reach into its settings. */
function kindLines(sources: readonly Source[]): Line[] {
  const names = new RegExp(`'(?:${kinds.join('|')})'|\\.(?:${kinds.join('|')})\\b`);
  return sources
    .flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, text: line })))
    .filter(({ text }) => !/^\s*(\/\/|\/?\*)/.test(text) && names.test(text));
}

/** How many object literals and types have two kinds or more as keys. */
function countTables(text: string): number {
  const piece = new RegExp(
    `\\/\\*[\\s\\S]*?\\*\\/|^\\s*\\/\\/.*$|[{}]|(?<=[{,;\\n]\\s*(?:readonly )?)'?(${kinds.join('|')})'?\\??:`,
    'gm',
  );
  const open: Set<string>[] = [];
  let tables = 0;
  for (const [found, kind] of text.matchAll(piece)) {
    if (found === '{') open.push(new Set());
    else if (found === '}') tables += (open.pop()?.size ?? 0) > 1 ? 1 : 0;
    else if (kind !== undefined) open.at(-1)?.add(kind);
  }
  return tables;
}

/**
 * Accepted reasons for a small file with one importer. The other such files are splinters: each could be part of its
 * importer.
 */
const reasons = [
  'numbered migrations',
  'loaded on demand',
  'used by another folder',
  'tested alone',
  'splinters',
] as const;

function reasonOf(
  { path }: Source,
  importers: ReadonlyMap<string, ReadonlySet<string>>,
  texts: ReadonlyMap<string, string>,
): (typeof reasons)[number] {
  const [importer] = importers.get(path)!;
  const stem = path.replace(/\.tsx?$/, '');
  // The file of a worker is loaded on demand too.
  const onDemand = new RegExp(`(?:import|new URL)\\(\\s*'[^']*/${basename(stem)}(?:\\.tsx?)?'`);
  if (path.includes('/migrations/')) return 'numbered migrations';
  if (onDemand.test(texts.get(importer!)!)) return 'loaded on demand';
  if (dirname(importer!) !== dirname(path)) return 'used by another folder';
  const hasTest = ['.test.ts', '.test.tsx'].some((ending) => existsSync(join(checkout, stem + ending)));
  return hasTest ? 'tested alone' : 'splinters';
}

function measures(all: readonly Source[]): Measure[] {
  const sources = all.filter(({ text }) => !isGenerated(text));
  const lengths = sources.map(({ lines }) => lines);
  const importers = importersOf(all);
  const texts = new Map(all.map(({ path, text }) => [path, text]));
  const small = sources.filter(({ path, lines }) => lines <= splinterLinesMax && importers.get(path)!.size === 1);
  const byReason = Map.groupBy(small, (source) => reasonOf(source, importers, texts));
  const splinters = byReason.get('splinters') ?? [];
  const withImporter = ({ path, lines }: Source) => lines + linesOf(texts.get([...importers.get(path)!][0]!)!);
  const elsewhere = outsideKinds(sources);
  const named = kindLines(elsewhere);
  const isChoice = new RegExp(`case '(?:${kinds.join('|')})'|[!=]== '(?:${kinds.join('|')})'`);
  const portal = sources.filter(({ path }) => path.startsWith('packages/portal/'));
  const calls = portal.flatMap(({ text }) => [...text.matchAll(/\bapi\.(?:get|post|put|patch|delete|upload)</g)]);
  return [
    {
      name: 'source files',
      counts: 'TypeScript files under packages/*/src, tests, fixtures and what a program wrote apart',
      value: sources.length,
    },
    { name: 'median length', counts: 'lines of those files', value: quantile(lengths, 0.5) },
    { name: '90th percentile of length', counts: 'lines of those files', value: quantile(lengths, 0.9) },
    {
      name: 'long files',
      counts: `of more than ${longLines} lines`,
      value: lengths.filter((n) => n > longLines).length,
    },
    {
      name: 'small files, one importer',
      counts: `files of at most ${splinterLinesMax} lines that exactly one other of those files imports, whatever the reason: ${reasons
        .map((reason) => `${byReason.get(reason)?.length ?? 0} ${reason}`)
        .join(', ')}`,
      value: small.length,
    },
    {
      name: 'splinters',
      counts:
        'the last of them: no migration, and imported at once by a neighbour in the same folder, without a test of their own',
      value: splinters.length,
    },
    {
      name: 'splinters that fit',
      counts: `those that have at most ${fileLinesGoal} lines together with their importer`,
      value: splinters.filter((source) => withImporter(source) <= fileLinesGoal).length,
    },
    {
      name: 'kinds of carriers, lines',
      counts: `lines of gateway and portal, comments apart, with '${kinds.join("', '")}' or .${kinds.join(', .')}, outside carriers/<kind>/`,
      value: named.length,
    },
    {
      name: 'kinds of carriers, files',
      counts: 'files with such a line',
      value: new Set(named.map(({ path }) => path)).size,
    },
    {
      name: 'kinds of carriers, choices',
      counts: 'such lines with a case, === or !== of a kind',
      value: named.filter(({ text }) => isChoice.test(text)).length,
    },
    {
      name: 'kinds of carriers, tables',
      counts: 'objects and types there with two of the kinds or more as keys',
      value: elsewhere.reduce((sum, { text }) => sum + countTables(text), 0),
    },
    {
      name: 'hand-typed answers',
      counts: 'calls in the portal that write the type of an answer themselves: api.get<…>( and the other methods',
      value: calls.length,
    },
  ];
}

function trialMeasures({ name, changed, added }: Trial): Measure[] {
  const patch = `test/house/trials/${name}.patch`;
  return [
    {
      name: `trial ${name}, changed`,
      counts: `files that ${patch} changes, tests and docs apart`,
      value: changed.length,
    },
    { name: `trial ${name}, added`, counts: 'files that it adds, tests and docs apart', value: added.length },
  ];
}

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, way: { type: 'boolean', default: false } },
});
const way = await filesOnTheWay();
if (values.way) {
  console.log(way.join('\n'));
  process.exit();
}
const trials = await tryPatches(checkout, patchNames(), 'compile');
const wayMeasure: Measure = {
  name: 'files on the way of a text',
  counts: 'files of which a function runs for one text from the socket of the API to the carrier’s (--way lists them)',
  value: way.length,
};
const found = [...measures(readSources()), wayMeasure, ...trials.flatMap(trialMeasures)];
if (values.json) console.log(JSON.stringify(Object.fromEntries(found.map(({ name, value }) => [name, value]))));
else for (const { name, counts, value } of found) console.log(`${String(value).padStart(6)}  ${name}: ${counts}`);
for (const { problem } of trials) {
  if (problem === null) continue;
  console.error(problem);
  process.exitCode = 1;
}
