/**
 * Renders the answer envelope `{success, reason, detail, schema}` of the contract. Written by hand: the key order is
 * visible to users, and this is the hot path.
 */
import type { RequestReason } from '../model/reason.ts';
import type { AcceptedSend, RecipientResult, RenderAnswer } from '../model/send.ts';

/** No `detail` is longer than this, in UTF-16 units. */
export const detailCharactersMax = 300;

/** The envelope of a refused request: `success` false, and nothing beside `reason` and `detail`. */
export function renderRejection(reason: RequestReason | (string & {}), detail: string): string {
  return `{"success":false,"reason":${JSON.stringify(reason)},"detail":${JSON.stringify(cut(detail))}}`;
}

/** The envelope of `/api/v1` and its relatives. `next` is the cursor of a list; leave it out for anything else. */
export function renderData(detail: string, data: unknown, next?: string | null): string {
  const cursor = next === undefined ? '' : `,"next":${JSON.stringify(next)}`;
  return `{"success":true,"reason":"SUCCESS","detail":${JSON.stringify(cut(detail))},"data":${JSON.stringify(data)}${cursor}}`;
}

/**
 * The envelope of an accepted request. Keys of the contract come first, in its order; a key pair set to *exact shape*
 * gets nothing else.
 */
export const renderAnswer: RenderAnswer = (accepted, caller) => {
  const exact = caller.key.exactShape;
  const detail = JSON.stringify(successDetail(accepted));
  let results = '';
  for (const result of accepted.results) {
    results += `${results === '' ? '' : ','}${exact ? exactResult(result) : fullResult(result)}`;
  }
  return `{"success":true,"reason":"SUCCESS","detail":${detail},"schema":{"referenceId":${JSON.stringify(
    accepted.referenceId,
  )},"from":${JSON.stringify(accepted.from)},"text":${JSON.stringify(accepted.text)},"resultResponses":[${results}]${
    exact ? '' : addedFields(accepted)
  }}}`;
};

/** A time as it is shown everywhere: ISO 8601, UTC, with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Control characters become spaces, and what is over the limit is cut, so that a `detail` is always one short line. */
export function cut(detail: string): string {
  const line = isPlain(detail) ? detail : detail.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').toWellFormed();
  return line.length <= detailCharactersMax ? line : `${line.slice(0, detailCharactersMax - 1).toWellFormed()}…`;
}

/** What a caller sent, as it may be shown in a `detail`: short, on one line, in quotation marks. */
export function shown(value: string, charactersMax = 40): string {
  const short = value.length <= charactersMax ? value : `${value.slice(0, charactersMax).toWellFormed()}…`;
  return `"${cut(short)}"`;
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

function exactResult(result: RecipientResult): string {
  return `{"to":${JSON.stringify(result.to)},"status":"${result.status}"}`;
}

function fullResult(result: RecipientResult): string {
  const messageId = result.messageId === undefined ? '' : `,"messageId":"${result.messageId}"`;
  const detail = result.detail === undefined ? '' : `,"detail":${JSON.stringify(cut(result.detail))}`;
  return `{"to":${JSON.stringify(result.to)},"status":"${result.status}"${messageId}${detail}}`;
}

function addedFields({ messageType, encoding, segments, dryRun }: AcceptedSend): string {
  const sms = encoding === null ? '' : `,"encoding":"${encoding}","segments":${segments}`;
  return `,"messageType":"${messageType}"${sms}${dryRun ? ',"dryRun":true' : ''}`;
}

function successDetail({ results, dryRun }: AcceptedSend): string {
  let accepted = 0;
  for (const result of results) if (result.status === 'SUCCESS') accepted++;
  const counted = `for ${accepted} of ${results.length} recipients.`;
  if (dryRun) return `Dry run: would be accepted ${counted} Nothing was sent or billed.`;
  return accepted === 0 ? `Accepted ${counted} Nothing was sent or billed.` : `Accepted ${counted}`;
}
