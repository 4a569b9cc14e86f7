/** What the stream says of rows that are shown: a message's new state, or that of one of the messages of a request. Pure. */
import type { Listed, ListedRow } from './message-data';

export type Moved = Pick<Listed, 'state' | 'code'>;

/** Every message that a row stands for, as far as it names them. */
export function idsOf({ messageId, members }: ListedRow): string[] {
  return members?.map((one) => one.messageId) ?? [messageId];
}

/** The row as it is now; of a request, its messages counted anew. */
export function movedRow(row: ListedRow, moved: ReadonlyMap<string, Moved>): ListedRow {
  const now = { ...row, ...moved.get(row.messageId) };
  const { members, states } = row;
  if (members === undefined || states === undefined || !members.some(({ messageId }) => moved.has(messageId)))
    return now;
  const counts = new Map(states.map(({ state, count }) => [state, count]));
  const add = (state: string, by: number) => counts.set(state, (counts.get(state) ?? 0) + by);
  for (const { messageId, state } of members) {
    const next = moved.get(messageId)?.state ?? state;
    if (next === state) continue;
    add(state, -1);
    add(next, 1);
  }
  const left = [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
  return { ...now, states: left.map(([state, count]) => ({ state, count })) };
}

/** Of a list read page by page, the newest of them. */
export function firstPageOf<T>(
  list: { pages: T[]; pageParams: unknown[] } | undefined,
): { pages: T[]; pageParams: unknown[] } | undefined {
  return list === undefined ? undefined : { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) };
}
