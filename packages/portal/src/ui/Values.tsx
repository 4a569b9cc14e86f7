/** Values in their common form: telephone numbers, times, ids to copy, reason codes, numbers with units. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { timeZone, useTimeZone } from '../api/time-zone';
import { dateFormat, distanceFormat, numberText } from '../language/formats';
import { labelsOf } from '../language/labels';
import { Icon } from './icons';
import styles from './Values.module.css';

const copyLabels = labelsOf('ui').copy;

/** `1 (202) 555-0100` for NANP, groups of three for the rest; short codes as they are. */
export function phoneText(digits: string): string {
  const nanp = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits);
  if (nanp !== null) return `1 (${nanp[1]}) ${nanp[2]}-${nanp[3]}`;
  return /^\d{7,15}$/.test(digits) ? digits.replace(/(\d{3})(?=\d)/g, '$1 ') : digits;
}

export function Phone({ digits }: { digits: string }) {
  return (
    <bdi className={styles.phone} title={digits}>
      {phoneText(digits)}
    </bdi>
  );
}

const shapes = {
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  dateAndClock: { dateStyle: 'medium', timeStyle: 'medium' },
  minute: { hour: '2-digit', minute: '2-digit' },
  dateAndMinute: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  day: { dateStyle: 'short' },
  year: { year: 'numeric' },
  weekday: { weekday: 'long', month: 'long', day: 'numeric' },
  longDay: { dateStyle: 'long' },
  rowOfYear: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A time in the active time zone. */
function written(shape: keyof typeof shapes, date: Date): string {
  const zone = timeZone();
  const key = `${shape} ${zone}`;
  const format = formats.get(key) ?? dateFormat({ ...shapes[shape], timeZone: zone });
  formats.set(key, format);
  return format.format(date);
}

/**
 * A time: without the date when it is today; UTC on hover. `form`: to the millisecond, as a distance, short for a
 * column, or only hours and minutes below a line with the day.
 */
export function Time({ at, form = 'short' }: { at: string; form?: 'short' | 'exact' | 'relative' | 'row' | 'minute' }) {
  useTimeZone();
  const date = new Date(at);
  const today = written('day', new Date()) === written('day', date);
  const text =
    form === 'exact' || form === 'minute'
      ? written(form, date)
      : form === 'relative'
        ? distance(date)
        : written(today ? 'clock' : form === 'row' ? rowShape(date) : 'dateAndClock', date);
  return (
    <time dateTime={at} title={`${written('dateAndClock', date)} · ${at} UTC`} className={styles.number}>
      {text}
    </time>
  );
}

function rowShape(date: Date): keyof typeof shapes {
  return written('year', new Date()) === written('year', date) ? 'rowOfYear' : 'dateAndMinute';
}

/** A time with its date, as text. */
export function momentText(at: string): string {
  return written('dateAndClock', new Date(at));
}

/** Today's date, short: another text on another day. */
export function todayText(): string {
  return written('day', new Date());
}

/** The day of a time as a heading: today, yesterday, or its date. */
export function dayText(at: string): string {
  const date = new Date(at);
  const day = written('day', date);
  if (day === written('day', new Date())) return distanceFormat.format(0, 'day');
  if (day === written('day', new Date(Date.now() - 86_400_000))) return distanceFormat.format(-1, 'day');
  return written(written('year', new Date()) === written('year', date) ? 'weekday' : 'longDay', date);
}

/** A time within a sentence: without the date when it is today. `form`: to the minute, or to the second. */
export function nearText(at: string, form: 'minute' | 'second' = 'minute'): string {
  const date = new Date(at);
  const today = written('day', new Date()) === written('day', date);
  if (form === 'second') return written(today ? 'clock' : 'dateAndClock', date);
  return written(today ? 'minute' : 'dateAndMinute', date);
}

function distance(date: Date): string {
  const seconds = Math.round((date.getTime() - Date.now()) / 1_000);
  const size = Math.abs(seconds);
  if (size < 60) return distanceFormat.format(seconds, 'second');
  if (size < 3_600) return distanceFormat.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return distanceFormat.format(Math.round(seconds / 3_600), 'hour');
  return distanceFormat.format(Math.round(seconds / 86_400), 'day');
}

/** The distance to a time, as text: `2 minutes ago`. */
export function distanceText(at: string): string {
  return distance(new Date(at));
}

export function Count({ value }: { value: number }) {
  return <span className={styles.number}>{numberText(value)}</span>;
}

/** Copies; on plain http, where browsers have no clipboard, through a hidden field; if that fails too, it says how. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.setAttribute('readonly', '');
    field.className = 'visually-hidden';
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}

/** A value with a button that copies it. `shown`: the displayed text, if it differs. */
export function Copyable({ value, shown, what }: { value: string; shown?: string; what: string }) {
  return (
    <span className={styles.copyable}>
      <code>{shown ?? value}</code>
      <CopyButton value={value} what={what} />
    </span>
  );
}

export function CopyButton({
  value,
  what,
  label,
  tool,
  onCopied,
}: {
  /** The copied text, or how to get it. */
  value: string | (() => Promise<string>);
  what: string;
  label?: string;
  /** One of a row of icons: its tooltip. */
  tool?: string;
  onCopied?(): void;
}) {
  const [status, setStatus] = useState('');
  return (
    <AriaButton
      className={label === undefined ? `${styles.copy} ${tool === undefined ? '' : styles.tool}` : styles.copyLabel}
      aria-label={tool ?? (label === undefined || label === copyLabels.copy ? copyLabels.copyOf(what) : label)}
      data-tip={status === '' ? tool : undefined}
      onPress={async () => {
        const text = typeof value === 'string' ? value : await value().catch(() => null);
        const done = text !== null && (await copyText(text));
        setStatus(done ? copyLabels.copied : copyLabels.byHand);
        if (done) onCopied?.();
        setTimeout(() => setStatus(''), 2_000);
      }}
    >
      <Icon name={status === copyLabels.copied ? 'check' : tool === undefined ? 'copy' : 'request'} />
      {label}
      <span role="status" className={status === '' ? 'visually-hidden' : styles.said}>
        {status}
      </span>
    </AriaButton>
  );
}

export function ReasonLink({ code }: { code: string | null }) {
  if (code === null || code === '') return <span aria-hidden="true">—</span>;
  return (
    <Link to="/reasons/$code" params={{ code }} className={styles.reason}>
      {code}
    </Link>
  );
}

/** A block of text to copy: a command, a header, a body. */
export function Code({
  text,
  what,
  copied,
  onCopied,
}: {
  text: string;
  what: string;
  /** The copied text, if it differs from the displayed one. */
  copied?: () => Promise<string>;
  onCopied?(): void;
}) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton value={copied ?? text} what={what} label={copyLabels.copy} onCopied={onCopied} />
    </div>
  );
}
