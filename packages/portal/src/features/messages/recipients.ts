/** The recipients of a request in order, with the refused ones in their positions. Pure. */
import type { Listed, Refused } from './message-data';

export interface RecipientRow {
  place: number;
  to: string;
  /** The recipient's status in the answer. */
  status: string;
  /** What to do about a refusal. */
  detail: string;
  /** Null for a refused recipient. */
  message: Listed | null;
}

export function inOrder(messages: readonly Listed[], refused: readonly Refused[]): RecipientRow[] {
  const rows: Omit<RecipientRow, 'place'>[] = messages.map((message) => ({
    to: message.to,
    status: 'SUCCESS',
    detail: '',
    message,
  }));
  for (const { place, to, status, detail } of refused) rows.splice(place, 0, { to, status, detail, message: null });
  return rows.map((row, place) => ({ ...row, place }));
}
