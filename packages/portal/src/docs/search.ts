/**
 * The search of the documentation: a dialog that `/` or Ctrl+K opens. The index comes from this gateway when the dialog
 * is first opened, with the operations of its OpenAPI documents added; no other host is contacted.
 */
import type MiniSearch from 'minisearch';
import { addSections, type Found, find, loadIndex, operationsOf } from './search-index';

const typing = 'input, textarea, select, [contenteditable]';

export function setUpSearch(): void {
  const view = createView();
  let index: Promise<MiniSearch> | null = null;
  let found: Found[] = [];
  let chosen = 0;

  function choose(position: number): void {
    chosen = Math.max(0, Math.min(found.length - 1, position));
    view.mark(chosen);
  }

  async function show(): Promise<void> {
    const query = view.input.value.trim();
    index ??= readIndex();
    try {
      const ready = await index;
      if (query !== view.input.value.trim()) return; // The person typed on while the index was loading.
      found = query === '' ? [] : find(ready, query);
      view.list(found, (one) => location.assign(one.id));
      view.say(query === '' ? 'Type a word, a code or a setting.' : counted(found.length));
      choose(0);
    } catch {
      index = null;
      view.say('The index cannot be read. Is the gateway running?');
    }
  }

  function open(): void {
    if (view.dialog.open) return;
    view.dialog.showModal();
    view.input.select();
    void show();
  }

  for (const button of document.querySelectorAll<HTMLElement>('[data-find]')) {
    button.hidden = false;
    button.addEventListener('click', open);
  }
  document.addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !(event.target as Element).closest(typing);
    const isJump = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isJump) return;
    event.preventDefault();
    open();
  });
  view.input.addEventListener('input', () => void show());
  view.input.addEventListener('keydown', (event) => {
    const steps: Record<string, number> = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 };
    const next = steps[event.key];
    const one = found[chosen];
    if (next !== undefined) choose(next);
    else if (event.key === 'Enter' && one !== undefined) go(view.dialog, one.id);
    else return;
    event.preventDefault();
  });
}

/** An anchor on this page loads no new page, so the dialog must be closed here. */
function go(dialog: HTMLDialogElement, address: string): void {
  dialog.close();
  location.assign(address);
}

const counted = (count: number) =>
  count === 0 ? 'Nothing found. Try another word.' : `${count} ${count === 1 ? 'result' : 'results'}`;

async function readIndex(): Promise<MiniSearch> {
  // A gateway without a sandbox has only the first document.
  const described = ['/openapi.json', '/openapi-sandbox.json'].map((path) => json(path).catch(() => null));
  const [stored, ...documents] = await Promise.all([json('/docs/search.json'), ...described]);
  const index = loadIndex(stored as never);
  for (const document of documents) if (document !== null) addSections(index, operationsOf(document as never));
  return index;
}

async function json(path: string): Promise<unknown> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

interface View {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
  say(sentence: string): void;
  list(found: readonly Found[], open: (one: Found) => void): void;
  mark(position: number): void;
}

function createView(): View {
  const dialog = document.createElement('dialog');
  dialog.className = 'search';
  dialog.setAttribute('aria-label', 'Search the documentation');
  dialog.innerHTML = `<input type="text" role="combobox" aria-label="Search the documentation" aria-expanded="true" aria-controls="found"
    aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search the documentation">
    <p role="status"></p><ul id="found" role="listbox" aria-label="Results"></ul>`;
  document.body.append(dialog);
  const input = dialog.querySelector('input')!;
  const status = dialog.querySelector('p')!;
  const results = dialog.querySelector('ul')!;
  // A click outside hits the dialog itself, because its content fills all of it.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return {
    dialog,
    input,
    say: (sentence) => {
      status.textContent = sentence;
    },
    list: (found, open) => {
      results.replaceChildren(...found.map((one, position) => option(one, position, () => open(one))));
      results.hidden = found.length === 0;
      input.setAttribute('aria-expanded', String(found.length > 0));
    },
    mark: (position) => {
      for (const [at, item] of [...results.children].entries()) {
        item.setAttribute('aria-selected', String(at === position));
        if (at === position) item.scrollIntoView({ block: 'nearest' });
      }
      if (results.children.length > 0) input.setAttribute('aria-activedescendant', `found-${position}`);
      else input.removeAttribute('aria-activedescendant');
    },
  };
}

function option({ page, heading, excerpt }: Found, position: number, open: () => void): HTMLElement {
  const item = document.createElement('li');
  item.id = `found-${position}`;
  item.setAttribute('role', 'option');
  const title = document.createElement('strong');
  title.textContent = heading === '' ? page : heading;
  const where = document.createElement('span');
  where.textContent = heading === '' ? excerpt : `${page} · ${excerpt}`;
  item.append(title, where);
  item.addEventListener('click', open);
  return item;
}
