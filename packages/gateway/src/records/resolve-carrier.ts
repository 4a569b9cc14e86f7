/**
 * From the entry of a carrier in a records file to its record: passwords and PEM files are read, secrets sealed. A secret
 * that is on record already and has not changed is kept as it is sealed there. Writes nothing, and never tells a secret.
 */
import { mm7Dialect } from '@heliograph/mms';
import type { CarrierRecord, Mm4CarrierRecord, Mm7CarrierRecord, SmppCarrierRecord } from '../domain/records.ts';
import type { Sealer } from '../sealing.ts';
import { mmsPasswordCharactersMax, smppPasswordCharactersMax } from './carrier-schema.ts';
import { sealOrKeep } from './carrier-secrets.ts';
import type { CarrierEntry, Mm4CarrierEntry, Mm7CarrierEntry, PasswordSource, SmppCarrierEntry } from './entries.ts';
import type { RecordLists } from './kinds.ts';
import { certificatesProblem, clientKeyProblem } from './pem.ts';
import { sandboxCarrierIds } from './sandbox-records.ts';

/** Says one thing that is wrong with the entry, and with which field of it where that is known. */
export type Say = (problem: string, field?: string) => void;

export interface CarrierParts {
  onRecord: RecordLists;
  sealer: Sealer;
  /** What a file that the entry names holds; undefined when it cannot be read. */
  readText(file: string): string | undefined;
  /** Where `passwordEnv` is looked up. */
  env: Readonly<Record<string, string | undefined>>;
  /** Secrets on record that do not open are sealed anew instead of being a problem. */
  reseal: boolean;
}

/** Null when the id cannot be taken. A secret that cannot be had leaves the rest there: one fault, one problem. */
export function resolveCarrier(entry: CarrierEntry, parts: CarrierParts, say: Say): CarrierRecord | null {
  if (sandboxCarrierIds.includes(entry.id)) {
    say('this id is a simulated carrier of the sandbox, which the gateway keeps itself; choose another', 'id');
    return null;
  }
  const earlier = parts.onRecord.carriers.find((carrier) => carrier.carrierId === entry.id);
  if (earlier !== undefined && earlier.kind !== entry.kind) {
    say(`its kind is ${earlier.kind} for good; give the ${entry.kind} carrier another id`, 'id');
    return null;
  }
  switch (entry.kind) {
    case 'smpp':
      return smppCarrier(entry, earlier as SmppCarrierRecord | undefined, parts, say);
    case 'mm7':
      return mm7Carrier(entry, earlier as Mm7CarrierRecord | undefined, parts, say);
    case 'mm4':
      return mm4Carrier(entry, earlier as Mm4CarrierRecord | undefined, parts, say);
  }
}

// A file can only name real carriers: sandbox messages must never reach one.
const environment = 'live';

function smppCarrier(
  entry: SmppCarrierEntry,
  earlier: SmppCarrierRecord | undefined,
  parts: CarrierParts,
  say: Say,
): CarrierRecord {
  const { id, kind, name = id, enabled, password, passwordFile, passwordEnv, ...profile } = entry;
  const source = { password, passwordFile, passwordEnv };
  const given = passwordOf(source, { field: '', charactersMax: smppPasswordCharactersMax }, parts, say);
  return {
    ...{ carrierId: id, environment, name, kind, enabled },
    smpp: { ...profile, password: sealOrKeep(given, earlier?.smpp.password, parts) },
  };
}

function mm7Carrier(
  entry: Mm7CarrierEntry,
  earlier: Mm7CarrierRecord | undefined,
  parts: CarrierParts,
  say: Say,
): CarrierRecord {
  const { id, kind, name = id, enabled, password, passwordFile, passwordEnv, ...rest } = entry;
  const { caCertificateFile, clientCertificateFile, clientKeyFile, inbound, version, ...profile } = rest;
  const before = earlier?.mm7;
  const client = clientLogin(clientCertificateFile, clientKeyFile, parts, say);
  return {
    ...{ carrierId: id, environment, name, kind, enabled },
    mm7: {
      ...profile,
      version: version ?? mm7Dialect(entry.schema).version,
      caCertificate: certificatesOf('caCertificateFile', caCertificateFile, parts, say),
      clientCertificate: client.certificate,
      clientKey: sealOrKeep(client.key, before?.clientKey, parts),
      password: sealOrKeep(loginPassword(entry, '', parts, say), before?.password, parts),
      inbound: {
        username: inbound.username,
        password: sealOrKeep(loginPassword(inbound, 'inbound.', parts, say), before?.inbound.password, parts),
        addresses: inbound.addresses,
        clientCertSha256: inbound.clientCertSha256,
      },
    },
  };
}

