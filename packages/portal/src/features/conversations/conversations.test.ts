import { describe, expect, it } from 'vitest';
import { lastSaid, mediumOf, refusedBecause, snoozeChoices, type Thread } from './conversations';

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

describe('putting off', () => {
  const told = (now: Date) => snoozeChoices(now).map(({ id, until }) => [id, until.getDate(), until.getHours()]);

  it('is to moments ahead', () => {
    // 2026-11-18 is a Wednesday.
    expect(told(new Date(2026, 10, 18, 10, 30))).toEqual([
      ['hour', 18, 11],
      ['evening', 18, 18],
      ['morning', 19, 9],
      ['week', 23, 9],
    ]);
  });

  it('is to no evening that is over, and to the Monday after this one', () => {
    expect(told(new Date(2026, 10, 23, 17, 30))).toEqual([
      ['hour', 23, 18],
      ['morning', 24, 9],
      ['week', 30, 9],
    ]);
    expect(told(new Date(2026, 10, 22, 8, 0)).at(-1)).toEqual(['week', 23, 9]);
  });
});

describe('what was said last', () => {
  it('is the answer, where there is one', () => {
    const thread = { lastAt: '1', lastText: 'Hello?', lastMedia: 0, reply: null } as Thread;
    expect(lastSaid(thread)).toEqual({ own: false, text: 'Hello?', media: 0, at: '1' });
    const reply = { text: 'Yes', media: 2, at: '2' };
    expect(lastSaid({ ...thread, reply })).toEqual({ own: true, text: 'Yes', media: 2, at: '2' });
  });
});
