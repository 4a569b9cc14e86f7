import { describe, expect, it } from 'vitest';
import { createZoneOffset } from './zone-offset.ts';

const shown = (time: string) => new Date(`${time}Z`);

describe('the offset of a zone by what its clock shows', () => {
  it('changes with the seasons at the hour of that zone', () => {
    const berlin = createZoneOffset('Europe/Berlin');
    expect(berlin(shown('2026-03-29T01:59'))).toBe(60);
    expect(berlin(shown('2026-03-29T03:00'))).toBe(120);
    expect(berlin(shown('2026-10-25T01:59'))).toBe(120);
    expect(berlin(shown('2026-10-25T03:00'))).toBe(60);
  });

  it('is that of zones off the whole hour and behind UTC', () => {
    expect(createZoneOffset('Asia/Kathmandu')(shown('2026-01-01T00:00'))).toBe(345);
    expect(createZoneOffset('America/New_York')(shown('2026-07-01T12:00'))).toBe(-240);
    expect(createZoneOffset('UTC')(shown('2026-07-01T12:00'))).toBe(0);
  });
});
