import { describe, expect, it } from 'vitest';
import { createMajority } from './majority.ts';

function after(evidence: string): string | null {
  const majority = createMajority<string>();
  for (const value of evidence) majority.observe(value);
  return majority.value();
}

describe('a majority', () => {
  it('is settled by four more of one than of the others', () => {
    expect(after('')).toBeNull();
    expect(after('aaa')).toBeNull();
    expect(after('aaaa')).toBe('a');
    expect(after('abababab')).toBeNull();
    expect(after('baaaaa')).toBe('a');
  });

  it('is not shaken by a coincidence, and gives way to a change', () => {
    expect(after('aaaab')).toBe('a');
    expect(after('aaaabbb')).toBe('a');
    expect(after('aaaabbbb')).toBeNull();
    expect(after('aaaabbbbbbbb')).toBe('b');
  });

  it('gives way after no more than 32 to the contrary, however long it has stood', () => {
    expect(after('a'.repeat(10_000) + 'b'.repeat(36))).toBe('b');
  });
});
