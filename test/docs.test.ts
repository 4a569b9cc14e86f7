/**
 * Compares the pages that are derived from tables in the code with those tables. After a change of a table, run this
 * file with `npx vitest run test/docs.test.ts -u` and read the diff.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DescribedMetric } from '../packages/gateway/src/kernel/metrics.ts';
import { type Reason, reasons } from '../packages/gateway/src/model/reason.ts';
import { sandboxTestNumbers } from '../packages/gateway/src/model/sandbox.ts';
import { allMetrics } from './props/all-metrics.ts';
import { docBlocks } from './props/doc-blocks.ts';

describe('documentation', () => {
  it('docs/reasons.md lists the catalogue', async () => {
    await expect(reasonsPage()).toMatchFileSnapshot('../docs/reasons.md');
  });

  it('docs/sandbox.md lists the test numbers', async () => {
    const page = readFileSync(new URL('../docs/sandbox.md', import.meta.url), 'utf8');
    const [before, rest = ''] = page.split('<!-- test numbers -->');
    const after = rest.slice(rest.indexOf('\nAny other number'));
    const table = `\n\n| to | what it does |\n|---|---|\n${testNumberRows()}\n`;
    await expect(`${before}<!-- test numbers -->${table}${after}`).toMatchFileSnapshot('../docs/sandbox.md');
  });

  it('docs/metrics.md lists the metrics', async () => {
    const page = readFileSync(new URL('../docs/metrics.md', import.meta.url), 'utf8');
    const [before, rest = ''] = page.split('<!-- metrics -->');
    const after = rest.slice(rest.indexOf('\n\nThe buckets of'));
    const head = '| name | type | labels | what it is |\n|---|---|---|---|';
    const table = `\n\n${[head, ...allMetrics().map(metricRow)].join('\n')}`;
    await expect(`${before}<!-- metrics -->${table}${after}`).toMatchFileSnapshot('../docs/metrics.md');
  });

  it('docs/backup.md, the portal and helio backup restore give the same commands for PostgreSQL', () => {
    const textOf = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
    const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
    const commands = docBlocks().filter(({ file, language }) => file === 'docs/backup.md' && language !== '');
    expect(commands.map(({ language }) => language)).toEqual(['sql', 'sh']);
    for (const path of ['packages/portal/src/features/settings/BackupPage.tsx', 'packages/gateway/src/cli/backup.ts']) {
      for (const { text } of commands) expect(plain(textOf(path)), path).toContain(plain(text).trim());
    }
  });

  it('the README is at most 150 lines and names only pages that exist', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    for (const [, path] of readme.matchAll(/\]\(([\w/.-]+)\)/g)) {
      expect(() => readFileSync(new URL(`../${path}`, import.meta.url)), path).not.toThrow();
    }
  });
});

describe('docs/README.md', () => {
  const folder = new URL('../docs/', import.meta.url);
  const index = readFileSync(new URL('README.md', folder), 'utf8');

  it('lists every page of docs/ and of docs/decisions/ in one line each', () => {
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && path !== 'README.md')
      .sort();
    const lines = index.split('\n').filter((line) => line.startsWith('- ['));
    const listed = lines.map((line) => /^- \[[^\]]+\]\(([\w/.-]+\.md)\): .+/.exec(line)?.[1] ?? line);
    expect(listed.filter((path) => !path.startsWith('../')).sort()).toEqual(pages);
  });

  it('links only to files that exist', () => {
    const links = [...index.matchAll(/\]\(([^)#:]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, image]) => link ?? image,
    );
    expect(links).not.toEqual([]);
    expect(links.filter((path) => !existsSync(new URL(path!, folder)))).toEqual([]);
  });
});

describe('ARCHITECTURE.md and CONTRIBUTING.md', () => {
  const root = new URL('../', import.meta.url);
  const folders = ['', 'packages/gateway/src/', 'packages/portal/src/'].map((path) => new URL(path, root));
  const exists = (path: string) =>
    folders.some((folder) => ['', '.ts', '.tsx'].some((ending) => existsSync(new URL(path + ending, folder))));

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names only files and folders that exist', (page) => {
    const text = readFileSync(new URL(page, root), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link!);
    // Paths in backticks below the folders that these pages start from, like `http/server`; a pattern names no single
    // file.
    const named = [...text.matchAll(/`([\w-]+\/[\w./-]*)`/g)].map(([, path]) => path!);
    const paths = [...links, ...named.filter((path) => exists(`${path.split('/')[0]}/`))];
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });
});

/** More values than this are not listed one by one: they are codes of docs/reasons.md. */
const listedMax = 10;

function metricRow({ name, type, labels, help }: DescribedMetric): string {
  const shown = Object.entries(labels).map(([label, values]) => {
    if (values === null) return `\`${label}\``;
    const listed =
      values.length > listedMax ? '[a code](reasons.md)' : values.map((value) => `\`${value}\``).join(', ');
    return `\`${label}\` (${listed})`;
  });
  return `| \`${name}\` | ${type} | ${shown.join('; ')} | ${help} |`;
}

function testNumberRows(): string {
  const ordinary = sandboxTestNumbers.filter(({ number }) => /010\d$/.test(number));
  const others = sandboxTestNumbers.filter((row) => !ordinary.includes(row));
  const first = `| ${ordinary[0]!.number}–${ordinary.at(-1)?.number.slice(-4)} | ${ordinary[0]!.does} |`;
  return [first, ...others.map(({ number, does }) => `| ${number} | ${does} |`)].join('\n');
}

function reasonsPage(): string {
  const scopes: [Reason['scope'], string, string][] = [
    ['request', 'Reasons', 'The `reason` of the envelope: what became of the request as a whole.'],
    ['recipient', 'Statuses', 'The `status` of one recipient in `resultResponses`.'],
    ['outcome', 'Outcome codes', 'The `code` of a message and its events: what became of it later.'],
  ];
  const parts = scopes.map(([scope, title, intro]) => {
    const entries = reasons.filter((reason) => reason.scope === scope).map(entry);
    return `## ${title}\n\n${intro}\n\n${entries.join('\n\n')}\n`;
  });
  return `# Reasons, statuses and outcome codes\n\n*Reference, made from the catalogue that the gateway answers from (\`GET /reasons\`, \`helio explain CODE\`).*\n\n${parts.join('\n')}`;
}

function entry(reason: Reason): string {
  const facts = [
    reason.httpStatus === null ? null : `HTTP ${reason.httpStatus}`,
    reason.retryable ? 'may succeed later' : null,
    { no: 'not billed', yes: 'billed', if_sent: 'billed when sent' }[reason.billed],
    reason.issued ? null : 'not issued yet',
  ].filter((fact) => fact !== null);
  const list = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');
  return `### \`${reason.code}\`: ${reason.title}\n\n*${facts.join(' · ')}*\n\nWhy:\n${list(reason.cause)}\n\nWhat to do:\n${list(reason.fix)}`;
}
