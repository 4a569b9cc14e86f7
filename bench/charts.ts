/**
 * Draws the results of `npm run bench -- --json FILE` as bars: how many messages a second reached the carrier, and what was
 * lost and doubled beside it. Each file is a group; the ratio is to the first bar of its group.
 *
 *   node bench/charts.ts --out FILE.svg --title TEXT RESULTS.json …
 *
 * A result of another gateway, measured in the same minutes, is a file of the same form that has a `label`:
 * `[{ "label": "Kannel 1.4.5, file store", "endToEndPerSecond": 5000, "lost": 0, "duplicates": 0 }]`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type CaseResult, medianRun } from './case.ts';

type Row = Pick<CaseResult, 'endToEndPerSecond' | 'lost' | 'duplicates'> & (CaseResult | { label: string });

interface Bar {
  label: string;
  /** Messages a second. */
  value: number;
  lost: number;
  duplicates: number;
}

const width = 860;
const labelWidth = 300;
const barWidthMax = 240;
const rowHeight = 26;
const topHeight = 44;
const groupGap = 12;

const { values, positionals } = parseArgs({
  options: { out: { type: 'string' }, title: { type: 'string', default: 'Messages a second' } },
  allowPositionals: true,
});
if (values.out === undefined || positionals.length === 0) {
  console.error('node bench/charts.ts --out FILE.svg [--title TEXT] RESULTS.json …');
  process.exitCode = 2;
} else {
  const groups = positionals.map((file) => [...medians(JSON.parse(readFileSync(file, 'utf8')) as Row[])]);
  writeFileSync(values.out, drawing(values.title, groups));
}

/** One bar for each kind of case: of its runs, the median by end-to-end rate, and everything that any run lost or doubled. */
function* medians(rows: readonly Row[]): Generator<Bar> {
  for (const [label, runs] of Map.groupBy(rows, labelOf)) {
    const sum = (name: 'lost' | 'duplicates') => runs.reduce((total, run) => total + run[name], 0);
    yield { label, value: medianRun(runs).endToEndPerSecond, lost: sum('lost'), duplicates: sum('duplicates') };
  }
}

function labelOf(row: Row): string {
  if ('label' in row) return row.label;
  const store = row.store === 'sqlite' ? 'SQLite' : `PostgreSQL, ${row.nodes} node${row.nodes === 1 ? '' : 's'}`;
  return `${store}, ${row.recipientsPerRequest} a request${row.receipts ? ', receipts' : ''}`;
}

function drawing(title: string, groups: readonly (readonly Bar[])[]): string {
  const bars = groups.flatMap((group, index) => group.map((bar) => ({ bar, first: group[0]!.value, index })));
  const most = Math.max(...bars.map(({ bar }) => bar.value));
  const height = topHeight + bars.length * rowHeight + groups.length * groupGap;
  const rows = bars.map(({ bar, first, index }, place) => {
    const y = topHeight + place * rowHeight + index * groupGap;
    const length = Math.max(1, Math.round((bar.value / most) * barWidthMax));
    const caption = `${Math.round(bar.value).toLocaleString('en-US')}/s · ${(bar.value / first).toFixed(2)}× · ${bar.lost} lost · ${bar.duplicates} doubled`;
    return [
      `<text x="${labelWidth - 10}" y="${y + 14}" text-anchor="end">${escaped(bar.label)}</text>`,
      `<rect class="bar" x="${labelWidth}" y="${y + 2}" width="${length}" height="16" rx="2"/>`,
      `<text x="${labelWidth + length + 8}" y="${y + 14}">${caption}</text>`,
    ].join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
  text { font: 12px system-ui, sans-serif; fill: #24292f } .title { font-size: 14px; font-weight: 600 }
  .paper { fill: #ffffff } .bar { fill: #3b6fd4 }
  @media (prefers-color-scheme: dark) { text { fill: #e6e8eb } .paper { fill: #16181c } .bar { fill: #6c9bf5 } }
</style>
<rect class="paper" width="${width}" height="${height}"/>
<text class="title" x="16" y="24">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
