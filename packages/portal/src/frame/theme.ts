/** Light or dark, or as the system has it. `theme.js` puts it up before the first paint. */

export type Theme = 'system' | 'light' | 'dark';

const storedName = 'helio-theme';

export function theme(): Theme {
  const { theme: set } = document.documentElement.dataset;
  return set === 'light' || set === 'dark' ? set : 'system';
}

export function setTheme(value: string): void {
  const { dataset } = document.documentElement;
  if (value === 'light' || value === 'dark') dataset.theme = value;
  else delete dataset.theme;
  try {
    localStorage.setItem(storedName, value);
  } catch {
    // Storage may be switched off: it holds until the page is closed.
  }
}
