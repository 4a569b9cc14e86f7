/** In which time zone moments are shown: the person's, else the company's, else the browser's. */

import { useSyncExternalStore } from 'react';

let zone: string | undefined;
const listeners = new Set<() => void>();

/** An IANA name; null for the browser's own. A name this browser does not know is as none. */
export function setTimeZone(name: string | null): void {
  zone = name !== null && isTimeZone(name) ? name : undefined;
  for (const listener of listeners) listener();
}

export function timeZone(): string | undefined {
  return zone;
}

/** For what shows a moment: it is drawn anew when the time zone changes. */
export function useTimeZone(): string | undefined {
  return useSyncExternalStore(listen, timeZone);
}

function listen(changed: () => void): () => void {
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** All that this browser knows, as choices of a form. */
export function timeZoneNames(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}
