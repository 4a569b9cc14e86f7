/** The output of `helio verify` and `helio recover` about a journal, line by line. */

import { counted } from '../kernel/counted.ts';
import type { Lost } from '../messaging/store/journaled/salvage.ts';

/** The JSON lists more. */
const namedMax = 100;

/** Only what is known to be missing. */
export function missingLines({ frames, requests, messages }: Lost): string[] {
  if (frames === 0 && requests.length === 0 && messages.length === 0) return [];
  const lines = [
    frames === null
      ? 'Missing: the unreadable part of the journal; its size in messages is unknown.'
      : `Missing: at least ${counted(frames, 'frame')}, each with one or more acknowledged requests, claims or outcomes.`,
  ];
  for (const { requestId, accountId } of requests.slice(0, namedMax)) {
    lines.push(`  request ${requestId}${accountId === null ? '' : ` of account ${accountId}`}: its bytes are damaged`);
  }
  for (const { messageId, sent } of messages.slice(0, namedMax)) {
    lines.push(
      `  message ${messageId}: ${sent ? 'the carrier took it' : 'it was on its way to the carrier'}; its text is missing`,
    );
  }
  const more = Math.max(0, requests.length - namedMax) + Math.max(0, messages.length - namedMax);
  if (more > 0) lines.push(`  and ${more} more (--json names them all)`);
  if (requests.length + messages.length === 0) lines.push('  No request or account of it can be read.');
  return lines;
}