function mm4Carrier(
  entry: Mm4CarrierEntry,
  earlier: Mm4CarrierRecord | undefined,
  parts: CarrierParts,
  say: Say,
): CarrierRecord {
  const { id, kind, name = id, enabled, password, passwordFile, passwordEnv, caCertificateFile, ...profile } = entry;
  return {
    ...{ carrierId: id, environment, name, kind, enabled },
    mm4: {
      ...profile,
      caCertificate: certificatesOf('caCertificateFile', caCertificateFile, parts, say),
      password: sealOrKeep(loginPassword(entry, '', parts, say), earlier?.mm4.password, parts),
    },
  };
}

/** The password that belongs to a name; '' without a name. `field` is '' or the object the fields stand in, with a dot. */
function loginPassword(login: PasswordSource & { username: string }, field: string, parts: CarrierParts, say: Say) {
  if (login.username !== '') {
    return passwordOf(login, { field, charactersMax: mmsPasswordCharactersMax }, parts, say);
  }
  if (passwordCount(login) > 0)
    say(`it has "${field}password" and no "${field}username"; allowed: both or neither`, `${field}username`);
  return '';
}

function passwordCount({ password, passwordFile, passwordEnv }: PasswordSource): number {
  return [password, passwordFile, passwordEnv].filter((source) => source !== undefined).length;
}

/** '' when it cannot be had, which has been said then. */
function passwordOf(
  source: PasswordSource,
  { field, charactersMax }: { field: string; charactersMax: number },
  parts: CarrierParts,
  say: Say,
): string {
  const { password, passwordFile, passwordEnv } = source;
  const count = passwordCount(source);
  if (count !== 1) {
    const allowed = ['password', 'passwordFile', 'passwordEnv'].map((name) => `"${field}${name}"`).join(', ');
    say(`it has ${count} ${field}passwords; allowed: one of ${allowed}`, `${field}password`);
    return '';
  }
  if (password !== undefined) return password;
  const found =
    passwordEnv !== undefined ? parts.env[passwordEnv] : parts.readText(passwordFile!)?.replace(/\r?\n$/, '');
  if (found !== undefined && found.length <= charactersMax && /^[ -~]+$/.test(found)) return found;
  const where = passwordEnv !== undefined ? `the variable ${passwordEnv}` : `the file ${passwordFile}`;
  const what =
    found === undefined
      ? 'is not there or cannot be read'
      : `holds no password of 1 to ${charactersMax} ASCII characters`;
  say(`${where} ${what}`);
  return '';
}

/** The certificates of a PEM file as text; '' without a file, and when they cannot be had, which has been said then. */
function certificatesOf(field: string, file: string | undefined, parts: CarrierParts, say: Say): string {
  return pemOf(field, file, certificatesProblem, parts, say);
}

/** Certificate and key are one login: both or neither, and of one pair. */
function clientLogin(
  certificateFile: string | undefined,
  keyFile: string | undefined,
  parts: CarrierParts,
  say: Say,
): { certificate: string; key: string } {
  if ((certificateFile === undefined) !== (keyFile === undefined)) {
    say('it has only one of "clientCertificateFile" and "clientKeyFile"; allowed: both or neither', 'clientKeyFile');
    return { certificate: '', key: '' };
  }
  const certificate = certificatesOf('clientCertificateFile', certificateFile, parts, say);
  const key = pemOf('clientKeyFile', keyFile, (text) => clientKeyProblem(text, certificate), parts, say);
  return { certificate, key };
}

function pemOf(
  field: string,
  file: string | undefined,
  problemOf: (text: string) => string | null,
  parts: CarrierParts,
  say: Say,
): string {
  if (file === undefined) return '';
  const text = parts.readText(file);
  const problem = text === undefined ? 'is not there or cannot be read' : problemOf(text);
  if (problem === null) return text!.trim();
  say(`${field}: the file ${file} ${problem}`, field);
  return '';
}
