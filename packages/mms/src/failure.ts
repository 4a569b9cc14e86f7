/** Failures of reading and writing: values, never exceptions. */

/**
 * `limit`: more than we accept (octets, depth, count). `syntax`: the bytes break their own grammar, or are truncated.
 * `missing`: valid, but something mandatory is missing. `value`: a field has an invalid value.
 */
export type MalformedReason = 'limit' | 'syntax' | 'missing' | 'value';

/**
 * Bytes from a peer that cannot be read. `detail` is for the log, and quotes at most a few characters of the peer's.
 */
export interface Malformed {
  kind: 'malformed';
  reason: MalformedReason;
  detail: string;
}

/**
 * A value of ours that cannot be written without breaking the standard or allowing an injection. Nothing was written.
 */
export interface Unwritable {
  kind: 'unwritable';
  /** The field with the invalid value, by its name in the type or on the wire. */
  field: string;
  detail: string;
}

export const malformed = (reason: MalformedReason, detail: string): Malformed => ({
  kind: 'malformed',
  reason,
  detail,
});

export const unwritable = (field: string, detail: string): Unwritable => ({ kind: 'unwritable', field, detail });

export const isMalformed = (value: unknown): value is Malformed => hasKind(value, 'malformed');
export const isUnwritable = (value: unknown): value is Unwritable => hasKind(value, 'unwritable');

const hasKind = (value: unknown, kind: string): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;

/** A peer's text for a detail: short, and printable in every log, header and document. */
export const quoted = (text: string): string =>
  `'${text.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?')}${text.length > 40 ? '...' : ''}'`;
