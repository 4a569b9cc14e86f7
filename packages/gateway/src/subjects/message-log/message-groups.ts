/**
 * A page of the message log with one row per request, counting its matching recipients by state. Relies on a request's
 * messages having adjacent ids; with several nodes others may lie between, so a request can appear on two pages.
 */
import { idTime, type MessageId } from '../../kernel/ids.ts';
import type { MessageSearch, MessageSearchPage } from '../../messaging/store/message-log-items.ts';
import type { ListedMessage } from '../../model/message-search.ts';

export interface MessageGroup {
  /** The newest one found. */
  message: ListedMessage;
  recipients: number;
  states: { state: string; count: number }[];
  /** The most recipients that a request may have; of a larger request not all messages. */
  members: { messageId: MessageId; state: string }[];
}

export interface GroupedPage extends Pick<MessageSearchPage, 'next' | 'searchedTo'> {
  groups: MessageGroup[];
}

/** Messages of one read; few at first, for requests with one recipient each. */
const firstRows = 100;
const pageRows = 500;
/** Further reads to fill a page. */
const readsMax = 12;
/** The most recipients of one request: the page tracks each one's state. */
const membersMax = 1_000;

type Search = (request: MessageSearch) => Promise<MessageSearchPage>;

export async function groupedPage(search: Search, query: MessageSearch): Promise<GroupedPage> {
  const found = new Map<string, ListedMessage[]>();
  let { before } = query;
  for (let read = 0; read < readsMax; read++) {
    const page = await search({ ...query, before, limit: read === 0 ? firstRows : pageRows });
    for (const message of page.messages) {
      const group = found.get(message.requestId);
      if (group !== undefined) group.push(message);
      else if (found.size === query.limit) return { groups: groupsOf(found), next: before, searchedTo: null };
      else found.set(message.requestId, [message]);
      before = message.messageId;
    }
    before = page.next;
    if (before === null || page.searchedTo !== null) {
      return { groups: groupsOf(found), next: before, searchedTo: page.searchedTo };
    }
  }
  return { groups: groupsOf(found), next: before, searchedTo: before === null ? null : idTime(before) };
}

function groupsOf(found: ReadonlyMap<string, ListedMessage[]>): MessageGroup[] {
  return [...found.values()].map((messages) => {
    const byState = [...Map.groupBy(messages, ({ state }) => state)];
    return {
      message: messages[0]!,
      recipients: messages.length,
      states: byState.map(([state, { length }]) => ({ state, count: length })).sort((a, b) => b.count - a.count),
      members: messages.slice(0, membersMax).map(({ messageId, state }) => ({ messageId, state })),
    };
  });
}
