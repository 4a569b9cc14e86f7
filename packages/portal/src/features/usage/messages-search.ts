/** The search of the messages log that shows what a row of usage is about. Pure. */
import { type Days, dayAfter } from './periods';

/** What the log is looked through for; where nothing is named, everything of the period. */
export interface About {
  numbers?: readonly string[];
  kind?: string;
  key?: string;
  states?: readonly string[];
}

/** As many as one search of the log takes. */
const numbersMax = 20;

/** Null: more than one search can ask for. */
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
