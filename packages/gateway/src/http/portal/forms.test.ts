import { describe, expect, it } from 'vitest';
import { flag, optional, optionalOrNull, ownField, readForm, required } from './forms.ts';

const fields = { name: required, note: optional, on: flag, zone: optionalOrNull, parts: ownField } as const;

function faultsOf(body: unknown): Record<string, string> {
  const read = readForm(body, fields);
  if (read.ok) return {};
  return (JSON.parse(String(read.answer.body)) as { fields: Record<string, string> }).fields;
}

describe('a form', () => {
  it('is what was sent, and nothing else', () => {
    const body = { name: 'Ada', zone: null, parts: [{}] };
    expect(readForm(body, fields)).toEqual({ ok: true, form: body });
  });

  it('refuses fields it does not have, beside what else is wrong', () => {
    const faults = faultsOf({ nmae: 'Ada', on: 'yes' });
    expect(Object.keys(faults).sort()).toEqual(['name', 'nmae', 'on']);
    expect(faults.nmae).toContain('There are: name, note, on, zone, parts.');
  });

  it('takes no name of a field for more than a name', () => {
    expect(readForm(JSON.parse('{"name":"Ada","__proto__":{"on":true}}'), fields).ok).toBe(false);
    expect(Object.keys(faultsOf({ name: 'Ada', toString: 'x', ['x'.repeat(500)]: 1 }))).toEqual([
      'toString',
      'x'.repeat(64),
    ]);
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, i]));
    expect(Object.keys(faultsOf({ name: 'Ada', ...many }))).toHaveLength(20);
  });

  it('is one object', () => {
    for (const body of [null, [], 'x', 7]) expect(Object.keys(faultsOf(body))).toEqual(['body']);
  });
});
