/**
 * Parses the text of a delivery receipt: labels in any order and case, some missing, with anything around them. The
 * standard gives only an example, so this reads what is there and refuses nothing. Linear in the length of any text.
 * Source: SMPP 3.4 issue 1.2 appendix B.
 */
import { isStandardWord, stateOfWord } from './message-state.ts';

/** The values after the labels, as written; undefined where a label is missing. */
export type ReceiptText = {
  id?: string;
  sub?: string;
  dlvrd?: string;
  submitDate?: string;
  doneDate?: string;
  stat?: string;
  err?: string;
  text?: string;
};

type Name = 'id' | 'sub' | 'dlvrd' | 'submitDate' | 'doneDate' | 'stat' | 'err' | 'text';

/** Each label by the last word before its colon; a date's label has one word more. */
const lastWords: ReadonlyMap<string, Name | 'date'> = new Map([
  ['id', 'id'],
  ['sub', 'sub'],
  ['dlvrd', 'dlvrd'],
  ['date', 'date'],
  ['stat', 'stat'],
  ['err', 'err'],
  ['text', 'text'],
  // "submit date" and "done date" written as one word
  ['submitdate', 'submitDate'],
  ['donedate', 'doneDate'],
]);

const dateWords: ReadonlyMap<string, Name> = new Map([
  ['submit', 'submitDate'],
  ['done', 'doneDate'],
]);

/** The longest word that can be a label. */
const WORD_LETTERS_MAX = 10;

type Label = { name: Name; start: number; valueStart: number };

/**
 * Where a label may begin: after anything but a letter or a joining character; or, in texts without separators,
 * anywhere in a run of letters, and as the last of joined words ("message_id").
 */
type Start = 'apart' | 'anywhere';

/** Reads the labels' values. */
export const parseReceiptText = (text: string): ReceiptText => {
  const apart = readLabels(text, 'apart');
  if (isWhole(apart)) return apart;
  const anywhere = readLabels(text, 'anywhere');
  return isWhole(anywhere) ? anywhere : apart;
};

/** All essential labels are there, and the id contains no other label. */
const isWhole = ({ id, stat }: ReceiptText): boolean =>
  Boolean(id) && !id!.includes(':') && stateOfWord(stat ?? '') !== undefined;

const readLabels = (text: string, start: Start): ReceiptText => {
  const labels = labelsOf(text, start);
  const found: Partial<Record<Name, string>> = {};
  /** The first word after a value that does not belong to a label. */
  let strayState: string | undefined;
  let behindErr: string | undefined;
  for (const [i, label] of labels.entries()) {
    if (found[label.name]) continue;
    if (label.name === 'text' && found.id && found.stat !== undefined) {
      found.text = trimmed(text.slice(label.valueStart));
      break;
    }
    const whole = trimmed(text.slice(label.valueStart, labels[i + 1]?.start ?? text.length));
    if (label.name === 'text') {
      found.text = whole;
      continue;
    }
    const word = firstWord(whole);
    const rest = trimmed(whole.slice(word.length));
    found[label.name] = label.name.endsWith('Date') ? whole : withoutSeparator(word);
    if (isStandardWord(firstWord(rest))) strayState ??= firstWord(rest);
    if (label.name === 'err' && i === labels.length - 1) behindErr = rest;
  }
  if (!found.stat && strayState !== undefined) found.stat = strayState;
  if (behindErr && found.id && found.stat) found.text ??= behindErr;
  return found;
};

const labelsOf = (text: string, start: Start): Label[] => {
  const labels: Label[] = [];
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const label = labelBefore(text, colon, start);
    if (label !== undefined) labels.push(label);
  }
  return labels;
};

const labelBefore = (text: string, colon: number, startsWhere: Start): Label | undefined => {
  const end = isGap(text, colon - 1) ? colon - 1 : colon;
  const last = labelWord(lettersBefore(text, end), lastWords, startsWhere);
  if (last === undefined) return undefined;
  const lastStart = end - last.length;
  const name = lastWords.get(last)!;
  if (name !== 'date') return labelAt(text, name, lastStart, colon, startsWhere);
  let gap = lastStart;
  while (gap > 0 && lastStart - gap < 2 && isGap(text, gap - 1)) gap--;
  const first = labelWord(lettersBefore(text, gap), dateWords, startsWhere);
  if (first === undefined) return undefined;
  return labelAt(text, dateWords.get(first)!, gap - first.length, colon, startsWhere);
};

const labelAt = (text: string, name: Name, start: number, colon: number, startsWhere: Start): Label | undefined => {
  const joined = start > 0 && '_-'.includes(text[start - 1]!);
  return joined && startsWhere === 'apart' ? undefined : { name, start, valueStart: colon + 1 };
};

/** The label that a run of letters is or, where labels may begin anywhere, ends with. */
const labelWord = (letters: string, words: ReadonlyMap<string, unknown>, start: Start): string | undefined => {
  if (words.has(letters)) return letters;
  if (start === 'apart') return undefined;
  // Many ordinary words end with "id".
  return [...words.keys()].find((word) => word !== 'id' && letters.endsWith(word));
};

/** The run of letters that ends before `end`, in lower case; looks back at most just beyond the longest label. */
const lettersBefore = (text: string, end: number): string => {
  let start = end;
  while (start > 0 && end - start <= WORD_LETTERS_MAX && isLetter(text.charCodeAt(start - 1))) start--;
  return text.slice(start, end).toLowerCase();
};

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

const isGap = (text: string, at: number): boolean => text[at] === '_' || isSpace(text.charCodeAt(at));

/** White space, including NUL, which peers use as padding, and what Latin-1 adds (next line, no-break space). */
const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0 || code === 0x85 || code === 0xa0;

const trimmed = (value: string): string => {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value.charCodeAt(start))) start++;
  while (end > start && isSpace(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
};

const firstWord = (value: string): string => {
  for (let i = 0; i < value.length; i++) if (isSpace(value.charCodeAt(i))) return value.slice(0, i);
  return value;
};

/** A comma, semicolon or bar after a value separates it from the next and does not belong to it. */
const withoutSeparator = (word: string): string => {
  let end = word.length;
  while (end > 0 && ',;|'.includes(word[end - 1]!)) end--;
  return word.slice(0, end);
};
