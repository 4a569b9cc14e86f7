import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, detailCharactersMax, renderData, renderRejection, shown } from './envelope.ts';

describe('the envelope of everything else', () => {
  it('of a rejection has three keys and no more', () => {
    expect(renderRejection('NOT_AUTHORIZED', 'The credentials were not accepted.')).toBe(
      '{"success":false,"reason":"NOT_AUTHORIZED","detail":"The credentials were not accepted."}',
    );
  });

  it('of /api/v1 adds data, and next for lists only', () => {
    expect(JSON.parse(renderData('x', [1], null))).toEqual({
      success: true,
      reason: 'SUCCESS',
      detail: 'x',
      data: [1],
      next: null,
    });
    expect(Object.keys(JSON.parse(renderData('x', {})))).toEqual(['success', 'reason', 'detail', 'data']);
  });

  it('SEC-26 has a detail on one line, well-formed and never over the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 700 }), (text) => {
        const line = cut(text);
        expect(line.length).toBeLessThanOrEqual(detailCharactersMax);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(shown(text).length).toBeLessThanOrEqual(45);
      }),
    );
    expect(cut(`${'a'.repeat(298)}😀b`)).toBe(`${'a'.repeat(298)}\ufffd…`);
  });
});
