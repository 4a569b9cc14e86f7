/** SQL over the history of carriers. */
import { historyCounts, historyPeaks, historySums } from '../../../model/carrier-history.ts';
import { statement } from '../../../store/query.ts';

/** Maps `windowPeak` to the column `window_peak`. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const sums = [...historyCounts, ...historySums].map(columnOf);
const peaks = historyPeaks.map(columnOf);
const figures = [...sums, ...peaks];
const types = Object.fromEntries(figures.map((name) => [name, 'int'] as const));

export const addToHistory = statement()(
  'add_to_carrier_history',
  { step: 'int', at: 'int', carrier_id: 'text', demo: 'text', ...types },
  `insert into carrier_history (step, at, carrier_id, demo, ${figures.join(', ')})
   select r.step, r.at, r.carrier_id, r.demo, ${figures.map((name) => `r.${name}`).join(', ')} from {rows} r where true
   on conflict (step, at, carrier_id, demo) do update set
     ${sums.map((name) => `${name} = carrier_history.${name} + excluded.${name}`).join(', ')},
     ${peaks
       .map(
         (name) =>
           `${name} = case when excluded.${name} > carrier_history.${name} then excluded.${name} else carrier_history.${name} end`,
       )
       .join(', ')}`,
);

export const addToHistoryCounts = statement()(
  'add_to_carrier_history_counts',
  { step: 'int', at: 'int', carrier_id: 'text', part: 'text', name: 'text', demo: 'text', count: 'int' },
  `insert into carrier_history_counts (step, at, carrier_id, part, name, demo, count)
   select r.step, r.at, r.carrier_id, r.part, r.name, r.demo, r.count from {rows} r where true
   on conflict (step, at, carrier_id, part, name, demo)
   do update set count = carrier_history_counts.count + excluded.count`,
);

/** Bars of equal width, for all carriers or one. */
const bars = { step: 'int', first: 'int', until: 'int', width: 'int', carrier_id: 'text' } as const;
const barOf = '(h.at - cast(r.first as bigint)) / cast(r.width as bigint)';
const within = `h.step = r.step and h.at >= r.first and h.at < r.until and (r.carrier_id = '' or h.carrier_id = r.carrier_id)`;

export type SumsRow = { bar: number; carrier_id: string } & Record<string, number | string>;

export const selectHistory = statement<SumsRow>()(
  'select_carrier_history',
  bars,
  `select ${barOf} as bar, h.carrier_id as carrier_id,
     ${sums.map((name) => `cast(sum(h.${name}) as bigint) as ${name}`).join(', ')},
     ${peaks.map((name) => `max(h.${name}) as ${name}`).join(', ')}
   from {rows} r, carrier_history h where ${within} group by 1, 2`,
);

export const selectHistoryCounts = statement<{
  bar: number;
  carrier_id: string;
  part: string;
  name: string;
  count: number;
}>()(
  'select_carrier_history_counts',
  bars,
  `select ${barOf} as bar, h.carrier_id as carrier_id, h.part as part, h.name as name,
     cast(sum(h.count) as bigint) as count
   from {rows} r, carrier_history_counts h where ${within} group by 1, 2, 3, 4`,
);

export const selectOldestHistory = statement<{ at: number | null }>()(
  'select_oldest_carrier_history',
  { step: 'int' },
  'select min(h.at) as at from {rows} r, carrier_history h where h.step = r.step',
);

export const deleteOldHistory = statement()(
  'delete_old_carrier_history',
  { step: 'int', before: 'int' },
  `delete from carrier_history using {rows} r where carrier_history.step = r.step and carrier_history.at < r.before`,
);

export const deleteOldHistoryCounts = statement()(
  'delete_old_carrier_history_counts',
  { step: 'int', before: 'int' },
  `delete from carrier_history_counts using {rows} r
   where carrier_history_counts.step = r.step and carrier_history_counts.at < r.before`,
);
