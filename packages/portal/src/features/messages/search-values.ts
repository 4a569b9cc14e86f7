/** The values after the name of a search word: as shown on the screen, and beside them the technical ones. Pure. */

import { labelsOf } from '../../language/labels';
import { statusWord } from '../../ui/Status';
import { searchWords } from './search-words';

const labels = labelsOf('searchForm');

export interface SearchValue {
  /** As written in the search */
  value: string;
  /** As shown */
  shown: string;
  /** The API's word, if it differs. */
  technical: string | null;
}

const states = [
  ...['queued', 'sending', 'sent', 'delivered', 'undelivered', 'expired', 'failed'],
  ...['unconfirmed', 'uncertain', 'held', 'canceled', 'received', 'refused'],
];

/**
 * The search word for a state whose badge has another label: the same in every language, so that links keep their
 * meaning.
 */
const searched: Readonly<Record<string, string>> = {
  sent: 'sent-to-carrier',
  failed: 'not-sent',
  unconfirmed: 'no-receipt',
};

function stateValue(state: string): SearchValue {
  const value = searched[state] ?? state;
  return { value, shown: statusWord(state), technical: value === state ? null : state };
}

export const searchValues: Readonly<Record<string, readonly SearchValue[]>> = {
  status: states.map(stateValue),
  type: ['sms', 'mms'].map((value) => ({ value, shown: value.toUpperCase(), technical: null })),
  direction: [
    { value: 'outbound', shown: labels.outbound, technical: 'sent' },
    { value: 'inbound', shown: labels.inbound, technical: 'received' },
  ],
};

const typedForm = /(?:^|\s)([a-z]+):(?:"([^"]*)|([\w-]*))$/i;

/** The values that match the start of one at the end of the query, by either word. */
export function offeredValues(query: string, more: Offered = {}): readonly SearchValue[] {
  const [, name = '', quoted, bare = ''] = typedForm.exec(query) ?? [];
  const begin = (quoted ?? bare).toLowerCase();
  const list = listOf(searchValues, name.toLowerCase()) ?? listOf(more, name.toLowerCase()) ?? [];
  // A complete value needs no suggestion.
  if (list.some(({ value, technical }) => value.toLowerCase() === begin || technical?.toLowerCase() === begin))
    return [];
  return list.filter(({ value, technical }) => beginsWith(value, begin) || beginsWith(technical ?? '', begin));
}

/** Values that depend on the company or the gateway, by the name of their search word. */
export type Offered = Readonly<Record<string, readonly SearchValue[]>>;

function listOf(lists: Offered, name: string): readonly SearchValue[] | undefined {
  return Object.hasOwn(lists, name) ? lists[name] : undefined;
}

/** Whether the value, or one of its words, begins so. */
function beginsWith(value: string, begin: string): boolean {
  const text = value.toLowerCase().replace(/^"/, '');
  return text.startsWith(begin) || text.includes(`_${begin}`) || text.includes(` ${begin}`);
}

/** The values of `key:`; a name of several words is put in quotation marks. */
export function keyValues(keys: readonly { keyId: string; name: string }[]): SearchValue[] {
  return keys.map(({ keyId, name }) => {
    const value = /[",]/.test(name) ? keyId : /\s/.test(name) ? `"${name}"` : name;
    return { value, shown: name, technical: value === keyId ? null : keyId };
  });
}

export function reasonValues(reasons: readonly { code: string; title: string }[]): SearchValue[] {
  const titles = new Map(reasons.map(({ code, title }) => [code, title]));
  return [...titles].map(([code, title]) => ({ value: code, shown: title, technical: null }));
}

/** The query with the value being typed replaced by this one. */
export function withValue(query: string, value: string): string {
  return query.replace(/:(?:"[^"]*|[\w-]*)$/, () => `:${value}`);
}

/** Fields of the form, in its order. */
export const formFields = [
  ...(['to', 'from', 'status', 'direction', 'type', 'text', 'reason', 'ref', 'key', 'after', 'before'] as const),
] as const;
export type FormField = (typeof formFields)[number];
export type FormValues = Partial<Record<FormField, string>>;

const wordForm = /^([A-Za-z]+):"?([^"]*)"?$/;

function partsOf(word: string): { field: FormField | null; value: string } {
  const [, name = '', value = ''] = wordForm.exec(word) ?? [];
  const field = formFields.find((one) => one === name.toLowerCase()) ?? null;
  return { field, value };
}

/** The values of a search that the form can show: the first one for each field. */
export function formValuesOf(query: string): FormValues {
  const values: FormValues = {};
  for (const word of searchWords(query)) {
    const { field, value } = partsOf(word);
    if (field !== null && values[field] === undefined) values[field] = seen(field, value);
  }
  return values;
}

/** The word on the screen for a technical one. */
function seen(field: FormField, value: string): string {
  return searchValues[field]?.find(({ technical }) => technical === value.toLowerCase())?.value ?? value;
}

/** The search with the form's values in place of its own; words unknown to the form stay. */
export function withFormValues(query: string, values: FormValues): string {
  const before = formValuesOf(query);
  const others = searchWords(query).filter((word) => {
    const { field, value } = partsOf(word);
    // If there are several of one kind, the form shows and changes the first.
    return field === null || seen(field, value) !== before[field];
  });
  const own = formFields.flatMap((field) => {
    const value = (values[field] ?? '').replaceAll('"', '').trim();
    return value === '' ? [] : [`${field}:${/\s/.test(value) || field === 'text' ? `"${value}"` : value}`];
  });
  return [...others, ...own].join(' ');
}

function shownOf(known: readonly SearchValue[], word: string): string {
  return known.find(({ value, technical }) => value === word || technical === word)?.shown ?? word;
}

const momentForm = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/;

/** A search word in plain words; null for an unknown one. `moment` formats a time. */
export function chipText(word: string, moment: (at: string) => string = (at) => at): string | null {
  const { field, value } = partsOf(word);
  if (field === null || value === '') return null;
  if ((field === 'after' || field === 'before') && momentForm.test(value) && !Number.isNaN(Date.parse(value)))
    return (field === 'after' ? labels.since : labels.until)(moment(value));
  const known = searchValues[field];
  const shown = known === undefined ? [value] : value.split(',').map((one) => shownOf(known, one.toLowerCase()));
  return `${labels.fields[field]}: ${shown.join(', ')}`;
}
