/** Numbers, plurals, days and sorted lists in the chosen language: the only place that passes a locale to `Intl`. */
import { locale } from './language';

export function numberFormat(options?: Intl.NumberFormatOptions): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, options);
}

export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, options);
}

/** `2 minutes ago`, `yesterday`. */
export const distanceFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const wholeFormat = numberFormat();
const percentFormat = numberFormat({ style: 'percent', maximumFractionDigits: 0 });
const tenthFormat = numberFormat({ style: 'percent', maximumFractionDigits: 1 });
const sizeFormat = numberFormat({ maximumFractionDigits: 1 });
const rules = new Intl.PluralRules(locale);
const collator = new Intl.Collator(locale, { numeric: true });
const regions = new Intl.DisplayNames(locale, { type: 'region' });

export function numberText(value: number): string {
  return wholeFormat.format(value);
}

/** With this many decimal places, including zeros. */
export function fixedText(value: number, digits: number): string {
  return numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** A share from 0 to 1 as a percentage. */
export function percentText(share: number, digits: 0 | 1 = 0): string {
  return (digits === 0 ? percentFormat : tenthFormat).format(share);
}

export function isOne(count: number): boolean {
  return rules.select(count) === 'one';
}

/** `1 message`, `1,234 messages`. */
export function counted(count: number, one: string, other: string): string {
  return `${numberText(count)} ${isOne(count) ? one : other}`;
}

/** For `sort`: names in the language's order, `A 9` before `A 10`. */
export function byName(one: string, other: string): number {
  return collator.compare(one, other);
}

export function countryName(code: string): string {
  return regions.of(code) ?? code;
}

/** `1.5 MB`; in decimal units, as for storage. */
export function sizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${sizeFormat.format(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${sizeFormat.format(bytes / 1e6)} MB` : `${sizeFormat.format(bytes / 1e9)} GB`;
}

/** `640 ms`, `1.4 s`, `2.5 min`, `3.1 h`. */
export function tookText(ms: number): string {
  if (ms < 1_000) return `${numberText(Math.round(ms))} ms`;
  if (ms < 60_000) return `${fixedText(ms / 1_000, 1)} s`;
  return ms < 3_600_000 ? `${fixedText(ms / 60_000, 1)} min` : `${fixedText(ms / 3_600_000, 1)} h`;
}
