import { describe, expect, it } from 'vitest';
import { redactedBody } from './logged-call.ts';

const shown = (body: unknown): unknown => JSON.parse(redactedBody(body)!);

describe('a body as it is kept', () => {
  it('has lengths in place of texts, media without their query, and everything else of a send request', () => {
    expect(
      shown({
        from: '12025550199',
        to: ['12025550100', '+1 (202) 555-0101'],
        text: 'My code is 4711 🙂',
        mediaUrls: ['https://me:pw@cdn.example/a.png?signature=s3cret#x'],
        referenceId: 'order-7',
        validityMinutes: 5,
        exact: true,
        webhook: null,
      }),
    ).toEqual({
      from: '12025550199',
      to: ['12025550100', '+1 (202) 555-0101'],
      text: null,
      textLength: 17,
      mediaUrls: ['https://cdn.example/a.png'],
      referenceId: 'order-7',
      validityMinutes: 5,
      exact: true,
      webhook: null,
    });
  });

  it.each([
    { text: 4711 },
    { Text: 'my secret' },
    { to: 'my secret words, not a number at all' },
    { data: { text: 'my secret', deeper: [{ anything: 'my secret' }] } },
    { header: { name: 'x', value: 'my secret' } },
    { 'my secret': 1 },
    { referenceId: 'bt_0123456789abcdef_my' },
    { mediaUrls: ['my secret'] },
    { url: 'https://a.example/?my=secret' },
    ['my secret'],
    'my secret',
    { a: { b: { c: { d: { e: { from: 'secret' } } } } } },
  ])('never has what may be a text or a secret: %j', (body) => {
    expect(redactedBody(body)).not.toMatch(/secret(?!\])|4711|bt_0/);
  });

  it('is at most 2 kB of JSON, says what was left out, and is nothing when even that is too long', () => {
    const many = { from: '1', to: Array.from({ length: 1_000 }, (_, i) => String(12025550000 + i)), text: 'x' };
    expect(shown(many)).toMatchObject({ from: '1', toCount: 1_000, textLength: 1 });
    const long = shown({ mediaUrls: Array(10).fill(`https://a.example/${'y'.repeat(4_000)}`) }) as {
      mediaUrls: string[];
    };
    expect(long.mediaUrls.length).toBeGreaterThan(1);
    const wide = { a: Array(50).fill(Array(50).fill(Array(50).fill({ from: '12025550100', to: '12025550100' }))) };
    for (const body of [many, wide, long])
      expect(Buffer.byteLength(redactedBody(body) ?? '')).toBeLessThanOrEqual(2_048);
  });
});
