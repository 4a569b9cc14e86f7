/** The shape of an answer: names of fields and types of values, without the values that change from run to run. */
import type { Answer } from '../props/sandbox.ts';

type Fields = Record<string, unknown>;

/** Field names that belong to this run: ids, numbers, dates, positions. */
const ownName = /^(?:[a-z]{2,4}_[0-9A-Za-z]{10,26}|\d+|\d{4}-\d\d-\d\d.*|.*\d{7,}.*)$/;

/**
 * An audit entry holds the changed record before and after. Which records these are varies, because refusals are logged
 * late.
 */
const auditedRecords = ['before', 'after'];

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** `"string"`, `"null"` …; a list is `{ "[]": shape of its elements }`. */
export function shapeOf(value: unknown, looksIntoLists = true): unknown {
  if (Array.isArray(value))
    return looksIntoLists ? { '[]': value.map((one) => shapeOf(one)).reduce(merged, 'nothing') } : 'list';
  if (value === null) return 'null';
  if (!isFields(value)) return typeof value;
  const shape: Fields = {};
  const isChange = 'before' in value && 'after' in value;
  for (const [name, field] of Object.entries(value)) {
    const shown = ownName.test(name) ? '<id>' : name;
    const inside = isChange && auditedRecords.includes(name) ? 'a record' : shapeOf(field, looksIntoLists);
    shape[shown] = shown in shape ? merged(shape[shown], inside) : inside;
  }
  return sorted(shape);
}

/** The common shape of two: `null | string`; a field that one of them lacks becomes `name?`. */
function merged(one: unknown, other: unknown): unknown {
  if (one === 'nothing' || JSON.stringify(one) === JSON.stringify(other)) return other;
  if (isFields(one) && isFields(other)) return mergedFields(one, other);
  if (isFields(one) || isFields(other)) {
    const [fields, plain] = isFields(one) ? [one, other] : [other as Fields, one];
    const or = 'or' in fields ? merged(fields.or, plain) : plain;
    return sorted({ ...fields, or });
  }
  const types = new Set(`${one} | ${other}`.split(' | ').filter((type) => type !== 'nothing'));
  return [...types].sort().join(' | ');
}

function mergedFields(one: Fields, other: Fields): Fields {
  const plain = (name: string) => name.replace(/\?$/, '');
  const names = new Set([...Object.keys(one), ...Object.keys(other)].map(plain));
  const both = [...names].map((name): [string, unknown] => {
    const [mine, its] = [one, other].map((fields) => fields[name] ?? fields[`${name}?`]);
    if (mine === undefined || its === undefined) return [name === 'or' ? name : `${name}?`, mine ?? its];
    return [`${name}?` in one || `${name}?` in other ? `${name}?` : name, merged(mine, its)];
  });
  return sorted(Object.fromEntries(both));
}

/** Sorts names at every level, so that their order in the source makes no difference. Lists keep their order. */
export function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T;
  if (!isFields(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])])) as T;
}

/**
 * Status and reason of a refusal; the whole shape of an answer. Lists in the answer to a change depend on how far
 * earlier changes have come, so `looksIntoLists` is for reads.
 */
export function answerShape({ status, headers, text, json }: Answer, looksIntoLists = true): unknown {
  if (status >= 400) return `${status} ${json?.reason ?? ''}`.trim();
  const type = headers.get('content-type') ?? '';
  if (json !== null) return { status, body: shapeOf(json, looksIntoLists) };
  if (type.startsWith('text/csv')) return { status, type, columns: text.replace(/^\uFEFF/, '').split(/\r?\n/)[0] };
  const isLines = type.includes('ndjson') || type.includes('jsonl');
  if (isLines)
    return {
      status,
      type,
      line: text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => shapeOf(JSON.parse(line)))
        .reduce(merged, 'nothing'),
    };
  return { status, type };
}
