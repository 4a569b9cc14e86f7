/** Outcomes of messages, summed by day, number or campaign. Pure. */

import { byName } from '../../language/formats';
import { csvText } from '../../ui/csv';

/** As the gateway counts them. */
export interface OutcomeRow {
  day: string;
  number: string;
  campaignId: string | null;
  state: string;
  count: number;
}

export const outcomeColumns = ['delivered', 'undelivered', 'failed', 'expired', 'unconfirmed', 'open'] as const;
export type OutcomeColumn = (typeof outcomeColumns)[number];
export type OutcomesBy = 'day' | 'number' | 'campaign';

/** `numbers`: whose messages these are. */
export type OutcomeGroup = Record<OutcomeColumn, number> & { name: string; all: number; numbers: string[] };

/** The states that a column counts. */
export const columnStates: Readonly<Record<OutcomeColumn, readonly string[]>> = {
  delivered: ['delivered'],
  undelivered: ['undelivered'],
  failed: ['failed', 'canceled'],
  expired: ['expired'],
  unconfirmed: ['unconfirmed'],
  open: ['queued', 'sending', 'sent', 'uncertain', 'held'],
};

/** What is not over yet is under way; a canceled message was not sent. */
function columnOf(state: string): OutcomeColumn {
  return outcomeColumns.find((column) => columnStates[column].includes(state)) ?? 'open';
}

/** The newest day first; others by name. '' where there is no campaign. */
export function groupedOutcomes(rows: readonly OutcomeRow[], by: OutcomesBy): OutcomeGroup[] {
  const groups = new Map<string, OutcomeGroup>();
  for (const row of rows) {
    const name = by === 'campaign' ? (row.campaignId ?? '') : row[by];
    const none = { delivered: 0, undelivered: 0, failed: 0, expired: 0, unconfirmed: 0, open: 0 };
    const group = groups.get(name) ?? { name, all: 0, ...none, numbers: [] };
    group[columnOf(row.state)] += row.count;
    group.all += row.count;
    if (!group.numbers.includes(row.number)) group.numbers.push(row.number);
    groups.set(name, group);
  }
  const up = [...groups.values()].sort((a, b) => byName(a.name, b.name));
  return by === 'day' ? up.reverse() : up;
}

/** Share of the final ones, in per cent; null while there are none. */
export function deliveredShare({ delivered, all, open }: OutcomeGroup): number | null {
  return all === open ? null : Math.floor((delivered * 1_000) / (all - open)) / 10;
}

/** Each day of the period, also those without messages, oldest first. */
export function outcomesByDay(rows: readonly OutcomeRow[], days: readonly string[]): Record<OutcomeColumn, number>[] {
  const known = new Map(groupedOutcomes(rows, 'day').map((group) => [group.name, group]));
  const none = { delivered: 0, undelivered: 0, failed: 0, expired: 0, unconfirmed: 0, open: 0 };
  return days.map((day) => known.get(day) ?? none);
}

export function outcomesCsv(groups: readonly OutcomeGroup[], by: OutcomesBy): string {
  const head = [by, 'messages', ...outcomeColumns.map((column) => csvNames[column]), 'delivered_percent'];
  const lines = groups.map((group) => [
    ...[group.name, group.all, ...outcomeColumns.map((column) => group[column])],
    deliveredShare(group),
  ]);
  return csvText([head, ...lines]);
}

const csvNames: Readonly<Record<OutcomeColumn, string>> = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'not_sent',
  expired: 'expired',
  unconfirmed: 'no_receipt',
  open: 'under_way',
};
