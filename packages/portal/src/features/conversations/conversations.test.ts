import { describe, expect, it } from 'vitest';
import { mediumOf, refusedBecause } from './conversations';

describe('a medium', () => {
  it('of this gateway is shown from its own address, whatever the gateway calls itself', () => {
    const url = 'http://127.0.0.1:8088/media/med_01/cat.jpg?expires=1&signature=x';
    expect(mediumOf(url, 0)).toMatchObject({
      src: '/media/med_01/cat.jpg?expires=1&signature=x',
      contentType: 'image/jpeg',
      name: 'cat.jpg',
    });
  });

  it('from elsewhere is a link, and from nowhere is nothing', () => {
    expect(mediumOf('https://shop.example/cat.png', 0)).toMatchObject({
      src: 'https://shop.example/cat.png',
      contentType: 'link',
    });
    expect(mediumOf('javascript:alert(1)', 0).src).toBeNull();
    expect(mediumOf('cat', 0).src).toBeNull();
  });
});

it('a refusal of the one recipient is told', () => {
  const answer = (status: string, detail?: string) => ({
    schema: { resultResponses: [{ to: '1', status, ...(detail !== undefined && { detail }) }] },
  });
  expect(refusedBecause(answer('SUCCESS'))).toBeNull();
  expect(refusedBecause(answer('OPTED_OUT', 'They said STOP.'))).toBe('They said STOP.');
  expect(refusedBecause(answer('OPTED_OUT'))).toBe('OPTED_OUT');
});
