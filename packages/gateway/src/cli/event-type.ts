/** Event types on a command line: the list, and the error for an unknown type. */

import { nearest } from '../kernel/nearest.ts';
import { eventTypes } from '../model/event-type.ts';

/** For the help of a command: one type on each line. */
export const eventTypeHelp = `\nTypes:\n${eventTypes.map((type) => `  ${type}\n`).join('')}`;

/** Null when the type exists; else the error for stderr, ending with the next command. */
export function eventTypeProblem(given: string, command: string): string | null {
  if (eventTypes.some((type) => type === given)) return null;
  const near = nearest(given, eventTypes);
  const hint = near === null ? '' : ` Did you mean ${near}?`;
  const next = near === null ? `helio ${command.split(' ')[0]} --help` : `helio ${command} ${near}`;
  return `There is no event type ${JSON.stringify(given)}.${hint}\nNext: ${next}\n`;
}
