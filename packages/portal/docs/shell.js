/**
 * The frame of every page of the documentation: header, contents, headings of the page. It can be read without a
 * script.
 */
import { escaped } from './markdown.js';

/** `assets`: addresses of the script and the style. `navigation` and `aside` may be ''. */
export function shell({ title, assets, navigation, main, aside = '', kind = 'page' }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="/theme.js"></script>
<script type="module" src="${assets.script}"></script>
<title>${escaped(title)} · Heliograph</title>
</head>
<body class="${kind}">
<a class="visually-hidden skip" href="#page">Skip to the page</a>
<header class="bar">
<a class="brand" href="/docs"><img src="/icon.svg" alt="" width="20" height="20">Heliograph <span>Docs</span></a>
${findButton('Search', 'find')}
<nav class="top" aria-label="Parts"><a href="/docs/api"${kind === 'reference' ? ' aria-current="page"' : ''}>API<span> reference</span></a><a href="/">Portal</a></nav>
</header>
${navigation}
<main id="page" tabindex="-1">
${main}
</main>
${aside}
</body>
</html>
`;
}

/** Shown once the script has started. */
export function findButton(labels, className) {
  return `<button type="button" class="${className}" data-find hidden><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d="M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2ZM11 11l3.5 3.5" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg><span>${labels}</span><kbd>/</kbd></button>`;
}

/** Beside the page if there is room, else behind a disclosure: CSS shows one of the two. */
export function navigationOf(list) {
  return `<nav class="beside" aria-label="Documentation">${list}</nav>
<nav class="above" aria-label="Contents"><details><summary>Contents</summary>${list}</details></nav>`;
}

/** The groups with their pages; the page with the name `current` is marked. */
export function contentsList(contents, current) {
  const item = ({ name, title }) =>
    `<li><a href="/docs/${name}"${name === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  const groups = contents.map(
    ({ title, pages }) => `<p>${escaped(title)}</p><ul>${pages.map((page) => item(page)).join('')}</ul>`,
  );
  const start = `<ul><li><a href="/docs"${current === null ? ' aria-current="page"' : ''}>Start</a></li></ul>`;
  return `${start}${groups.join('')}`;
}

/** With more headings of the third level than this, they would hide those of the second. */
const headingsMax = 24;

export function onThisPage(headings) {
  const shown = headings.length > headingsMax ? headings.filter(({ depth }) => depth === 2) : headings;
  const listed = shown.filter(({ depth }) => depth <= 3);
  if (listed.length < 2) return '';
  const items = listed.map(
    ({ depth, anchor, html }) => `<li class="depth-${depth}"><a href="#${anchor}">${html}</a></li>`,
  );
  return `<aside class="here"><nav aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav></aside>`;
}
