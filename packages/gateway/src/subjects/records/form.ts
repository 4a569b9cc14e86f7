/**
 * Applies portal forms to records by the rules of a records file: only changed fields, secrets and PEM texts in plain
 * text, empty = unchanged. A form can never name a file or variable of the machine.
 */
import { carrierKinds, defaultKind, kindNamed } from '../../carriers/kinds.ts';
import { dropAt, fileFields, isSecret, type Setting, setAt, settingAt } from '../../carriers/setting.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { AlertRule } from '../../model/alert.ts';
import { type Account, type CarrierRecord, noRecords, type Route } from '../../model/records.ts';
import { asFields, knownFields, openedOrEmpty, pemFields } from './carrier-entry.ts';
import { carrierWarnings } from './carrier-warnings.ts';
import { crossCheck } from './cross-check.ts';
import { type Fields, type RecordLists, withRecords } from './kinds.ts';
import { knownEntry } from './merge.ts';
import { checkFile } from './read-file.ts';
import { resolveAccount, resolveAlert, resolveRoute } from './resolve.ts';
import { resolveCarrier } from './resolve-carrier.ts';

/** A valid record, or the faults by field (`form` for the whole form). */
export type Judged<T> =
  | { ok: true; record: T; warnings: string[] }
  | { ok: false; fields: Readonly<Record<string, string>> };

/** Fields of a records file that name a file or variable of the machine. */
const machineFields: ReadonlySet<string> = new Set(
  carrierKinds.flatMap(({ settings }) =>
    settings.flatMap((setting) => fileFields(setting).flatMap(([name]) => (name === setting.name ? [] : [name]))),
  ),
);

export function judgeCarrier(
  form: Fields,
  { onRecord, sealer }: { onRecord: RecordLists; sealer: Sealer },
): Judged<CarrierRecord> {
  const earlier = onRecord.carriers.find(({ carrierId }) => carrierId === form.id);
  const faults: Record<string, string> = {};
  for (const field of Object.keys(form).flatMap((name) => [name, ...innerFields(form, name)])) {
    if (machineFields.has(field)) faults[field] = 'This stands in records files only; give the text itself here.';
  }
  if (Object.keys(faults).length > 0) return { ok: false, fields: faults };
  const { entry, texts } = carrierEntry(form, earlier === undefined ? undefined : openedOrEmpty(earlier, sealer));
  const missing = missingPasswords(entry);
  const checked = checkFile({ carriers: [entry] });
  if (!checked.ok) return { ok: false, fields: { ...missing, ...sentences(checked.problems) } };
  const record = resolveCarrier(
    checked.file.carriers[0]!,
    { onRecord, sealer, env: {}, reseal: false, readText: (name) => texts[name] },
    (problem, field = 'form') => {
      faults[field.replace(/File$/, '')] ??= asSentence(problem.replace(/^\w+: the file \w+ /, 'this text '));
    },
  );
  const fields = { ...faults, ...missing };
  if (record === null || Object.keys(fields).length > 0) return { ok: false, fields };
  return withOthers('carriers', record, onRecord, carrierWarnings(record));
}

export function judgeAlert(form: Fields, onRecord: RecordLists): Judged<AlertRule> {
  const earlier = onRecord.alerts.find(({ alertId }) => alertId === form.id);
  const known = earlier === undefined ? {} : knownEntry('alerts', asFields(earlier));
  const checked = checkFile({ alerts: [{ ...known, ...withoutUndefined(form) }] });
  if (!checked.ok) return { ok: false, fields: sentences(checked.problems) };
  return withOthers('alerts', resolveAlert(checked.file.alerts[0]!), onRecord, []);
}

export function judgeRoute(form: Fields, onRecord: RecordLists): Judged<Route> {
  const earlier = onRecord.routes.find(({ routeId }) => routeId === form.id);
  const known = earlier === undefined ? {} : knownEntry('routes', asFields(earlier));
  const checked = checkFile({ routes: [{ ...known, ...form }] });
  if (!checked.ok) return { ok: false, fields: sentences(checked.problems) };
  return withOthers('routes', resolveRoute(checked.file.routes[0]!), onRecord, []);
}

