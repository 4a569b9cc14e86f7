/**
 * Schema 27: what is kept of each carrier over time, by the minute and by the hour. A published migration is never edited;
 * changes come as the next number.
 */
import type { Migration } from '../migration.ts';

const sums = [
  ...['taken', 'later', 'refused', 'throttled', 'uncertain', 'delivered', 'undelivered', 'resolved'],
  ...['watched_ms', 'up_ms', 'off_ms', 'paused_ms', 'opening_ms', 'down_ms', 'unanswered_ms', 'rate_ms'],
  ...['throttled_ms', 'window_ms', 'window_used', 'window_size', 'queue_looks', 'queued'],
  ...['window_peak', 'queued_peak', 'oldest_peak_ms'],
];

export const carrierHistory: Migration = {
  version: 27,
  statements: [
    // `step`: ms of the time that begins at `at`. `demo`: the company whose made-up traffic it is, '' = real.
    `create table carrier_history (
      step bigint not null,
      at bigint not null,
      carrier_id {text} not null,
      demo {text} not null,
      ${sums.map((name) => `${name} bigint not null`).join(',\n      ')},
      primary key (step, at, carrier_id, demo)
    ) {keyed}`,
    // `part` and `name`: a code of refusals or of failed deliveries, or a bucket of the delay of receipts.
    `create table carrier_history_counts (
      step bigint not null,
      at bigint not null,
      carrier_id {text} not null,
      part {text} not null,
      name {text} not null,
      demo {text} not null,
      count bigint not null,
      primary key (step, at, carrier_id, part, name, demo)
    ) {keyed}`,
  ],
};
