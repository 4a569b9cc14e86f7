import { describe, expect, it } from 'vitest';
import { createFileSemaphore } from './file-semaphore.ts';

describe('a room of files', () => {
  it('has a limit for one account and one for all', () => {
    const enter = createFileSemaphore({ bytesMax: 1, atOnce: 3, atOncePerAccount: 2 });
    const first = enter('a');
    const second = enter('a');
    expect(enter('a')).toBeNull();
    expect(enter('b')).not.toBeNull();
    expect(enter('c')).toBeNull();
    first!();
    expect(enter('c')).not.toBeNull();
    expect(enter('a')).toBeNull();
    second!();
    expect(enter('a')).not.toBeNull();
  });
});
