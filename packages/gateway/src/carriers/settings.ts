/** A carrier's secrets and visible settings, by the settings of its kind. */
import { carrierSecretPlace, type SealedPlace } from '../kernel/sealed-place.ts';
import { type CarrierRecord, profileOf } from '../model/records.ts';
import { kindOf } from './kinds.ts';
import { dropAt, isSecret, setAt, settingAt } from './setting.ts';

type Fields = Record<string, unknown>;

function secretNames(record: CarrierRecord): string[] {
  return kindOf(record)
    .settings.filter(isSecret)
    .map(({ name }) => name);
}

/** The record with each secret transformed; '' means no secret and stays ''. */
export function withCarrierSecrets<R extends CarrierRecord>(
  record: R,
  change: (sealed: string, place: SealedPlace) => string,
): R {
  const { carrierId, kind } = record;
  const profile: Fields = { ...profileOf(record) };
  for (const name of secretNames(record)) {
    const sealed = settingAt(profile, name) as string;
    if (sealed !== '') setAt(profile, name, change(sealed, carrierSecretPlace(carrierId, `${kind}.${name}`)));
  }
  return { ...record, [kind]: profile };
}

/** The record's secrets by the names of the settings, in their present form. */
export function secretsOf(record: CarrierRecord): Record<string, string> {
  const profile = profileOf(record) as unknown as Fields;
  return Object.fromEntries(secretNames(record).map((name) => [name, settingAt(profile, name) as string]));
}

export interface CarrierSettings {
  /** Without secrets; certificates are not secret. */
  settings: Record<string, unknown>;
  /** By the names of the settings: whether each secret is set. */
  secrets: Record<string, boolean>;
}

/** The record as people see and edit it. */
export function carrierSettings(record: CarrierRecord): CarrierSettings {
  const settings: Fields = { ...kindOf(record).complete(profileOf(record)) };
  const secrets = secretsOf(record);
  for (const name of Object.keys(secrets)) dropAt(settings, name);
  return { settings, secrets: Object.fromEntries(Object.entries(secrets).map(([name, one]) => [name, one !== ''])) };
}
