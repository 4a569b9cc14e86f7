/** The height of rows in this browser: `theme.js` sets it before the first paint, tokens.css defines the sizes. */
import { useSyncExternalStore } from 'react';

export const densities = ['compact', 'comfortable'] as const;
export type Density = (typeof densities)[number];

const storedName = 'helio-density';
const listeners = new Set<() => void>();

function density(): Density {
  return document.documentElement.dataset.density === 'comfortable' ? 'comfortable' : 'compact';
}

export function setDensity(next: Density): void {
  document.documentElement.dataset.density = next;
  try {
    localStorage.setItem(storedName, next);
  } catch {
    // Storage may be disabled: the choice then lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function useDensity(): Density {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, density);
}
