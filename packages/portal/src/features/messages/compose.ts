/** Prepares the input of a new message for sending: recipients one by one, replacements, cost. Pure. */
import { forcingCharacters, segment } from '@heliograph/text';
import { numberFormat } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { charactersOf } from '../../ui/characters';

const messageLabels = labelsOf('message');

const labels = messageLabels.compose;

export interface Recipients {
  /** Digits, each number once, in order. */
  numbers: string[];
  /** Entries that are not numbers, as typed. */
  bad: { token: string; scientific: boolean }[];
  /** How many were repeated. */
  twice: number;
}

const scientific = /^[+-]?\d(?:[.,]\d+)?e\+?\d+$/i;

/** Commas, semicolons and line ends separate numbers; spaces do too after a complete number. */
export function readRecipients(text: string): Recipients {
  const found: Recipients = { numbers: [], bad: [], twice: 0 };
  const known = new Set<string>();
  for (const field of text.split(/[,;\n\t]+/)) {
    for (const token of tokensOf(field.trim())) {
      const digits = numberOf(token);
      if (digits === null) found.bad.push({ token, scientific: scientific.test(token) });
      else if (known.has(digits)) found.twice++;
      else {
        known.add(digits);
        found.numbers.push(digits);
      }
    }
  }
  return found;
}

/** `+1 (202) 555-0100` is one; `12025550100 12025550101` are two. */
function tokensOf(field: string): string[] {
  if (field === '') return [];
  if (numberOf(field) !== null) return [field];
  const words = field.split(/\s+/);
  if (words.every((word) => numberOf(word) !== null)) return words;
  return splitNumbers(words) ?? (words.some((word) => numberOf(word) !== null) ? words : [field]);
}

/** Words joined until each is a complete NANP number; null when some words are left over. */
function splitNumbers(words: readonly string[]): string[] | null {
  const numbers: string[] = [];
  let open = '';
  for (const word of words) {
    open = open === '' ? word : `${open} ${word}`;
    if (nanpDigits(open) === null) continue;
    numbers.push(open);
    open = '';
  }
  return open === '' && numbers.length > 0 ? numbers : null;
}

const phoneText = /^\+?[\d\s().\-/]+$/;

function nanpDigits(text: string): string | null {
  if (!phoneText.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (/^1[2-9]\d{2}[2-9]\d{6}$/.test(digits)) return digits;
  return /^[2-9]\d{2}[2-9]\d{6}$/.test(digits) && !text.includes('+') ? `1${digits}` : null;
}

/** The digits that the API accepts; null for an invalid number. */
export function numberOf(text: string): string | null {
  if (!phoneText.test(text)) return null;
  const nanp = nanpDigits(text);
  if (nanp !== null) return nanp;
  const digits = text.replace(/\D/g, '');
  return /^[2-9]\d{6,14}$/.test(digits) && (text.trim().startsWith('+') || digits.length > 10) ? digits : null;
}

/** A medium of a message. An upload also has the facts from the gateway's answer. */
export interface Medium {
  url: string;
  name?: string;
  /** Media type, such as `image/png`. */
  type?: string;
  sizeBytes?: number;
}

/** The name of a medium: its file name; for a URL the host and the last part of its path. */
export function mediumName({ url, name }: Medium): string {
  if (name !== undefined) return name;
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  const last = pathname.split('/').findLast((part) => part !== '');
  if (last === undefined) return host;
  return pathname.lastIndexOf(last) === 1 ? `${host}/${last}` : `${host}/…/${last}`;
}

export interface Shape {
  encoding: string;
  /** As people count them. */
  characters: number;
  /** Septets or UTF-16 units that it takes. */
  units: number;
  segments: number;
  left: number;
  /** Characters that force UCS-2, with their look-alikes. */
  forcing: { text: string; lookAlike: string | undefined }[];
  /** Segments with all of them replaced. */
  segmentsInstead: number;
}

export function shapeOf(text: string): Shape {
  const { encoding, units, segments, unitsLeft, forcing } = segment(text);
  const replaced = replaceEach(text);
  return {
    encoding,
    characters: charactersOf(text),
    units,
    segments,
    left: unitsLeft,
    forcing: forcing.map((one) => ({ text: one.text, lookAlike: one.lookAlike })),
    segmentsInstead: forcing.length === 0 ? segments : segment(replaced).segments,
  };
}

export interface TextLimits {
  smsSegmentsMax: number;
  mmsTextCharactersMax: number;
}

/** The sentence when no gateway with these limits accepts the text, even with look-alikes. */
export function tooLongText(text: string, shape: Shape, isMms: boolean, limits: TextLimits): string | undefined {
  if (isMms) {
    // Code points, as the limit counts.
    const characters = [...text].length;
    const { mmsTextCharactersMax: most } = limits;
    return characters > most ? labels.tooLongMms(characters, most) : undefined;
  }
  const needed = Math.min(shape.segments, shape.segmentsInstead);
  return needed > limits.smsSegmentsMax ? labels.tooLong(needed, limits.smsSegmentsMax) : undefined;
}

/** The text with every character that has a look-alike replaced. */
export function replaceEach(text: string): string {
  let replaced = text;
  for (const { text: from, lookAlike } of forcingCharacters(text)) {
    if (lookAlike !== undefined) replaced = replaced.replaceAll(from, lookAlike);
  }
  return replaced;
}

/** Its cost, in words; null without rates. `rate`: decimal text. */
export function costOf(units: number, rate: string | undefined, currency: string | undefined): string | null {
  if (rate === undefined || currency === undefined || units === 0) return null;
  const amount = Number(rate) * units;
  return numberFormat({ style: 'currency', currency, maximumFractionDigits: 4 }).format(amount);
}

/** Recipients that a request would skip, by reason. */
export interface Skipped {
  code: string;
  /** The sentence for the first of them. */
  detail: string;
  numbers: string[];
}

export function skippedOf(results: readonly { to: string; status: string; detail?: string }[]): Skipped[] {
  const found = new Map<string, Skipped>();
  for (const { to, status, detail = '' } of results) {
    if (status === 'SUCCESS') continue;
    const known = found.get(status) ?? { code: status, detail, numbers: [] };
    known.numbers.push(to);
    found.set(status, known);
  }
  return [...found.values()];
}
