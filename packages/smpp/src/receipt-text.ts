/**
 * The text of a delivery receipt taken apart: labels in any order and case, some missing, with anything around them.
 * The standard gives an example and not a rule, so this reads what is there and refuses nothing.
 * Time is linear in the length of the text, whatever the text. Source: SMPP 3.4 issue 1.2 appendix B.
 */

/** What the labels were followed by, as written; undefined where a label is missing. */
export type ReceiptText = {
  id?: string;
  submitDate?: string;
  doneDate?: string;
  stat?: string;
  err?: string;
  text?: string;
};

type Name = 'id' | 'sub' | 'dlvrd' | 'submitDate' | 'doneDate' | 'stat' | 'err' | 'text';

/** Each label by the last word before its colon; a date needs a word more. */
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

/** Reads the labels' values. */
export const parseReceiptText = (text: string): ReceiptText => {
  const labels = labelsOf(text);
  const found: Partial<Record<Name, string>> = {};
  for (const [i, label] of labels.entries()) {
    if (found[label.name] !== undefined) continue;
    if (label.name === 'text' && found.id !== undefined && found.stat !== undefined) {
      found.text = trimmed(text.slice(label.valueStart));
      break;
    }
    const whole = trimmed(text.slice(label.valueStart, labels[i + 1]?.start ?? text.length));
    found[label.name] = label.name === 'text' ? whole : firstWord(whole);
  }
  const { sub: _, dlvrd: __, ...rest } = found;
  return rest;
};

const labelsOf = (text: string): Label[] => {
  const labels: Label[] = [];
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const label = labelBefore(text, colon);
    if (label !== undefined) labels.push(label);
  }
  return labels;
};

const labelBefore = (text: string, colon: number): Label | undefined => {
  const end = isGap(text, colon - 1) ? colon - 1 : colon;
  const start = wordStart(text, end);
  const name = lastWords.get(text.slice(start, end).toLowerCase());
  if (name === undefined) return undefined;
  if (name !== 'date') return { name, start, valueStart: colon + 1 };
  let gap = start;
  while (gap > 0 && start - gap < 2 && isGap(text, gap - 1)) gap--;
  const firstStart = wordStart(text, gap);
  const dateName = dateWords.get(text.slice(firstStart, gap).toLowerCase());
  return dateName === undefined ? undefined : { name: dateName, start: firstStart, valueStart: colon + 1 };
};

/** Where the run of letters that ends before `end` begins; looks back no further than a label is long. */
const wordStart = (text: string, end: number): number => {
  let start = end;
  while (start > 0 && end - start <= WORD_LETTERS_MAX && isLetter(text.charCodeAt(start - 1))) start--;
  return start;
};

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

const isGap = (text: string, at: number): boolean => text[at] === '_' || isSpace(text.charCodeAt(at));

/** What counts as white space: also NUL, which peers pad with. */
const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0;

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
