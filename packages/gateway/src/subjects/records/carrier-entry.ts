/**
 * Renders a carrier record as a records-file entry, secrets in plain text, so that an entry or form can change part of
 * it.
 */
import { carrierKinds } from '../../carriers/kinds.ts';
import { setAt } from '../../carriers/setting.ts';
import { carrierSettings, secretsOf, withCarrierSecrets } from '../../carriers/settings.ts';
import { opened, type Sealer } from '../../kernel/sealing.ts';
import type { CarrierRecord } from '../../model/records.ts';
import type { Fields } from './kinds.ts';

/** Fields that hold a text in the record. In a records file, with `File` appended, they hold the name of a file. */
export const pemFields: readonly string[] = [
  ...new Set(
    carrierKinds.flatMap(({ settings }) =>
      settings.filter(({ type }) => type === 'certificates' || type === 'privateKey').map(({ name }) => name),
    ),
  ),
];

/** The record with decrypted secrets; those that cannot be decrypted are missing and must be entered again. */
export function openedOrEmpty(record: CarrierRecord, sealer: Sealer): CarrierRecord {
  return withCarrierSecrets(record, (sealed, place) => opened(sealer, sealed, place) ?? '');
}

/** Its fields in the form of an entry; PEM texts under the record's names. Missing passwords are left out. */
export function knownFields(record: CarrierRecord): Record<string, unknown> {
  const { carrierId: id, kind, name, enabled } = record;
  const fields: Record<string, unknown> = { id, kind, name, enabled, ...carrierSettings(record).settings };
  for (const [field, secret] of Object.entries(secretsOf(record))) {
    if (secret !== '' || pemFields.includes(field)) setAt(fields, field, secret);
  }
  return fields;
}

export function asFields(value: unknown): Record<string, unknown> {
  return isFields(value) ? { ...value } : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
