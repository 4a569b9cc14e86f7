/** The prices of a company while they are edited, row by row, with the faults of each. Pure. */
import type { Rate } from './accounts';

/** `key` only tells rows apart on the screen. */
export interface PriceRow extends Rate {
  key: number;
}

export type PriceField = keyof Rate;
/** Faults of one row: by field, the broken rule. */
export type PriceFaults = Partial<Record<PriceField, 'day' | 'sameDay' | 'currency' | 'oneCurrency' | 'price'>>;

export const priceFields = ['from', 'currency', 'smsPerSegment', 'mmsPerMessage'] as const;
/** The most prices that the gateway keeps for one company. */
export const pricesMax = 100;

/** Oldest first, in the order in which they apply. */
export function rowsOf(rates: readonly Rate[] = []): PriceRow[] {
  return [...rates].sort((a, b) => (a.from < b.from ? -1 : 1)).map((rate, key) => ({ ...rate, key }));
}

/** Adds a row, in the currency of the others, from `today` on; after others, from the first of the next month. */
export function withNewRow(rows: readonly PriceRow[], today: string): PriceRow[] {
  const last = rows.at(-1);
  const from = last === undefined ? today : nextMonth(today);
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  return [...rows, { key, from, currency: last?.currency ?? 'USD', smsPerSegment: '', mmsPerMessage: '' }];
}

/** The value that is sent to the gateway. */
export function ratesOf(rows: readonly PriceRow[]): Rate[] {
  return rows.map(({ from, currency, smsPerSegment, mmsPerMessage }) => ({
    from: from.trim(),
    currency: currencyOf(currency),
    smsPerSegment: smsPerSegment.trim(),
    mmsPerMessage: mmsPerMessage.trim(),
  }));
}

/** One entry for each row; empty without faults. The rules are the gateway's, which decides. */
export function priceFaults(rows: readonly PriceRow[]): PriceFaults[] {
  const rates = ratesOf(rows);
  const [first] = rates;
  return rates.map((rate, index) => {
    const faults: PriceFaults = {};
    if (!isDay(rate.from)) faults.from = 'day';
    else if (rates.findIndex(({ from }) => from === rate.from) < index) faults.from = 'sameDay';
    if (!/^[A-Z]{3}$/.test(rate.currency)) faults.currency = 'currency';
    else if (rate.currency !== first?.currency) faults.currency = 'oneCurrency';
    for (const field of ['smsPerSegment', 'mmsPerMessage'] as const) {
      if (!/^\d{1,6}(\.\d{1,6})?$/.test(rate[field])) faults[field] = 'price';
    }
    return faults;
  });
}

export function isFaultless(faults: readonly PriceFaults[]): boolean {
  return faults.every((one) => Object.keys(one).length === 0);
}

function currencyOf(text: string): string {
  return text.trim().toUpperCase();
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function nextMonth(day: string): string {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 1)).toISOString().slice(0, 10);
}
