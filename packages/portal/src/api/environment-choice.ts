/**
 * The environment that a person has chosen: stored for the tab, and for the browser's next tab. A choice in one tab
 * never changes another tab. Without a choice, or with one that the company does not have, the gateway decides.
 */
const storedName = 'helio-environment';
const known = ['sandbox', 'live'];

type Storing = Pick<Storage, 'getItem' | 'setItem'>;

/** A browser may refuse any access to its storage. */
const stores = { tab: (): Storing => sessionStorage, browser: (): Storing => localStorage };

/** '' when none was chosen. A choice copied from another tab belongs to this tab from then on. */
export function chosenEnvironment({ tab, browser } = stores): string {
  const own = read(tab);
  if (own !== '') return own;
  const last = read(browser);
  if (last !== '') write(tab, last);
  return last;
}

export function keepEnvironment(environment: 'sandbox' | 'live', { tab, browser } = stores): void {
  write(tab, environment);
  write(browser, environment);
}

function read(store: () => Storing): string {
  try {
    const value = store().getItem(storedName) ?? '';
    return known.includes(value) ? value : '';
  } catch {
    return '';
  }
}

function write(store: () => Storing, value: string): void {
  try {
    store().setItem(storedName, value);
  } catch {
    // Storage may be disabled: the choice then lasts until the page is closed.
  }
}
