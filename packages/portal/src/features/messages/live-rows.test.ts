import { describe, expect, it } from 'vitest';
import { firstPageOf, idsOf, movedRow } from './live-rows';
import type { ListedRow } from './message-data';

const single = { messageId: 'a', state: 'queued', code: null } as ListedRow;
const request = {
  ...single,
  recipients: 5,
  states: [
    { state: 'queued', count: 4 },
    { state: 'failed', count: 1 },
  ],
  members: ['a', 'b', 'c'].map((messageId) => ({ messageId, state: 'queued' })),
} as ListedRow;

describe('rows that move', () => {
  it('take the new state of their message', () => {
    expect(movedRow(single, new Map([['a', { state: 'delivered', code: 'DELIVERED' }]]))).toMatchObject({
      ...{ state: 'delivered', code: 'DELIVERED' },
    });
    expect(movedRow(single, new Map([['x', { state: 'failed', code: null }]]))).toEqual(single);
    expect([idsOf(single), idsOf(request)]).toEqual([['a'], ['a', 'b', 'c']]);
  });

  it('are counted anew, those that are not named as they were', () => {
    const moved = new Map(['a', 'b'].map((id) => [id, { state: 'delivered', code: null }]));
    expect(movedRow(request, moved).states).toEqual([
      { state: 'queued', count: 2 },
      { state: 'delivered', count: 2 },
      { state: 'failed', count: 1 },
    ]);
  });
});

it('of a list that is left the newest page stays', () => {
  expect(firstPageOf({ pages: ['a', 'b'], pageParams: ['', 'x'] })).toEqual({ pages: ['a'], pageParams: [''] });
  expect(firstPageOf(undefined)).toBeUndefined();
});
