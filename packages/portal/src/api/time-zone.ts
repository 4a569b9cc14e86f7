/** The time zone of shown times: the person's, else the company's, else the browser's. */

import { useSyncExternalStore } from 'react';

let zone: string | undefined;
const listeners = new Set<() => void>();

/** An IANA name; null for the browser's own. A name that this browser does not know counts as null. */
export function setTimeZone(name: string | null): void {
  zone = name !== null && isTimeZone(name) ? name : undefined;
  for (const listener of listeners) listener();
}

export function timeZone(): string | undefined {
  return zone;
}

/** For components that show times: they render again when the time zone changes. */
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

/** All time zones that this browser knows, as options of a form. */
export function timeZoneNames(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
}
