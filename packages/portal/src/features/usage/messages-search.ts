/** The search of the message log for a row of usage. Pure. */
import { type Days, dayAfter } from './periods';

/** What the log is looked through for; where nothing is named, everything of the period. */
export interface About {
  numbers?: readonly string[];
  kind?: string;
  key?: string;
  states?: readonly string[];
}

/** The most values that one search accepts. */
const numbersMax = 20;

/** Null: more than one search can express. */
export function messagesSearch({ from, to }: Days, { numbers = [], kind, key, states = [] }: About): string | null {
  if (numbers.length > numbersMax) return null;
  return [
    'direction:outbound',
    ...numbers.map((number) => `from:${number}`),
    ...(kind === undefined ? [] : [`type:${kind.toLowerCase()}`]),
    ...(key === undefined ? [] : [`key:"${key}"`]),
    ...states.map((state) => `status:${state}`),
    // Days are UTC, there as here.
    `after:${from}`,
    `before:${dayAfter(to)}`,
  ].join(' ');
}
