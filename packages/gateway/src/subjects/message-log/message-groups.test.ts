/** One row for each request, counted completely wherever a page ends; every search ends. */
import { describe, expect, it } from 'vitest';
import type { MessageSearch, MessageSearchPage } from '../../messaging/store/message-log-items.ts';
import { emptyFilter, type ListedMessage } from '../../model/message-search.ts';
import { groupedPage } from './message-groups.ts';

const idOf = (n: number) => `msg_01JD8Z6QF2${String(n).padStart(16, '0')}`;

/** Requests with these numbers of recipients, oldest first. */
function logOf(counts: number[]): ListedMessage[] {
  let n = 0;
  return counts
    .flatMap((count, request) =>
      Array.from({ length: count }, (_, i) => ({
        messageId: idOf(++n),
        requestId: `req_${request}`,
        to: `1202555${n}`,
        state: i % 3 === 0 ? 'failed' : 'delivered',
      })),
    )
    .toReversed() as unknown as ListedMessage[];
}

function searchOf(log: ListedMessage[]) {
  return async ({ before, limit }: MessageSearch): Promise<MessageSearchPage> => {
    const all = log.filter(({ messageId }) => before === null || messageId < before);
    const messages = all.slice(0, limit);
    return { messages, next: all.length > limit ? messages.at(-1)!.messageId : null, searchedTo: null };
  };
}

const query = (more: Partial<MessageSearch> = {}): MessageSearch => ({
  accountId: 'a',
  filter: emptyFilter(),
  ownNumbers: [],
  before: null,
  after: null,
  limit: 3,
  ...more,
});

describe('messages by request', () => {
  it('counts the recipients of each, by outcome', async () => {
    const { groups, next } = await groupedPage(searchOf(logOf([1, 4])), query());
    expect(next).toBeNull();
    expect(groups).toMatchObject([
      {
        recipients: 4,
        states: [
          { state: 'failed', count: 2 },
          { state: 'delivered', count: 2 },
        ],
      },
      { recipients: 1, states: [{ state: 'failed', count: 1 }], members: [{ messageId: idOf(1), state: 'failed' }] },
    ]);
    expect(groups[0]!.message.messageId).toBe(idOf(5));
  });

  it('pages through all: each request once and whole, however many recipients it has', async () => {
    const counts = [2, 700, 1, 1, 101, 99, 3, 1, 1_000, 5];
    const search = searchOf(logOf(counts));
    const seen: [string, number][] = [];
    let before: string | null = null;
    for (let pages = 0; pages < 5; pages++) {
      const page = await groupedPage(search, query({ before }));
      seen.push(...page.groups.map(({ message, recipients }): [string, number] => [message.requestId, recipients]));
      before = page.next;
      if (before === null) break;
    }
    expect(seen).toEqual(counts.map((count, i): [string, number] => [`req_${i}`, count]).toReversed());
  });

  it('ends where the search ends, and after some reads, and says how far it looked', async () => {
    const bounded = async () => ({ messages: logOf([1]), next: idOf(1), searchedTo: 7 });
    expect(await groupedPage(bounded, query())).toMatchObject({ next: idOf(1), searchedTo: 7 });
    const page = await groupedPage(searchOf(logOf([9_000])), query());
    expect(page.groups).toHaveLength(1);
    expect(page.next).not.toBeNull();
    expect(page.searchedTo).toBeGreaterThan(0);
  });
});
