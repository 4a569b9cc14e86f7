/** The differences between a record before and after, in words. Pure. */

export interface Difference {
  /** `limits.perDay` */
  field: string;
  /** As text; null when there was none, or an empty text. */
  before: string | null;
  after: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** A time in milliseconds since 1970; counts are far smaller. */
const epochMs = /^1[5-9]\d{11}$|^[2-4]\d{12}$/;

/** A time as ISO 8601, if the value is one: as text or, in a field named so (`createdAt`), in milliseconds. */
export function momentOf(field: string, value: string): string | null {
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return value;
  return /(At|Until|Since)$/i.test(field) && epochMs.test(value) ? new Date(Number(value)).toISOString() : null;
}

/** `limits.perDay` → `Limits · per day`; `known`: fields that have a name of their own. */
export function fieldText(field: string, known: Readonly<Record<string, string>> = {}): string {
  const own = known[field];
  if (own !== undefined) return own;
  const parts = field.split('.').map((one) => one.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase());
  const text = parts.join(' · ').replace(/\bips?\b/g, (ip) => (ip === 'ip' ? 'IP' : 'IPs'));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Field by field, in order; equal fields are left out. */
export function differences(before: Fields | null, after: Fields | null): Difference[] {
  const [was, is] = [flat(before ?? {}), flat(after ?? {})];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field) => {
    const change = { field, before: was.get(field) ?? null, after: is.get(field) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

function flat(fields: Fields, prefix = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === '') continue;
    if (typeof value === 'object' && !Array.isArray(value)) {
      for (const [inner, text] of flat(value as Fields, `${prefix}${name}.`)) found.set(inner, text);
    } else if (!Array.isArray(value) || value.length > 0) found.set(prefix + name, textOf(value));
  }
  return found;
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.some((one) => typeof one === 'object' && one !== null)
    ? value.map(partText).join('; ')
    : value.join(', ');
}

/** `from 2027-01-01, currency USD` */
function partText(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part);
  return [...flat(part as Fields)].map(([field, text]) => `${fieldText(field).toLowerCase()} ${text}`).join(', ');
}

/** `campaign.submitted` → `Campaign · submitted`, with the label of the first part. */
export function readable(what: string, areas: Readonly<Record<string, string>>): string {
  const [area = '', ...rest] = what.split('.');
  const first = areas[area] ?? area.replaceAll('_', ' ');
  return rest.length === 0 ? first : `${first} · ${rest.join(' · ').replaceAll('_', ' ')}`;
}
