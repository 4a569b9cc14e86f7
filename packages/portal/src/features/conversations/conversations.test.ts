import '../../language/english';
import { describe, expect, it } from 'vitest';
import type { ConversationThread } from '../../api/routes/conversations';
import {
  careOf,
  filledIn,
  isFollowed,
  lastMessage,
  mediumOf,
  refusedBecause,
  searchQuery,
  snoozeChoices,
  textSearch,
  unfilled,
} from './conversations';

describe('a medium', () => {
  it('of this gateway is shown from its own address, whatever the gateway calls itself', () => {
    const url = 'http://127.0.0.1:8088/media/med_01/cat.jpg?expires=1&signature=x';
    expect(mediumOf(url, 0)).toMatchObject({
      src: '/media/med_01/cat.jpg?expires=1&signature=x',
      contentType: 'image/jpeg',
      name: 'cat.jpg',
    });
  });

  it('from a handset is what the gateway says of it', () => {
    const url = 'http://127.0.0.1:8088/media/med_01/rechnung.pdf?expires=1&signature=x';
    const fact = { url, type: 'application/pdf', size: 1_200, name: 'Rechnung März.pdf' };
    expect(mediumOf(url, 0, fact)).toMatchObject({
      src: '/media/med_01/rechnung.pdf?expires=1&signature=x',
      contentType: 'application/pdf',
      name: 'Rechnung März.pdf',
      sizeBytes: 1_200,
    });
    const html = { ...fact, type: 'text/html', url: 'https://shop.example/a.html' };
    expect(mediumOf(html.url, 0, html)).toMatchObject({ contentType: 'link' });
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

it('is assigned to people who can open it, and stays with its present one', () => {
  const person = (userId: string, more = {}) => ({ userId, disabled: false, readsTexts: true, ...more });
  const people = [person('a'), person('viewer', { readsTexts: false }), person('gone', { disabled: true })];
  expect(careOf(people, null).map(({ userId }) => userId)).toEqual(['a']);
  expect(careOf(people, 'viewer').map(({ userId }) => userId)).toEqual(['a', 'viewer']);
  expect(careOf(people, 'gone').map(({ userId }) => userId)).toEqual(['a', 'gone']);
});

it('shows the refusal of the only recipient', () => {
  const answer = (status: string, detail?: string) => ({
    schema: { resultResponses: [{ to: '1', status, ...(detail !== undefined && { detail }) }] },
  });
  expect(refusedBecause(answer('SUCCESS'))).toBeNull();
  expect(refusedBecause(answer('OPTED_OUT', 'They said STOP.'))).toBe('They said STOP.');
  expect(refusedBecause(answer('OPTED_OUT'))).toBe('OPTED_OUT');
});

describe('putting off', () => {
  const shown = (now: Date) =>
    snoozeChoices(now, undefined).map(({ id, until }) => [id, until.getDate(), until.getHours()]);

  it('is to moments ahead', () => {
    // 2026-11-18 is a Wednesday.
    expect(shown(new Date(2026, 10, 18, 10, 30))).toEqual([
      ['hour', 18, 11],
      ['evening', 18, 18],
      ['morning', 19, 9],
      ['week', 23, 9],
    ]);
  });

  it('is to no evening that is over, and to the Monday after this one', () => {
    expect(shown(new Date(2026, 10, 23, 17, 30))).toEqual([
      ['hour', 23, 18],
      ['morning', 24, 9],
      ['week', 30, 9],
    ]);
    expect(shown(new Date(2026, 10, 22, 8, 0)).at(-1)).toEqual(['week', 23, 9]);
  });

  it.each([
    // In Tokyo it is Sunday, 10:30, when in New York it is still Saturday.
    [
      '2026-11-22T01:30:00Z',
      'Asia/Tokyo',
      ['2026-11-22T02:30', '2026-11-22T09:00', '2026-11-23T00:00', '2026-11-23T00:00'],
    ],
    ['2026-11-22T01:30:00Z', 'America/New_York', ['2026-11-22T02:30', '2026-11-22T14:00', '2026-11-23T14:00']],
    // The clock goes back in the night, and forward.
    ['2026-11-01T03:00:00Z', 'America/New_York', ['2026-11-01T04:00', '2026-11-01T14:00', '2026-11-02T14:00']],
    ['2026-03-08T04:00:00Z', 'America/New_York', ['2026-03-08T05:00', '2026-03-08T13:00', '2026-03-09T13:00']],
    ['2026-03-08T05:00:00Z', 'America/Los_Angeles', ['2026-03-08T06:00', '2026-03-08T16:00', '2026-03-09T16:00']],
    [
      '2026-12-31T20:00:00Z',
      'Pacific/Kiritimati',
      ['2026-12-31T21:00', '2027-01-01T04:00', '2027-01-01T19:00', '2027-01-03T19:00'],
    ],
  ])('at %s is by the clock of %s', (now, zone, expected) => {
    const found = snoozeChoices(new Date(now), zone).map(({ until }) => until.toISOString().slice(0, 16));
    expect(found).toEqual(expected);
  });
});

describe('what was said last', () => {
  it('is the answer, where there is one', () => {
    const thread = { lastAt: '1', lastText: 'Hello?', lastMedia: 0, reply: null } as ConversationThread;
    expect(lastMessage(thread)).toEqual({ own: false, text: 'Hello?', media: 0, at: '1' });
    const reply = { text: 'Yes', media: 2, at: '2' };
    expect(lastMessage({ ...thread, reply })).toEqual({ own: true, text: 'Yes', media: 2, at: '2' });
  });
});

describe('a search', () => {
  it.each([
    ['', '', ''],
    ['+1 (202) 555-0100', '12025550100', ''],
    ['0100', '0100', ''],
    [' maria ', '', 'maria'],
    ['order 1234', '', 'order 1234'],
  ])('for %j asks for the number %j or the words %j', (search, peer, text) => {
    expect(searchQuery(search)).toEqual({ peer, text });
  });

  it('takes no more than the gateway does, and no quotation mark', () => {
    expect(searchQuery('1'.repeat(99)).peer).toHaveLength(15);
    expect(searchQuery('x'.repeat(999)).text).toHaveLength(100);
    expect(textSearch(' say "hello" ')).toBe('text:"say  hello"');
  });
});

describe('a message', () => {
  const one = { direction: 'inbound', state: 'received', acceptedAt: '2026-11-26T10:00:00.000Z' };
  it('continues in the next one of the same side, outcome and time', () => {
    expect(isFollowed(one, { ...one, acceptedAt: '2026-11-26T10:04:59.000Z' })).toBe(true);
    expect(isFollowed(one, { ...one, acceptedAt: '2026-11-26T10:05:00.000Z' })).toBe(false);
    expect(isFollowed(one, { ...one, direction: 'outbound' })).toBe(false);
    expect(isFollowed(one, { ...one, state: 'failed' })).toBe(false);
    expect(isFollowed(one, undefined)).toBe(false);
  });
});

describe('a canned reply', () => {
  it('has its placeholders filled in where something is known', () => {
    const values = { name: 'Maria', me: '' };
    expect(filledIn('Hi {{name}}, {{ name }}! {{me}} {{other}} {name}', values)).toBe(
      'Hi Maria, Maria! {{me}} {{other}} {name}',
    );
    expect(unfilled('Hi Maria! {{me}} {{other}}')).toBe('{{me}}');
    expect(unfilled('Hi {name} {{}} {{ }}')).toBeNull();
  });

  it('takes what is filled in as it is', () => {
    expect(filledIn('Hi {{name}}', { name: '$& $1' })).toBe('Hi $& $1');
  });
});
