/**
 * The documentation as pages: each Markdown file of `docs/` becomes one HTML file that needs no script and no other host.
 * Links between the files become links between the pages; what is not among them leads to its name only.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Marked } from 'marked';

const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation';
const plain = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** How people come to need them: first steps, sending, receiving, carriers, running it, to look things up. Others last. */
const order = [
  ...['sandbox', 'state-machine', 'mms', 'consent'],
  ...['webhooks', 'listen', 'carriers'],
  ...['install', 'upgrade', 'backup', 'keys-and-certificates', 'probes', 'sizing', 'troubleshooting', 'warnings'],
  ...['configuration', 'sign-in', 'quiet-hours', 'retention', 'request-log', 'billing', 'postgresql', 'durability'],
  ...['cli', 'reasons'],
];
const placeOf = (name) => (order.includes(name) ? order.indexOf(name) : order.length);

/** `from`: the folder of Markdown; `to`: where `docs/…html` is written. */
export function writeDocs(from, to) {
  const names = readdirSync(from)
    .filter((name) => name.endsWith('.md') && name !== 'README.md') // the gateway has an index of its own
    .map((name) => basename(name, '.md'))
    .sort((one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1));
  const sources = new Map(names.map((name) => [name, readFileSync(join(from, `${name}.md`), 'utf8')]));
  const contents = names.map((name) => `<li><a href="/docs/${name}">${plain(titleOf(sources.get(name)))}</a></li>`);
  const extra = '<li><a href="/docs/api">API, to try</a></li><li><a href="/">Portal</a></li>';
  const list = `<ul>${contents.join('')}${extra}</ul>`;
  // Beside the page where there is room, else behind a disclosure: one of both is shown (docs.css).
  const navigation = `<nav class="beside" aria-label="Documentation">${list}</nav>
<nav class="above" aria-label="Contents"><details><summary>Contents</summary>${list}</details></nav>`;
  mkdirSync(to, { recursive: true });
  for (const [name, markdown] of sources) {
    const html = markedFor(names).parse(markdown);
    writeFileSync(join(to, `${name}.html`), page(titleOf(markdown), navigation, html));
  }
  const start = `<h1>Documentation</h1><ul>${contents.join('')}</ul>`;
  writeFileSync(join(to, 'index.html'), page('Documentation', navigation, start));
  writeFileSync(join(to, 'docs.css'), readFileSync(join(dirname(new URL(import.meta.url).pathname), 'docs.css')));
}

function markedFor(names) {
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(inner)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const own = /^(?:\.\/)?([a-z0-9-]+)\.md(#.*)?$/.exec(href);
        if (own !== null && names.includes(own[1])) return `<a href="/docs/${own[1]}${own[2] ?? ''}">${inner}</a>`;
        return /^(https?:|#|\/)/.test(href) ? `<a href="${plain(href)}">${inner}</a>` : inner;
      },
      table({ header, rows }) {
        const row = (cells, tag) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${plain(text)}</code></pre>\n`;
      },
    },
  });
  return marked;
}

function page(title, navigation, body) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/theme.js"></script>
<title>${plain(title)} · Heliograph</title>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
${navigation}
<main id="page">
${body}
</main>
</body>
</html>
`;
}
