/** Limits a statement to messages or conversations of some of an account's own numbers. */
import type { RowFor } from '../../../store/query.ts';
import type { OwnSide } from '../message-log-items.ts';

/** Own numbers included, or excluded, with commas before, between and after them; null = all. */
export const ownSideColumns = { own_only: 'text', own_without: 'text' } as const;

/** `own`: the own number of a row. A number contains no comma. */
export function ofOwnSide(own: string): string {
  return `(r.own_only is null or r.own_only like '%,' || ${own} || ',%')
     and (r.own_without is null or r.own_without not like '%,' || ${own} || ',%')`;
}

/** The own number of a message, for a statement with `deliveries d` and `messages m`. */
export const ownOfMessage = `case when m.direction = 'outbound' then m.sender else d.recipient end`;

/** A side in the form of the statements. */
export function ownRow({ only, without = [] }: OwnSide): RowFor<typeof ownSideColumns> {
  return {
    own_only: only === undefined ? null : `,${only.join(',')},`,
    own_without: without.length === 0 ? null : `,${without.join(',')},`,
  };
}
