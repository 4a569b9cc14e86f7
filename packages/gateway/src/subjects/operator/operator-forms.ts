/** Shared by operator routes: reads a record from a body, and answers a rejected edit. */
import type { Answer } from '../../http/exchange.ts';
import { conflict, fieldFaults, refusalAnswer } from '../../http/portal/answers.ts';
import { lateForm, optional, ownField, readForm } from '../../http/portal/forms.ts';
import type { Refusal } from '../../model/person.ts';
import type { Changed, Form } from './records-service.ts';

const fields = { record: ownField, version: optional } as const;

/** The body of a route that saves a record. */
export const recordForm = lateForm(fields);

/** `{record: {…fields of a records file}, version}`; `version` is only required for an existing record. */
export function recordBody(
  body: unknown,
): { ok: true; form: Form; version: string } | { ok: false; answer: Answer<never> } {
  const read = readForm(body ?? {}, fields);
  if (!read.ok) return read;
  const { record, version = '' } = read.form;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    return {
      ok: false,
      answer: fieldFaults({ record: 'The body needs "record", an object with the fields to be set.' }),
    };
  }
  return { ok: true, form: { ...record }, version };
}

export function notEdited(result: Refusal | Changed) {
  if (result.kind !== 'changed') return refusalAnswer(result);
  return conflict(
    'Somebody changed this meanwhile. Look at both, then save again. Nothing was changed.',
    result.current,
  );
}
