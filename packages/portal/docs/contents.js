/**
 * The table of contents of the documentation, read from `docs/README.md`: a heading is a group, its paragraph says who
 * the group is for, and each line of its list is a page. Pages of the group `notShipped` stay in the repository.
 * Titles, order, and the neighbours of a page all come from here.
 */
const notShipped = 'You change Heliograph';
const line = /^- \[([^\]]+)\]\(([\w/-]+)\.md\): (.+)$/;

/**
 * `[{title, intro, pages: [{name, title, about}]}]`; `intro` is Markdown, `name` the path below `docs/` without
 * extension.
 */
export function contentsOf(readme) {
  return readme
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title, ...lines] = part.split('\n');
      const intro = lines.filter((one) => one !== '' && !one.startsWith('- ')).join('\n');
      const pages = lines.flatMap((one) => {
        const [, text, name, about] = line.exec(one) ?? [];
        return name === undefined ? [] : [{ name, title: text, about }];
      });
      return { title, intro, pages };
    })
    .filter(({ title }) => title !== notShipped);
}

/** A page with its group and its neighbours in reading order. */
export function neighboursOf(contents, name) {
  const all = contents.flatMap(({ title, pages }) => pages.map((page) => ({ ...page, group: title })));
  const at = all.findIndex((page) => page.name === name);
  if (at === -1) throw new Error(`docs/${name}.md is not in docs/README.md`);
  return { page: all[at], previous: all[at - 1] ?? null, next: all[at + 1] ?? null };
}