/** Fields that only the portal has keep their stored values. */
export function judgeAccount(form: Fields, onRecord: RecordLists): Judged<Account> {
  const earlier = onRecord.accounts.find(({ accountId }) => accountId === form.id);
  const known = earlier === undefined ? {} : knownEntry('accounts', asFields(earlier));
  const checked = checkFile({ accounts: [{ ...known, ...withoutUndefined(form) }] });
  if (!checked.ok) return { ok: false, fields: sentences(checked.problems) };
  return withOthers('accounts', resolveAccount(checked.file.accounts[0]!, earlier), onRecord, []);
}

/** Cross-record rules: report only faults of this record, not earlier ones. */
function withOthers<T>(
  list: 'accounts' | 'carriers' | 'routes' | 'alerts',
  record: T,
  onRecord: RecordLists,
  warnings: string[],
): Judged<T> {
  const before = new Set(crossCheck(onRecord));
  const after = crossCheck(withRecords(onRecord, { ...noRecords(), [list]: [record] }));
  const problems = after
    .filter((problem) => !before.has(problem))
    .map((problem) => asSentence(withoutSubject(problem)));
  return problems.length === 0 ? { ok: true, record, warnings } : { ok: false, fields: { form: problems.join(' ') } };
}

/**
 * The stored record with the form's changes, as an entry of a records file; PEM texts are passed separately, under file
 * names.
 */
function carrierEntry(
  form: Fields,
  earlier: CarrierRecord | undefined,
): { entry: Fields; texts: Fields & Record<string, string> } {
  const isOther = earlier === undefined || (form.kind !== undefined && form.kind !== earlier.kind);
  const known = isOther ? {} : knownFields(earlier);
  const merged: Record<string, unknown> = { ...known, ...form };
  const settings = settingsOf(merged.kind);
  for (const outer of new Set(
    settings.filter(({ name }) => name.includes('.')).map(({ name }) => name.split('.')[0]!),
  )) {
    const inside = { ...asFields(known[outer]), ...asFields(form[outer]) };
    if (Object.keys(inside).length > 0) merged[outer] = inside;
  }
  for (const setting of settings) applySecret(setting, merged, known);
  const texts: Record<string, string> = {};
  for (const name of pemFields) {
    const text = merged[name];
    delete merged[name];
    if (typeof text !== 'string' || text === '') continue;
    texts[name] = text;
    merged[`${name}File`] = name;
  }
  return { entry: merged, texts };
}

/**
 * An empty secret means the stored one. A login without a name has no password, and without a certificate there is no
 * key.
 */
function applySecret(setting: Setting, merged: Record<string, unknown>, known: Fields): void {
  const { name, type } = setting;
  if (!isSecret(setting)) return;
  const kept = settingAt(known, name);
  if (settingAt(merged, name) === '') {
    if (kept === undefined) dropAt(merged, name);
    else setAt(merged, name, kept);
  }
  if (type === 'password' && !isNeeded(setting, merged) && settingAt(merged, name) !== undefined) dropAt(merged, name);
  if (type === 'privateKey' && settingAt(merged, setting.certificate) === '') setAt(merged, name, '');
}

/** Whether the password has a login. */
function isNeeded({ login }: Extract<Setting, { type: 'password' }>, entry: Fields): boolean {
  return login === undefined || (settingAt(entry, login) ?? '') !== '';
}

function missingPasswords(entry: Fields): Record<string, string> {
  const missing = settingsOf(entry.kind).filter(
    (setting) =>
      setting.type === 'password' && isNeeded(setting, entry) && settingAt(entry, setting.name) === undefined,
  );
  return Object.fromEntries(missing.map(({ name }) => [name, 'Write the password that belongs to this name.']));
}

/** Empty for an unknown kind. */
function settingsOf(kind: unknown): readonly Setting[] {
  return (kind === undefined ? defaultKind : kindNamed(kind))?.settings ?? [];
}

function sentences(problems: readonly { field: string; plain: string }[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { field, plain } of problems) {
    // A fault in an element of a list is shown at the list.
    fields[field.replace(/\[\d+\].*$/, '') || 'form'] ??= plain;
  }
  return fields;
}

function asSentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

function withoutSubject(problem: string): string {
  return problem.replace(/^(account|route|carrier|alert) \S+: /, '');
}

function innerFields(form: Fields, outer: string): string[] {
  return Object.keys(asFields(form[outer])).map((name) => `${outer}.${name}`);
}

function withoutUndefined(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
