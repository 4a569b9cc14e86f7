/** Opt-outs from the gateway, and files of them. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { OptOut } from '../../api/routes/opt-outs';
import { labelsOf } from '../../language/labels';

const optOutLabels = labelsOf('optOut');

const labels = optOutLabels.form;

export type { OptOut };

const pageSize = 100;

export const useOptOuts = (filter: { contact: string; scope: string; after: string }) =>
  useQuery({
    queryKey: ['opt-outs', filter],
    queryFn: () => api.get('/opt-outs', { query: { ...filter, limit: pageSize } }),
  });

/** The digits of a number in any notation. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Length of a reason. */
export const reasonMax = 200;
const reasonMin = 3;

export function reasonFault(reason: string): string | undefined {
  const { length } = reason.trim();
  if (length === 0) return labels.empty;
  return length < reasonMin || length > reasonMax ? labels.noReason : undefined;
}

/** The obvious faults of a form, all together. */
export function optOutFaults(draft: { contact: string; number: string; reason: string }): Record<string, string> {
  const faults = {
    contact: draft.contact.trim() === '' ? labels.empty : isNumber(draft.contact) ? undefined : labels.noContact,
    number: digitsOf(draft.number) === '' ? labels.noNumber : undefined,
    reason: reasonFault(draft.reason),
  };
  return Object.fromEntries(Object.entries(faults).filter((one): one is [string, string] => one[1] !== undefined));
}

/** With its country code. */
function isNumber(text: string): boolean {
  return /^\d{7,15}$/.test(digitsOf(text));
}

export function readScope(scope: string): { kind: 'campaign' | 'number'; id: string } {
  const at = scope.indexOf(':');
  return { kind: scope.startsWith('number:') ? 'number' : 'campaign', id: scope.slice(at + 1) };
}

/** The body for a file: CSV unchanged; JSON also as a bare list. Null when it is neither. */
export function importBody(name: string, text: string): { type: string; body: string } | null {
  if (!name.toLowerCase().endsWith('.json') && !/^\s*[[{]/.test(text)) return { type: 'text/csv', body: text };
  try {
    const value: unknown = JSON.parse(text);
    return { type: 'application/json', body: JSON.stringify(Array.isArray(value) ? { entries: value } : value) };
  } catch {
    return null;
  }
}
