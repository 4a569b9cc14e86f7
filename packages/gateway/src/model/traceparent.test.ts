/** What counts as a `traceparent`: the examples and rules of W3C Trace Context, §3.2. */
import { describe, expect, it } from 'vitest';
import { readTraceparent } from './traceparent.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const valid = `00-${trace}-${span}-01`;

describe('readTraceparent', () => {
  it.each([
    [valid, valid],
    [`00-${trace}-${span}-00`, `00-${trace}-${span}-00`],
    // Of a version to come: by what is known of it.
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
