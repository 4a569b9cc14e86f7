import { expect, it } from 'vitest';
import { headerCharactersMax, isUsableHeader } from './header-rules.ts';

it.each([
  ['X-Api-Key', 'abc 123'],
  ['authorization', 'Bearer x=='],
  ['x-empty', ''],
  ['webhook-signature', 'v1,abc= v1,def='],
])('%s: %s may be set', (name, value) => expect(isUsableHeader(name, value)).toBe(true));

it.each([
  ['Host', 'internal'],
  ['CONTENT-LENGTH', '0'],
  ['transfer-encoding', 'chunked'],
  ['Connection', 'close'],
  ['Upgrade', 'h2c'],
  ['Keep-Alive', 'timeout=5'],
  ['TE', 'trailers'],
  ['Trailer', 'x'],
  ['Expect', '100-continue'],
  ['Accept-Encoding', 'gzip'],
  ['Proxy-Authorization', 'x'],
  ['x y', 'z'],
  ['', 'z'],
  ['x:y', 'z'],
  ['x', 'a\r\nHost: b'],
  ['x', 'a\nb'],
  ['x', 'a\0b'],
  ['x', ' a'],
  ['x', 'a '],
  ['x', 'ü'],
  ['x', 'a'.repeat(headerCharactersMax)],
])('%j: %j may not', (name, value) => expect(isUsableHeader(name, value)).toBe(false));
