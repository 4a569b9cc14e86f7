/**
 * How many messages of each phone this browser has shown, for the unread count in the list. Kept in the browser only.
 */

const storedName = 'helio-handsets-seen';

/** By number. */
export function readSeen(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(storedName) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

/** After a restart of the gateway there are fewer messages: these are new. */
export function unseen(number: string, messages: number, shown: Readonly<Record<string, number>> = readSeen()): number {
  const seen = shown[number] ?? 0;
  return seen > messages ? messages : messages - seen;
}

export function markSeen(number: string, messages: number): void {
  try {
    localStorage.setItem(storedName, JSON.stringify({ ...readSeen(), [number]: messages }));
  } catch {
    // Storage may be disabled: then all messages count as new.
  }
}
