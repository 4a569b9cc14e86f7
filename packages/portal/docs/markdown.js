/**
 * Markdown to HTML for the documentation: headings with anchors, tables and code in boxes that scroll on their own, and
 * links between files as links between pages. A link to a file that is not a page keeps only its text.
 */
import { posix } from 'node:path';
import { Marked } from 'marked';

export const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The anchor that GitHub gives to a heading. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/<[^>]*>|&\w+;|[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const languageNames = {
  sh: 'Shell',
  js: 'Node.js',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  ruby: 'Ruby',
  json: 'JSON',
};

/** The address of a page of the documentation, or null; `from` is the name of the page with the link. */
function pageAddress(href, from, names) {
  const [, path, anchor = ''] = /^([\w./-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (path === undefined) return null;
  const name = posix.join(posix.dirname(from), path);
  if (name === 'README') return `/docs${anchor}`;
  return names.includes(name) ? `/docs/${name}${anchor}` : null;
}

/** `html`, and the headings of the second and third level as `[{depth, anchor, html}]`. */
export function rendered(markdown, { from, names }) {
  const headings = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const anchor = anchorOf(html);
        if (depth === 1) return `<h1>${html}</h1>\n`;
        headings.push({ depth, anchor, html: html.replace(/<\/?a[^>]*>/g, '') });
        return `<h${depth} id="${anchor}">${html} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = pageAddress(href, from, names);
        if (address !== null) return `<a href="${escaped(address)}">${inner}</a>`;
        return /^(https?:|#|\/)/.test(href) ? `<a href="${escaped(href)}">${inner}</a>` : inner;
      },
      table({ header, rows }) {
        const row = (cells, tag) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code: ({ text, lang = '' }) => codeBox(text, languageNames[lang] ?? ''),
    },
  });
  return { html: marked.parse(markdown), headings };
}

/** The script adds the copy button, because without the script the button could do nothing. */
function codeBox(text, language) {
  return `<div class="code"><p class="code-head">${language}</p><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`;
}
