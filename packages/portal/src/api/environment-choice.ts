/**
 * Which of the two environments a person has chosen to look at: kept for the tab, and for the browser's next tab. A choice
 * in one tab never changes what another one looks at. Without a choice the gateway says which, as it does for one that it
 * does not have.
 */
const storedName = 'helio-environment';
const known = ['sandbox', 'live'];

type Place = Pick<Storage, 'getItem' | 'setItem'>;

/** A browser may refuse to name its storage at all. */
const places = { tab: (): Place => sessionStorage, browser: (): Place => localStorage };

/** '' when nobody has chosen. What is taken over from another tab is this tab's own from then on. */
export function chosenEnvironment({ tab, browser } = places): string {
  const own = read(tab);
  if (own !== '') return own;
  const last = read(browser);
  if (last !== '') write(tab, last);
  return last;
}

export function keepEnvironment(environment: 'sandbox' | 'live', { tab, browser } = places): void {
  write(tab, environment);
  write(browser, environment);
}

function read(place: () => Place): string {
  try {
    const value = place().getItem(storedName) ?? '';
    return known.includes(value) ? value : '';
  } catch {
    return '';
  }
}

function write(place: () => Place, value: string): void {
  try {
    place().setItem(storedName, value);
  } catch {
    // Storage may be switched off: it holds until the page is closed.
  }
}
