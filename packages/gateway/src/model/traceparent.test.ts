/** Valid and invalid `traceparent` headers: the examples and rules of W3C Trace Context, §3.2. */
import { describe, expect, it } from 'vitest';
import { isTraced, readTraceparent } from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const valid = `00-${trace}-${span}-01`;

describe('readTraceparent', () => {
  it.each([
    [valid, valid],
    [`00-${trace}-${span}-00`, `00-${trace}-${span}-00`],
    // A future version: only the known fields are read.
    [`cc-${trace}-${span}-01`, valid],
    [`cc-${trace}-${span}-01-what-comes-later`, valid],
  ])('takes %s', (header, kept) => expect(readTraceparent(header)).toBe(kept));

  it.each([
    undefined,
    '',
    'nonsense',
    [valid, valid],
    `${valid}, ${valid}`,
    `00-${trace}-${span}-01-more`,
    `cc-${trace}-${span}-01.more`,
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-0`,
    `00-${trace.slice(1)}-${span}-01`,
    ` ${valid}`,
  ])('passes over %j', (header) => expect(readTraceparent(header)).toBeNull());
});

describe('isTraced', () => {
  it('follows the caller, and else takes about the share, the same requests each time', () => {
    expect(isTraced('req_1', `00-${trace}-${span}-01`, 0)).toBe(true);
    expect(isTraced('req_1', `00-${trace}-${span}-00`, 1)).toBe(false);
    const ids = Array.from({ length: 4_000 }, (_, nth) => `req_${nth}`);
    const chosen = ids.filter((id) => isTraced(id, null, 0.1));
    expect(chosen.length).toBeGreaterThan(300);
    expect(chosen.length).toBeLessThan(500);
    expect(ids.filter((id) => isTraced(id, null, 0.1))).toEqual(chosen);
    expect([isTraced('req_1', null, 0), isTraced('req_1', null, 1)]).toEqual([false, true]);
  });
});
