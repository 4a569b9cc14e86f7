/** Whether a webhook is a repetition. Pure. */

/** `replay`: sent again although it was accepted; `retry`: sent again because it was not. */
export type Again = 'replay' | 'retry';

interface Came {
  headers: Readonly<Record<string, string>>;
  answered: number;
}

/** Attempts and replays of one event have the same `webhook-id`. */
export function againOf({ headers }: Pick<Came, 'headers'>, earlier: readonly Came[]): Again | null {
  const id = headers['webhook-id'];
  const same = id === undefined ? [] : earlier.filter((one) => one.headers['webhook-id'] === id);
  if (same.length === 0) return null;
  return same.some(({ answered }) => answered >= 200 && answered < 300) ? 'replay' : 'retry';
}
