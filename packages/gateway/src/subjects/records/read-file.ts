/**
 * Parses a records file into entries, or into a list of problems, one line each: where, what was found, what is
 * allowed. Secret values are never shown.
 */
import { isUtf8 } from 'node:buffer';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isAddressOrBlock } from '../../kernel/address.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Property } from '../../kernel/property.ts';
import { hostName } from '../../kernel/setting.ts';
import { isTimeZone } from '../../model/company.ts';
import { isKnownCountry } from '../../model/country.ts';
import { isUsableCredential } from '../../model/credential.ts';
import { isSender } from '../../model/number.ts';
import { isDay } from '../../model/usage.ts';
import type { RecordsFile } from './entries.ts';
import { fileSchema } from './file-schema.ts';
import { firstJsonProblem } from './json-problem.ts';

export type ParseResult = { ok: true; content: unknown } | { ok: false; problems: string[] };
export type ReadResult = { ok: true; file: RecordsFile } | { ok: false; problems: string[] };

/** One fault in a file. */
export interface FileProblem {
  /** `numbers[2] (12025550111): `; '' when it concerns the whole file. */
  entry: string;
  /** The field within the entry, nested ones with dots; '' when it concerns the whole entry. */
  field: string;
  /** What was found, and what is allowed. */
  text: string;
  /** The same for a person who fills in a form, which shows the field's label: a whole sentence. */
  plain: string;
}

const shownCharactersMax = 60;

/** Compiles the schema at the first file: that takes longer than opening the store. */
function compileSchema(): ValidateFunction<RecordsFile> {
  // A test checks that the schema is valid, so that no start pays for it.
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    verbose: true,
    allowUnionTypes: true,
    validateSchema: false,
  });
  ajv.addVocabulary(['allowed', 'secret', 'plain']);
  ajv.addFormat('sending-number', isSender);
  ajv.addFormat('country', (text) => text === '*' || isKnownCountry(text));
  ajv.addFormat('address', isAddressOrBlock);
  ajv.addFormat('host', (text) => hostName.parse(text) !== undefined);
  ajv.addFormat('credential', isUsableCredential);
  ajv.addFormat('carrier-url', (text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '';
  });
  ajv.addFormat('day', isDay);
  ajv.addFormat('time-zone', isTimeZone);
  ajv.addFormat(
    'moment',
    (text) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  );
  return ajv.compile<RecordsFile>(fileSchema);
}

let validate: ValidateFunction<RecordsFile> | undefined;

/** The parsed file, not yet validated. */
export function parseRecordsFile(bytes: Buffer): ParseResult {
  if (!isUtf8(bytes)) return refused('the file is not UTF-8 text');
  // Editors on Windows begin a file with a byte order mark, which JSON does not allow.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const problem = firstJsonProblem(text);
  if (problem !== null) {
    const what = problem.kind === 'syntax' ? 'is not valid JSON' : 'has a field for the second time';
    return refused(`the file ${what} at line ${problem.line}, column ${problem.column}`);
  }
  return { ok: true, content: JSON.parse(text) };
}

/** The file's entries, completed and validated by the schema. */
export function readEntries(content: unknown): ReadResult {
  const checked = checkFile(content);
  if (!checked.ok) {
    return { ok: false, problems: [...new Set(checked.problems.map((problem) => problem.entry + problem.text))] };
  }
  const problems = [...repeatedIds(checked.file)];
  return problems.length === 0 ? checked : { ok: false, problems };
}

/** Validates the parsed file by the schema, and fills in the defaults. */
export function checkFile(file: unknown): { ok: true; file: RecordsFile } | { ok: false; problems: FileProblem[] } {
  validate ??= compileSchema();
  if (validate(file)) return { ok: true, file };
  // `if` only says that some rule of the kind failed; each is reported separately.
  const broken = validate.errors!.filter((error) => error.keyword !== 'if');
  return { ok: false, problems: broken.map((error) => describe(error, file)) };
}

function refused(problem: string): ParseResult {
  return { ok: false, problems: [problem] };
}

function describe(error: ErrorObject, file: unknown): FileProblem {
  const schema = error.parentSchema as Property;
  const where = placeOf(error.instancePath, file);
  const { entry } = where;
  if (error.keyword === 'additionalProperties') {
    const unknownField: string = error.params.additionalProperty;
    const known = Object.keys(schema.properties as object);
    const near = nearest(unknownField, known);
    const hint = near === null ? `allowed: ${known.join(', ')}` : `did you mean ${shown(where.field + near)}?`;
    const field = where.field + unknownField;
    const text = `unknown field ${shown(field)}; ${hint}`;
    return { entry, field, text, plain: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
  }
  if (error.keyword === 'required') {
    const missing: string = error.params.missingProperty;
    const absent = (schema.properties as Record<string, Property>)[missing]!;
    const field = where.field + missing;
    return {
      entry,
      field,
      text: `${shown(field)} is missing; allowed: ${absent.allowed}`,
      plain: plainWords(absent, undefined),
    };
  }
  const seen = schema.secret === true ? 'something else (not shown)' : shown(error.data);
  const field = where.field.slice(0, -1);
  const subject = field || (entry === '' ? 'the file' : 'this entry');
  const text = `${subject} is ${seen}; allowed: ${schema.allowed}`;
  return { entry, field, text, plain: plainWords(schema, error.data) };
}

/** How to correct a value, without showing it; `undefined` and '' are empty fields. */
function plainWords({ allowed, plain, type, enum: words }: Property, value: unknown): string {
  const isList = type === 'array';
  if (!isList && (value === undefined || value === '')) return 'Fill this in.';
  if (plain !== undefined) return plain;
  if (isList && (value === undefined || (Array.isArray(value) && value.length === 0))) return 'Choose at least one.';
  return words !== undefined || type === 'boolean' ? `Choose one of these: ${allowed}.` : `Write ${allowed}.`;
}

/** `/numbers/2/smsEnabled` → entry `numbers[2] (12025550111): `, field `smsEnabled.`. */
function placeOf(pointer: string, file: unknown): { entry: string; field: string } {
  const [, list, index, ...rest] = pointer.split('/');
  if (list === undefined) return { entry: '', field: '' };
  if (index === undefined) return { entry: '', field: `${list}.` };
  const entry = (file as Record<string, Record<string, unknown>[]>)[list]?.[Number(index)];
  const name = typeof entry === 'object' && entry !== null ? (entry.id ?? entry.number) : undefined;
  const field = rest.map((part, i) => (/^\d+$/.test(part) ? `[${part}]` : `${i === 0 ? '' : '.'}${part}`)).join('');
  const who = typeof name === 'string' ? ` (${cut(name)})` : '';
  return { entry: `${list}[${index}]${who}: `, field: field === '' ? '' : `${field}.` };
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
}

function* repeatedIds(file: RecordsFile): Generator<string> {
  const { confirm: _, ...lists } = file;
  for (const [list, entries] of Object.entries(lists)) {
    const first = new Map<string, number>();
    for (const [index, entry] of (entries as { id?: string; number?: string }[]).entries()) {
      const id = list === 'numbers' ? entry.number! : entry.id!;
      const earlier = first.get(id);
      if (earlier === undefined) first.set(id, index);
      else yield `${list}[${index}] (${id}): this one is in the file already, as ${list}[${earlier}]`;
    }
  }
}
