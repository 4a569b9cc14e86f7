/**
 * Writes the documentation: each Markdown file of `docs/` and its tutorials becomes one HTML file that needs no script
 * and no other host; also writes the start page, the search index, and the empty frame that the gateway fills with its
 * API reference.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createIndex, sectionsOf } from '../src/docs/search-index.ts';
import { contentsOf, neighboursOf } from './contents.js';
import { escaped, rendered } from './markdown.js';
import { contentsList, findButton, navigationOf, onThisPage, shell } from './shell.js';

const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation';

/** `from`: the folder of Markdown; `to`: where `docs/…html` is written; `assets`: addresses of script and style. */
export function writeDocs(from, to, assets) {
  const contents = contentsOf(readFileSync(join(from, 'README.md'), 'utf8'));
  const names = contents.flatMap(({ pages }) => pages.map(({ name }) => name));
  const write = (name, html) => {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), html);
  };
  const sources = names.map((name) => ({ name, markdown: readFileSync(join(from, `${name}.md`), 'utf8') }));
  for (const { name, markdown } of sources) {
    const { html, headings } = rendered(markdown, { from: name, names });
    const { page, previous, next } = neighboursOf(contents, name);
    const main = `<p class="group">${escaped(page.group)}</p>\n${html}${neighbours(previous, next)}`;
    const navigation = navigationOf(contentsList(contents, name));
    write(`${name}.html`, shell({ title: titleOf(markdown), assets, navigation, main, aside: onThisPage(headings) }));
  }
  write('index.html', startPage(contents, names, assets));
  write('api.html', referenceFrame(assets));
  const pages = sources.map(({ name, markdown }) => ({ path: `/docs/${name}`, markdown }));
  write('search.json', JSON.stringify(createIndex(sectionsOf(pages))));
}

function neighbours(previous, next) {
  const link = (page, word, rel) =>
    page === null ? '' : `<a rel="${rel}" href="/docs/${page.name}"><span>${word}</span>${escaped(page.title)}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${link(previous, 'Previous', 'prev')}${link(next, 'Next', 'next')}</nav>`;
}

/** By role: each group says who it is for and where to begin. The first group is the introduction, step by step. */
function startPage(contents, names, assets) {
  const [tutorials, ...roles] = contents;
  const steps = tutorials.pages.map(
    ({ name, title, about }) =>
      `<li><a href="/docs/${name}">${escaped(title)}</a><p>${inline(about[0].toUpperCase() + about.slice(1), names)}</p></li>`,
  );
  const cards = roles.map(
    ({ title, intro }) =>
      `<section><h2>${escaped(title)}</h2>${rendered(intro, { from: 'README', names }).html}</section>`,
  );
  const main = `<h1>Documentation</h1>
<p class="lead">Send and receive texts and pictures through your own gateway. The sandbox needs no carrier and no internet.</p>
${findButton('Search the documentation', 'find wide')}
<section class="steps"><h2>${escaped(tutorials.title)}</h2><ol>${steps.join('')}</ol></section>
<div class="roles">${cards.join('')}<section><h2>For looking up</h2><p>The <a href="/docs/api">API reference</a> has every operation with examples in six languages, and sends requests to this gateway. <a href="/docs/reasons">Reasons</a> says what each code means, <a href="/docs/configuration">Configuration</a> has every setting, <a href="/docs/cli">The command line</a> every command.</p></section></div>`;
  const navigation = navigationOf(contentsList(contents, null));
  return shell({ title: 'Documentation', assets, navigation, main, kind: 'start' });
}

const inline = (markdown, names) => rendered(markdown, { from: 'README', names }).html.replace(/<\/?p>/g, '');

/** Only a running gateway knows its operations: it puts their list and descriptions into these places. */
function referenceFrame(assets) {
  const navigation = navigationOf('{{contents}}');
  return shell({ title: 'API reference', assets, navigation, main: '{{reference}}', kind: 'reference' });
}
