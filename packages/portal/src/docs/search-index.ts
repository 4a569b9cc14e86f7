/**
 * The search index of the documentation: built from the Markdown, one entry for each section, and read by the page that
 * searches. Imports nothing from the portal, because the build runs it too.
 */
import MiniSearch, { type AsPlainObject, type SearchResult } from 'minisearch';

export interface Section {
  /** Its address, such as `/docs/webhooks#attempts`. */
  id: string;
  /** Title of the page. */
  page: string;
  /** '' for text before the first heading. */
  heading: string;
  text: string;
}

export interface Found {
  id: string;
  page: string;
  heading: string;
  /** The start of the section. */
  excerpt: string;
}

const excerptChars = 160;
const resultsMax = 12;

const options = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'excerpt'],
};

/**
 * The first heading is the title; each one of the second and third level begins a section. Code blocks are left out:
 * they repeat what the text says.
 */
export function sectionsOf(pages: readonly { path: string; markdown: string }[]): Section[] {
  return pages.flatMap(({ path, markdown }) => {
    const text = markdown.replace(/^ *(```|~~~)[\s\S]*?^ *\1$/gm, '').replace(/<!--[\s\S]*?-->/g, '');
    const [, page = path] = /^# (.+)$/m.exec(text) ?? [];
    const parts = text.replace(/^# .+$/m, '').split(/^#{2,3} /m);
    return parts.map((part, index) => {
      if (index === 0) return { id: path, page: plain(page), heading: '', text: plain(part) };
      const [heading = '', ...lines] = part.split('\n');
      return {
        id: `${path}#${anchorOf(heading)}`,
        page: plain(page),
        heading: plain(heading),
        text: plain(lines.join('\n')),
      };
    });
  });
}

/** The same as the anchors of the pages. */
function anchorOf(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Removes Markdown syntax. */
function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\|[-| ]+\|$/gm, '')
    .replace(/[`*]|^- /gm, '')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function createIndex(sections: readonly Section[]): MiniSearch {
  const index = new MiniSearch(options);
  addSections(index, sections);
  return index;
}

export function loadIndex(stored: AsPlainObject): MiniSearch {
  return MiniSearch.loadJS(stored, options);
}

/** A section that already exists, such as a repeated heading, is added only once. */
export function addSections(index: MiniSearch, sections: readonly Section[]): void {
  for (const section of sections) {
    if (index.has(section.id)) continue;
    index.add({ ...section, excerpt: section.text.slice(0, excerptChars) });
  }
}

/** All words must occur; the last may be incomplete, and a long one may have one wrong letter. */
export function find(index: MiniSearch, query: string): Found[] {
  const found = index.search(query, {
    combineWith: 'AND',
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    weights: { prefix: 0.8, fuzzy: 0.3 },
    boost: { heading: 4, page: 3 },
    // The start of a page before its sections, which have the same title.
    boostDocument: (_id, _term, stored) => (stored?.heading === '' ? 1.5 : 1),
  });
  return found.slice(0, resultsMax).map((one: SearchResult) => ({
    id: String(one.id),
    page: one.page as string,
    heading: one.heading as string,
    excerpt: one.excerpt as string,
  }));
}

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; summary: string; description?: string }>>;
}

/** The operations of an OpenAPI document, with their addresses in the reference. */
export function operationsOf({ paths }: OpenApi): Section[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, description = '' }]) => ({
      id: `/docs/api#${operationId}`,
      page: 'API reference',
      heading: `${method.toUpperCase()} ${path}`,
      text: `${summary}. ${description.replaceAll('`', '')}`,
    })),
  );
}
