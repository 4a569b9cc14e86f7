/** Renders the answer envelope `{success, reason, detail}` of the contract. Written by hand: users see the order of the keys. */
import type { RequestReason } from '../model/reason.ts';

/** No `detail` is longer than this, in UTF-16 units. */
export const detailCharactersMax = 300;

/** The envelope of a refused request: `success` false, `reason` and `detail`. */
export function renderRejection(reason: RequestReason | (string & {}), detail: string): string {
  return `{"success":false,"reason":${JSON.stringify(reason)},"detail":${JSON.stringify(cut(detail))}}`;
}

/** The envelope of `/api/v1` and the portal. `next` is the cursor of a list; leave it out otherwise. */
export function renderData(detail: string, data: unknown, next?: string | null): string {
  const cursor = next === undefined ? '' : `,"next":${JSON.stringify(next)}`;
  return `{"success":true,"reason":"SUCCESS","detail":${JSON.stringify(cut(detail))},"data":${JSON.stringify(data)}${cursor}}`;
}

/** A time as answers show it: ISO 8601, UTC, with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Replaces control characters by spaces and cuts what is over the limit, so that a `detail` is always one short line.
 */
export function cut(detail: string): string {
  const line = isPlain(detail) ? detail : detail.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').toWellFormed();
  return line.length <= detailCharactersMax ? line : `${line.slice(0, detailCharactersMax - 1).toWellFormed()}…`;
}

/** A value from the caller as a `detail` may quote it: short, on one line, in quotation marks. */
export function shown(value: string, charactersMax = 40): string {
  const short = value.length <= charactersMax ? value : `${value.slice(0, charactersMax).toWellFormed()}…`;
  return `"${cut(short)}"`;
}

function isPlain(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
