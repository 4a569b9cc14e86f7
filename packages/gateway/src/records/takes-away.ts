/**
 * Which change of a field takes something away that worked until now: it is cleared, an element of a list goes, the record
 * moves to another owner, it is switched off, or credentials stop working. Such a change needs a confirmation.
 */
import { isDeepStrictEqual } from 'node:util';

export interface FieldChange {
  /** As on record; inner fields with dots. */
  name: string;
  before: unknown;
  after: unknown;
}

/** Who has it: a record that moves is gone for the one it leaves. */
const owners: ReadonlySet<string> = new Set(['accountId', 'campaignId', 'environment']);
/** Another value ends the one that is in use. */
const credentials: ReadonlySet<string> = new Set(['bearerHash', 'authHash']);
const switches: ReadonlySet<string> = new Set(['enabled', 'smsEnabled', 'mmsEnabled']);
const working: ReadonlySet<unknown> = new Set(['active', 'approved']);

export function takesAway({ name, before, after }: FieldChange): boolean {
  if (name === 'revokedAt') return before === null && after !== null;
  if (isNothing(before)) return false;
  if (isNothing(after) || owners.has(name) || credentials.has(name)) return true;
  if (Array.isArray(before)) return !isWithin(before, Array.isArray(after) ? after : []);
  if (name === 'status') return working.has(before);
  return switches.has(name) && after === false;
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether all of `elements` are still there; a price is the one of its first day. */
function isWithin(elements: readonly unknown[], list: readonly unknown[]): boolean {
  return elements.every((element) => list.some((other) => isDeepStrictEqual(keyOf(element), keyOf(other))));
}

function keyOf(element: unknown): unknown {
  return typeof element === 'object' && element !== null && 'from' in element ? element.from : element;
}
