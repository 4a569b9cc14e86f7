import { describe, expect, it } from 'vitest';
import { firstPageOf, movedPages, movedRow, statesOf } from './live-rows';
import type { ListedRow } from './message-data';

const at = '2026-11-21T09:00:00.000Z';
const single = { messageId: 'a', state: 'queued', code: null, updatedAt: at } as ListedRow;
const request = {
  ...single,
  recipients: 5,
  states: [
    { state: 'queued', count: 4 },
    { state: 'failed', count: 1 },
  ],
  members: ['a', 'b', 'c'].map((messageId) => ({ messageId, state: 'queued' })),
} as ListedRow;
const movedTo = (state: string, ...ids: string[]) => new Map(ids.map((id) => [id, { state, code: null, at }]));

describe('rows that move', () => {
  it('take the new state of their message', () => {
    const moved = new Map([['a', { state: 'delivered', code: 'DELIVERED', at }]]);
    expect(movedRow(single, moved)).toMatchObject({ state: 'delivered', code: 'DELIVERED' });
    expect(movedRow(single, movedTo('failed', 'x'))).toEqual(single);
    expect([statesOf(single), statesOf(request)].map((states) => states.map(({ messageId }) => messageId))).toEqual([
      ['a'],
      ['a', 'b', 'c'],
    ]);
  });

  it('are counted anew, those that are not named as they were', () => {
    const once = movedRow(request, movedTo('delivered', 'a', 'b'));
    expect(once.states).toEqual([
      { state: 'queued', count: 2 },
      { state: 'delivered', count: 2 },
      { state: 'failed', count: 1 },
    ]);
    expect(movedRow(once, movedTo('delivered', 'b', 'c')).states).toEqual([
      { state: 'delivered', count: 3 },
      { state: 'queued', count: 1 },
      { state: 'failed', count: 1 },
    ]);
  });

  it('stay the very same where nothing moved, and so does their list', () => {
    const list = { pages: [{ messages: [single] }, { messages: [request] }] };
    expect(movedPages(list, movedTo('queued', 'a', 'b', 'x'))).toBe(list);
    const moved = movedPages(list, movedTo('sent', 'b'));
    expect(moved.pages[0]).toBe(list.pages[0]);
    expect(moved.pages[1]!.messages[0]!.members).toContainEqual({ messageId: 'b', state: 'sent' });
  });
});

it('of a list that is left the newest page stays', () => {
  expect(firstPageOf({ pages: ['a', 'b'], pageParams: ['', 'x'] })).toEqual({ pages: ['a'], pageParams: [''] });
  expect(firstPageOf(undefined)).toBeUndefined();
});
