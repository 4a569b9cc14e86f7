/**
 * Forms and records files do not depend on names of carrier settings: a kind with other names for its secrets is
 * validated like the rest.
 */
import { expect, it, vi } from 'vitest';
import { type CarrierRecord, noRecords } from '../../model/records.ts';
import { openedOrEmpty } from './carrier-entry.ts';
import { judgeCarrier } from './form.ts';
import { mergeWithRecords } from './merge.ts';
import { sealer } from './records-fixture.ts';

vi.mock('../../carriers/mm4/kind.ts', async (original) => {
  const real = await original<typeof import('../../carriers/mm4/kind.ts')>();
  const { inGroup, password } = await import('../../carriers/setting.ts');
  const { cString, host, withDefault } = await import('../../kernel/property.ts');
  const user = withDefault(cString(0, 16), '');
  const settings = [
    ...inGroup('connection', { host }),
    ...inGroup('identity', { token: password(64) }),
    ...inGroup('inbound', { 'callback.user': user, 'callback.secret': password(64, 'callback.user') }),
  ];
  const toy = { ...real.mm4, name: 'toy', settings, warnings: () => [], listensOn: () => null, usesTls: () => true };
  return { mm4: { ...toy, peer: ({ host: name }: { host: string }) => name, simulated: undefined } };
});

const carrier = { id: 'toy-a', kind: 'toy', host: 'api.example', token: 'first' };
const judge = (form: object, ...carriers: CarrierRecord[]) =>
  judgeCarrier({ ...form }, { onRecord: { ...noRecords(), carriers }, sealer });
const needed = 'Write the password that belongs to this name.';

function recordOf(form: object, ...carriers: CarrierRecord[]): CarrierRecord {
  const judged = judge(form, ...carriers);
  if (!judged.ok) throw new Error(JSON.stringify(judged.fields));
  return judged.record;
}
const plain = (record: CarrierRecord) => (openedOrEmpty(record, sealer) as unknown as { toy: object }).toy;

it('requires a secret under its own name, also within another setting', () => {
  expect(judge({ ...carrier, token: '' })).toEqual({ ok: false, fields: { token: needed } });
  const callback = { user: 'them' };
  expect(judge({ ...carrier, callback })).toEqual({ ok: false, fields: { 'callback.secret': needed } });
});

it('keeps secrets that the form leaves empty, and changes one of two', () => {
  const first = recordOf({ ...carrier, callback: { user: 'them', secret: 'theirs' } });
  expect(plain(first)).toEqual({ host: 'api.example', token: 'first', callback: { user: 'them', secret: 'theirs' } });
  const second = recordOf({ id: 'toy-a', token: '', callback: { secret: 'other' } }, first);
  expect(plain(second)).toMatchObject({ token: 'first', callback: { user: 'them', secret: 'other' } });
  const third = recordOf({ id: 'toy-a', callback: { user: '' } }, second);
  expect(plain(third)).toMatchObject({ token: 'first', callback: { user: '', secret: '' } });
});

it('names nothing of the machine', () => {
  const fault = 'This stands in records files only; give the text itself here.';
  const form = { ...carrier, tokenEnv: 'TOKEN', callback: { user: 'them', secretFile: '/etc/passwd' } };
  expect(judge(form)).toEqual({ ok: false, fields: { tokenEnv: fault, 'callback.secretFile': fault } });
});

it('lets an entry of a file name one of two secrets anew, and lets the other go with its name', () => {
  const record = recordOf({ ...carrier, callback: { user: 'them', secret: 'theirs' } });
  const merged = (entry: object) =>
    mergeWithRecords(
      { carriers: [{ id: 'toy-a', ...entry }] },
      { onRecord: { ...noRecords(), carriers: [record] }, sealer },
    ).content;
  const known = { ...carrier, name: 'toy-a', enabled: true, callback: { user: 'them', secret: 'theirs' } };
  expect(merged({})).toEqual({ carriers: [known] });
  const { token: _, ...others } = known;
  expect(merged({ tokenEnv: 'TOKEN' })).toEqual({ carriers: [{ ...others, tokenEnv: 'TOKEN' }] });
  expect(merged({ callback: { secretFile: 'a' } })).toEqual({
    carriers: [{ ...known, callback: { user: 'them', secretFile: 'a' } }],
  });
  expect(merged({ callback: { user: '' } })).toEqual({ carriers: [{ ...known, callback: { user: '' } }] });
});
