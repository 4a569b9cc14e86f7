/**
 * Streams a list as a file: headers, a column of local times, an end. A failure half-way cuts the connection, so a
 * partial file never looks complete.
 */

import { type Answer, rejection, type Streaming, streamed } from '../exchange.ts';
import { valuesOnce } from '../list-query.ts';
import { textQueries } from '../query-fields.ts';
import { type AnswerRule, answersRaw } from '../route.ts';
import type { PortalCall } from './portal-guard.ts';

export type ExportFormat = 'csv' | 'jsonl';

const contentTypes = { csv: 'text/csv', jsonl: 'application/jsonl' } as const;

/** The answer rule of a route that exports such a file. */
export function answersExport(format: ExportFormat): AnswerRule<never> {
  return answersRaw(contentTypes[format], 'All of the list, as a file');
}

export interface ExportOut {
  stream: Streaming;
  /** IANA name, for the column of local times. */
  timeZone: string;
  /** True when the client is gone. */
  gone(): boolean;
}

/** Query fields in addition to the list's own. */
export const exportQuery = textQueries({ timeZone: 'IANA name of a time zone, for the column of local times.' });

/** `write` ends the stream. Takes the time zone from the query parameter `timeZone`, else the person's, else UTC. */
export async function exported(
  { exchange, person }: PortalCall,
  { name, format }: { name: string; format: ExportFormat },
  write: (out: ExportOut) => Promise<void>,
): Promise<Answer<never>> {
  const zone = valuesOnce(exchange.query, ['timeZone']);
  const timeZone = typeof zone === 'string' ? null : (zone.timeZone ?? person.user.timeZone ?? 'UTC');
  if (timeZone === null || !isTimeZone(timeZone)) {
    return rejection('INVALID_FIELD', 'The query parameter timeZone must be the name of a time zone.');
  }
  const stream = exchange.stream({
    contentType: `${contentTypes[format]}; charset=utf-8`,
    headers: ['Content-Disposition', `attachment; filename="${name}.${format}"`],
  });
  if (stream === null) return streamed;
  let gone = false;
  exchange.whenOver(() => {
    gone = true;
  });
  try {
    await write({ stream, timeZone, gone: () => gone });
  } catch (error) {
    // If half a table ended normally, people would take it for a whole one.
    stream.abort();
    throw error;
  }
  return streamed;
}

/** `2026-01-31 13:00:00` */
export function localTimes(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (ms) => format.format(ms);
}

/** Whether the runtime knows this time zone. */
function isTimeZone(name: string): boolean {
  try {
    localTimes(name);
    return true;
  } catch {
    return false;
  }
}
