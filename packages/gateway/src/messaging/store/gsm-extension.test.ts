import { cutEscape as cutEscapeOnTheWire } from '@heliograph/smpp';
import { decodeGsm7 } from '@heliograph/text';
import { describe, expect, it } from 'vitest';
import { cutEscape, joinAtEscape } from './gsm-extension.ts';

describe('an escape that was cut off its character', () => {
  it.each(Array.from({ length: 0x80 }, (_, code) => code).filter((code) => code !== 0x1b))(
    'gives with septet %i what an undivided text has',
    (code) => {
      const next = decodeGsm7(new Uint8Array([code, 0x41]));
      expect(joinAtEscape(`x${cutEscape}`, next)).toBe(decodeGsm7(new Uint8Array([0x78, 0x1b, code, 0x41])));
    },
  );

  it('is marked as the reader of short messages marks it', () => {
    expect(cutEscape).toBe(cutEscapeOnTheWire);
  });

  it('shows a space before nothing, and leaves other texts alone', () => {
    expect(joinAtEscape(`x${cutEscape}`, '')).toBe('x ');
    expect(joinAtEscape('x', 'e')).toBe('xe');
  });
});
