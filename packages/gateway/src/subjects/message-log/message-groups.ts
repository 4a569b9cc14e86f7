/**
 * A page of the message log with one row per request, counting its matching recipients by state. Relies on a request's
 * messages having adjacent ids; with several nodes others may lie between, so a request can appear on two pages.
 */
import { idTime, type MessageId } from '../../kernel/ids.ts';
import type { MessageSearch, MessageSearchPage } from '../../messaging/store/message-log-items.ts';
import type { ListedMessage } from '../../model/message-search.ts';

export interface MessageGroup {
  /** The newest of them that is found. */
  message: ListedMessage;
  recipients: number;
  states: { state: string; count: number }[];
  /** All recipients that a request may have; not all messages when it is one of very many. */
  members: { messageId: MessageId; state: string }[];
}

export interface GroupedPage extends Pick<MessageSearchPage, 'next' | 'searchedTo'> {
  groups: MessageGroup[];
}

/** Messages read at one time; few at first, for requests to one recipient each. */
const firstRows = 100;
const pageRows = 500;
/** Times that it reads on to fill a page. */
const readsMax = 12;
/** As many as one request may have recipients: the page counts each that moves. */
const membersMax = 1_000;

type Search = (request: MessageSearch) => Promise<MessageSearchPage>;

export async function groupedPage(search: Search, asked: MessageSearch): Promise<GroupedPage> {
  const found = new Map<string, ListedMessage[]>();
  let { before } = asked;
  for (let read = 0; read < readsMax; read++) {
    const page = await search({ ...asked, before, limit: read === 0 ? firstRows : pageRows });
    for (const message of page.messages) {
      const group = found.get(message.requestId);
      if (group !== undefined) group.push(message);
      else if (found.size === asked.limit) return { groups: groupsOf(found), next: before, searchedTo: null };
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
