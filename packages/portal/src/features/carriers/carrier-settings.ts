/**
 * The kinds of carrier with their settings, as the gateway describes them: the fields of a form, and the record from
 * its entries.
 */

import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { CarrierKindShown, CarrierShown, KindSetting } from '../../api/routes/carriers';
import { wholeOrText } from '../../ui/whole';

/** They change only with the gateway's version. */
export function useKinds() {
  return useQuery({
    queryKey: ['carrier-kinds'],
    queryFn: async () => (await api.get('/carriers/kinds')).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A kind of a newer gateway has no fields here until the page is reloaded. */
export function kindNamed(kinds: readonly CarrierKindShown[], name: string): CarrierKindShown {
  return kinds.find((kind) => kind.name === name) ?? { name, title: name, carries: '', takes: [], fields: [] };
}

const ownField = (name: string, type: KindSetting['type']): KindSetting => ({
  name,
  group: '',
  type,
  secret: false,
  required: name !== 'enabled',
  default: null,
  unit: null,
  min: null,
  max: null,
  choices: null,
  allowed: null,
  needs: null,
  description: null,
});

/** The fields of a carrier of any kind. */
export const ownFields = {
  id: ownField('id', 'text'),
  name: ownField('name', 'text'),
  enabled: ownField('enabled', 'flag'),
};

/** In the order in which the kind lists them. */
export function groupsOf({ fields }: CarrierKindShown): [group: string, fields: readonly KindSetting[]][] {
  return [...Map.groupBy(fields, ({ group }) => group)];
}

/** Values of the fields: texts and flags. */
export type Entries = Readonly<Record<string, string | boolean>>;

/** A setting by its name with dots. */
export function settingAt(settings: Readonly<Record<string, unknown>>, name: string): unknown {
  const [outer, inner] = name.split('.');
  const value = settings[outer!];
  return inner === undefined ? value : (value as Record<string, unknown> | undefined)?.[inner];
}

/** The fields of a form for a carrier, or for a new one of this kind. Secrets begin empty. */
export function entriesOf({ fields }: CarrierKindShown, carrier: CarrierShown | null): Entries {
  const known = fields.map((field): [string, string | boolean] => {
    if (field.secret) return [field.name, ''];
    // A record of an earlier version lacks newer settings.
    const value = carrier === null ? undefined : settingAt(carrier.settings, field.name);
    return [field.name, value === undefined ? firstEntry(field) : shownValue(value)];
  });
  const { carrierId = '', name = '', enabled = true } = carrier ?? {};
  return { id: carrierId, name, enabled, ...Object.fromEntries(known) };
}

/** A text left empty gets its default from the gateway; a flag and a choice always show a value. */
function firstEntry({ type, default: preset, choices }: KindSetting): string | boolean {
  if (type === 'flag') return preset === true;
  return type === 'choice' ? String(preset ?? choices?.[0] ?? '') : '';
}

function shownValue(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value;
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** Whether the field applies, given the others. */
export function applies({ needs }: KindSetting, entries: Entries): boolean {
  return needs === null || needs.is.includes(entries[needs.setting] ?? '');
}

/**
 * The values to send: for a new carrier all that are not empty, for an existing one those that differ from `before`. An
 * invalid number is sent as typed, so that the gateway says what is allowed.
 */
export function recordOf(kind: CarrierKindShown, entries: Entries, before: Entries | null): Record<string, unknown> {
  const record: Record<string, unknown> = { kind: kind.name };
  const { id, name, enabled } = ownFields;
  if (before !== null) record.id = before.id;
  for (const field of [...(before === null ? [id] : []), name, enabled, ...kind.fields]) {
    const entry = entries[field.name];
    const isSame = before === null ? entry === '' : entry === before[field.name];
    if (entry !== undefined && !isSame) setAt(record, field.name, sent(field, entry));
  }
  return record;
}

function setAt(record: Record<string, unknown>, name: string, value: unknown): void {
  const [outer, inner] = name.split('.');
  record[outer!] = inner === undefined ? value : { ...(record[outer!] as object | undefined), [inner]: value };
}

function sent({ type, secret }: KindSetting, entry: string | boolean): unknown {
  if (typeof entry === 'boolean') return entry;
  if (type === 'number') return wholeOrText(entry);
  if (type === 'list') return entry.split(/[\s,]+/).filter((one) => one !== '');
  return type === 'certificates' || secret ? entry : entry.trim();
}
