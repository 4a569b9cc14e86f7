/**
 * Turns a carrier entry into a record: reads passwords and PEM files, seals secrets. An unchanged secret keeps its
 * sealed form.
 */
import type { CarrierKind } from '../../carriers/kind.ts';
import { kindOf } from '../../carriers/kinds.ts';
import { certificatesProblem, clientKeyProblem } from '../../carriers/pem.ts';
import { isSecret, type Setting, setAt, settingAt } from '../../carriers/setting.ts';
import { secretsOf } from '../../carriers/settings.ts';
import { carrierSecretPlace } from '../../kernel/sealed-place.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { CarrierProfile, CarrierRecord } from '../../model/records.ts';
import { sealOrKeep } from './carrier-secrets.ts';
import type { CarrierEntry } from './entries.ts';
import type { RecordLists } from './kinds.ts';
import { sandboxCarrierIds } from './sandbox-records.ts';

/** Reports one fault of the entry, with its field if known. */
export type ReportProblem = (problem: string, field?: string) => void;

export interface CarrierParts {
  onRecord: RecordLists;
  sealer: Sealer;
  /** The text of a file that the entry names; undefined when it cannot be read. */
  readText(file: string): string | undefined;
  /** The variables for `passwordEnv`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Re-encrypts stored secrets that cannot be decrypted, instead of reporting a problem. */
  reseal: boolean;
}

// A file can only name live carriers: sandbox messages must never reach one.
const environment = 'live';

/** Null when the id is invalid. A missing secret does not discard the rest: one fault gives one problem. */
export function resolveCarrier(entry: CarrierEntry, parts: CarrierParts, report: ReportProblem): CarrierRecord | null {
  const { id, kind: name, enabled } = entry;
  if (sandboxCarrierIds.includes(id)) {
    report('this id is a simulated carrier of the sandbox, which the gateway keeps itself; choose another', 'id');
    return null;
  }
  const earlier = parts.onRecord.carriers.find((carrier) => carrier.carrierId === id);
  if (earlier !== undefined && earlier.kind !== name) {
    report(`its kind is ${earlier.kind} for good; give the ${name} carrier another id`, 'id');
    return null;
  }
  const record = { carrierId: id, environment, name: entry.name ?? id, kind: name, enabled } as const;
  const kind = kindOf(record);
  const profile: Record<string, unknown> = {};
  for (const setting of kind.settings) {
    const value = valueFor(setting, entry, kind, parts, report);
    if (value !== undefined) setAt(profile, setting.name, value);
  }
  const sealed = earlier === undefined ? {} : secretsOf(earlier);
  for (const { name: field } of kind.settings.filter(isSecret)) {
    const place = carrierSecretPlace(id, `${name}.${field}`);
    setAt(profile, field, sealOrKeep(settingAt(profile, field) as string, sealed[field], place, parts));
  }
  return { ...record, [name]: kind.complete(profile as unknown as CarrierProfile) } as CarrierRecord;
}

/** The entry's value of a setting, secrets in plain text; undefined when there is none. */
function valueFor(
  setting: Setting,
  entry: CarrierEntry,
  kind: CarrierKind,
  parts: CarrierParts,
  report: ReportProblem,
): unknown {
  switch (setting.type) {
    case 'value':
      return settingAt(entry, setting.name);
    case 'password':
      return passwordOf(setting, entry, parts, report);
    case 'certificates':
      return hasHalfOf(setting.name, entry, kind) ? '' : certificatesOf(setting.name, entry, parts, report);
    case 'privateKey':
      return privateKeyOf(setting, entry, parts, report);
  }
}

/** If a certificate's key is not named, that is reported with the key, and the certificate is not checked. */
function hasHalfOf(certificate: string, entry: CarrierEntry, { settings }: CarrierKind): boolean {
  const key = settings.find((one) => one.type === 'privateKey' && one.certificate === certificate);
  return key !== undefined && fileOf(entry, certificate) !== undefined && fileOf(entry, key.name) === undefined;
}

function fileOf(entry: CarrierEntry, name: string): string | undefined {
  return settingAt(entry, `${name}File`) as string | undefined;
}

/** '' when it cannot be read (already reported), and when it has no login name. */
function passwordOf(
  { name, login, charactersMax }: Extract<Setting, { type: 'password' }>,
  entry: CarrierEntry,
  parts: CarrierParts,
  report: ReportProblem,
): string {
  const fields = [name, `${name}File`, `${name}Env`];
  const [password, file, variable] = fields.map((field) => settingAt(entry, field) as string | undefined);
  const count = [password, file, variable].filter((source) => source !== undefined).length;
  if (login !== undefined && (settingAt(entry, login) ?? '') === '') {
    if (count > 0) report(`it has "${name}" and no "${login}"; allowed: both or neither`, login);
    return '';
  }
  if (count !== 1) {
    report(
      `it has ${count} ${name}s; allowed: one of ${fields.map((field) => JSON.stringify(field)).join(', ')}`,
      name,
    );
    return '';
  }
  if (password !== undefined) return password;
  const found = variable !== undefined ? parts.env[variable] : parts.readText(file!)?.replace(/\r?\n$/, '');
  if (found !== undefined && found.length <= charactersMax && /^[ -~]+$/.test(found)) return found;
  const where = variable !== undefined ? `the variable ${variable}` : `the file ${file}`;
  const what =
    found === undefined
      ? 'is not there or cannot be read'
      : `holds no password of 1 to ${charactersMax} ASCII characters`;
  report(`${where} ${what}`);
  return '';
}

/** Certificate and key are one login: both or neither, and matching. */
function privateKeyOf(
  { name, certificate }: Extract<Setting, { type: 'privateKey' }>,
  entry: CarrierEntry,
  parts: CarrierParts,
  report: ReportProblem,
): string {
  if ((fileOf(entry, certificate) === undefined) !== (fileOf(entry, name) === undefined)) {
    report(`it has only one of "${certificate}File" and "${name}File"; allowed: both or neither`, `${name}File`);
    return '';
  }
  // Faults of the certificate are already reported.
  const shown = certificatesOf(certificate, entry, parts, () => {});
  return pemOf(name, entry, (text) => clientKeyProblem(text, shown), parts, report);
}

/** The certificates of a PEM file as text; '' without a file, and when they cannot be read (already reported). */
function certificatesOf(name: string, entry: CarrierEntry, parts: CarrierParts, report: ReportProblem): string {
  return pemOf(name, entry, certificatesProblem, parts, report);
}

function pemOf(
  name: string,
  entry: CarrierEntry,
  problemOf: (text: string) => string | null,
  parts: CarrierParts,
  report: ReportProblem,
): string {
  const file = fileOf(entry, name);
  if (file === undefined) return '';
  const text = parts.readText(file);
  const problem = text === undefined ? 'is not there or cannot be read' : problemOf(text);
  if (problem === null) return text!.trim();
  report(`${name}File: the file ${file} ${problem}`, `${name}File`);
  return '';
}
