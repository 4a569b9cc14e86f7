/** The rows of a list as they change: a message's new state, or that of one of the messages of a request. Pure. */
import type { Listed, ListedRow } from './message-data';

export interface Moved extends Pick<Listed, 'state' | 'code'> {
  /** When it entered this state. */
  at: string;
}

/** A message of a row, as shown. */
export interface ShownState {
  messageId: string;
  state: string;
  /** Null when the row does not contain it. */
  at: string | null;
}

/** Every message that a row lists. */
export function statesOf({ messageId, members, state, updatedAt }: ListedRow): ShownState[] {
  return members?.map((one) => ({ ...one, at: null })) ?? [{ messageId, state, at: updatedAt }];
}

/** Final states: only an unexpected receipt changes them, which is an event. */
const settled = ['delivered', 'undelivered', 'failed', 'expired', 'canceled', 'received'];
/** States that a message reaches without an event. */
const silent = ['accepted', 'queued', 'sending', 'uncertain'];

export const isSettled = (state: string): boolean => settled.includes(state);
export const isSilent = (state: string): boolean => silent.includes(state);

/** The updated row, with the messages of a request recounted. The same object when nothing changed. */
export function movedRow(row: ListedRow, moved: ReadonlyMap<string, Moved>): ListedRow {
  const own = moved.get(row.messageId);
  const isOther = own !== undefined && (own.state !== row.state || own.code !== row.code || own.at !== row.updatedAt);
  const now = isOther ? { ...row, state: own.state, code: own.code, updatedAt: own.at } : row;
  const { members, states } = row;
  if (members === undefined || states === undefined) return now;
  const changed = members.filter(({ messageId, state }) => (moved.get(messageId)?.state ?? state) !== state);
  if (changed.length === 0) return now;
  const counts = new Map(states.map(({ state, count }) => [state, count]));
  const add = (state: string, by: number) => counts.set(state, (counts.get(state) ?? 0) + by);
  for (const { messageId, state } of changed) {
    add(state, -1);
    add(moved.get(messageId)!.state, 1);
  }
  const left = [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  return {
    ...now,
    states: left.map(([state, count]) => ({ state, count })),
    members: members.map((one) => ({ ...one, state: moved.get(one.messageId)?.state ?? one.state })),
  };
}

/** The pages of a list with updated rows; the same object when nothing changed. */
export function movedPages<P extends { messages: ListedRow[] }, L extends { pages: P[] }>(
  list: L,
  moved: ReadonlyMap<string, Moved>,
): L {
  const pages = list.pages.map((page) => {
    const messages = page.messages.map((row) => movedRow(row, moved));
    return messages.every((row, index) => row === page.messages[index]) ? page : { ...page, messages };
  });
  return pages.every((page, index) => page === list.pages[index]) ? list : { ...list, pages };
}

/** For a list read page by page, its newest page. */
export function firstPageOf<T>(
  list: { pages: T[]; pageParams: unknown[] } | undefined,
): { pages: T[]; pageParams: unknown[] } | undefined {
  return list === undefined ? undefined : { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) };
}
