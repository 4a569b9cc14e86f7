/**
 * Records as forms of the portal hand them in, held to the same rules as a records file: `id` and fields as they stand
 * there, only those that change; secrets and PEM texts in plain, empty = as on record. No form ever names a file or a
 * variable of the machine. Writes nothing, and never tells a secret.
 */
import { carrierSettings } from '../domain/carrier-settings.ts';
import type { Account, CarrierRecord, Route } from '../domain/records.ts';
import { type Sealer, SealingRefused } from '../sealing.ts';
import { unsealedCarrier } from './carrier-secrets.ts';
import { carrierWarnings } from './carrier-warnings.ts';
import { crossCheck } from './cross-check.ts';
import { type Fields, noRecords, type RecordLists, withRecords } from './kinds.ts';
import { checkFile } from './read-file.ts';
import { resolveAccount, resolveRoute } from './resolve.ts';
import { resolveCarrier } from './resolve-carrier.ts';

/** A record that may be written, or what is wrong, field by field (`form` for all of it). */
export type Judged<T> =
  | { ok: true; record: T; warnings: string[] }
  | { ok: false; fields: Readonly<Record<string, string>> };

const pemFields = ['caCertificate', 'clientCertificate', 'clientKey'] as const;
/** Fields of a records file that name something of the machine. */
const machineField = /^(inbound\.)?(passwordFile|passwordEnv)$|CertificateFile$|KeyFile$/;

export function judgeCarrier(
  form: Fields,
  { onRecord, sealer }: { onRecord: RecordLists; sealer: Sealer },
): Judged<CarrierRecord> {
  const earlier = onRecord.carriers.find(({ carrierId }) => carrierId === form.id);
  const faults: Record<string, string> = {};
  for (const field of [...Object.keys(form), ...innerFields(form.inbound)]) {
    if (machineField.test(field)) faults[field] = 'This stands in records files only; give the text itself here.';
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

export function judgeRoute(form: Fields, onRecord: RecordLists): Judged<Route> {
  const earlier = onRecord.routes.find(({ routeId }) => routeId === form.id);
  const { routeId: _, carrierIds, campaignId = null, ...rest } = earlier ?? ({} as Route);
  const known = earlier === undefined ? {} : { ...rest, campaign: campaignId, carriers: carrierIds };
  const checked = checkFile({ routes: [{ ...known, ...form }] });
  if (!checked.ok) return { ok: false, fields: sentences(checked.problems) };
  return withOthers('routes', resolveRoute(checked.file.routes[0]!), onRecord, []);
}

/** Fields that only the portal knows stay as they are on record. */
export function judgeAccount(form: Fields, onRecord: RecordLists): Judged<Account> {
  const earlier = onRecord.accounts.find(({ accountId }) => accountId === form.id);
  const known = Object.fromEntries(accountFields.map((name) => [name, earlier?.[name]]));
  const checked = checkFile({ accounts: [withoutUndefined({ ...known, ...form })] });
  if (!checked.ok) return { ok: false, fields: sentences(checked.problems) };
  const { quietHours: _, ...rest } = earlier ?? ({} as Partial<Account>);
  return withOthers('accounts', { ...rest, ...resolveAccount(checked.file.accounts[0]!, earlier) }, onRecord, []);
}

const accountFields = [
  ...(['name', 'status', 'destinations', 'uncertainPolicy', 'smartEncoding', 'mmsFallback'] as const),
  ...(['requestsPerSecond', 'supportContact', 'rates'] as const),
];

/** The rules between records: only what this record breaks is told, not what was broken before. */
function withOthers<T>(
  list: 'accounts' | 'carriers' | 'routes',
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

/** What is on record with the form over it, as an entry of a records file; PEM texts stand beside it under file names. */
function carrierEntry(
  form: Fields,
  earlier: CarrierRecord | undefined,
): { entry: Fields; texts: Fields & Record<string, string> } {
  const isOther = earlier === undefined || (form.kind !== undefined && form.kind !== earlier.kind);
  const known = isOther ? {} : knownFields(earlier);
  const inbound = { ...asFields(known.inbound), ...withoutEmpty(asFields(form.inbound), ['password']) };
  const merged: Record<string, unknown> = { ...known, ...withoutEmpty(form, ['password', 'clientKey']) };
  if (Object.keys(inbound).length > 0) merged.inbound = inbound;
  dropUnusedPassword(merged, merged.kind);
  if (merged.kind === 'mm7') dropUnusedPassword(inbound, merged.kind);
  // The key belongs to its certificate: without one there is none.
  if (merged.clientCertificate === '') merged.clientKey = '';
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

/** A login without a name has no password; one that is still on record goes with its name. */
function dropUnusedPassword(login: Record<string, unknown>, kind: unknown): void {
  if (kind !== 'smpp' && kind !== undefined && (login.username ?? '') === '') delete login.password;
}

function knownFields(record: CarrierRecord): Record<string, unknown> {
  const { carrierId: id, kind, name, enabled } = record;
  const { settings } = carrierSettings(record);
  const secrets =
    record.kind === 'mm7'
      ? { password: record.mm7.password, clientKey: record.mm7.clientKey }
      : { password: record.kind === 'smpp' ? record.smpp.password : record.mm4.password };
  const inbound = record.kind === 'mm7' ? { inbound: withoutEmpty({ ...record.mm7.inbound }, ['password']) } : {};
  return withoutEmpty({ id, kind, name, enabled, ...settings, ...inbound, ...secrets }, ['password']);
}

function missingPasswords(entry: Fields): Record<string, string> {
  const missing = 'Write the password that belongs to this name.';
  const inbound = asFields(entry.inbound);
  const isSmpp = entry.kind === undefined || entry.kind === 'smpp';
  return {
    ...((isSmpp || (entry.username ?? '') !== '') && entry.password === undefined && { password: missing }),
    ...((inbound.username ?? '') !== '' && inbound.password === undefined && { 'inbound.password': missing }),
  };
}

/** The secrets in plain; those that do not open are gone, and must be given anew. */
function openedOrEmpty(record: CarrierRecord, sealer: Sealer): CarrierRecord {
  const open = (sealed: string): string => {
    try {
      return sealer.open(sealed);
    } catch (error) {
      if (error instanceof SealingRefused) return '';
      throw error;
    }
  };
  return unsealedCarrier(record, { ...sealer, open });
}

function sentences(problems: readonly { field: string; plain: string }[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { field, plain } of problems) {
    // An element of a list is shown at the list.
    fields[field.replace(/\[\d+\].*$/, '') || 'form'] ??= plain;
  }
  return fields;
}

function asSentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

function withoutSubject(problem: string): string {
  return problem.replace(/^(account|route|carrier) \S+: /, '');
}

function asFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function innerFields(value: unknown): string[] {
  return Object.keys(asFields(value)).map((name) => `inbound.${name}`);
}

function withoutEmpty(fields: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !(names.includes(name) && value === '')));
}

function withoutUndefined(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
