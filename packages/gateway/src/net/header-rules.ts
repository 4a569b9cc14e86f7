/** Which request headers a customer may set on requests that go out. Checks only. */

/** Those that say where a request goes, where it ends or how the connection is used belong to the dialler. */
const reserved = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
]);

export const headerCharactersMax = 4_096;

/** RFC 9110 §5.6.2 token, and visible ASCII with spaces inside as value: nothing that could end a line. */
export function isUsableHeader(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (reserved.has(lower) || lower.startsWith('proxy-')) return false;
  if (name.length + value.length > headerCharactersMax) return false;
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^(?:[!-~](?:[ -~\t]*[!-~])?)?$/.test(value);
}
