import { expect, it } from 'vitest';
import { carrierKinds } from './kinds.ts';
import { mm4 } from './mm4/kind.ts';
import { mm7 } from './mm7/kind.ts';
import { also, type FormField, formField, inGroup, isSecret, password } from './setting.ts';
import { smpp } from './smpp/kind.ts';

const fieldOf = ({ settings }: { settings: typeof smpp.settings }, name: string): FormField =>
  formField(settings.find((one) => one.name === name)!);

it('a form knows every setting, and which of them are secrets', () => {
  for (const { settings } of carrierKinds) {
    const fields = settings.map(formField);
    expect(fields.map(({ name, secret }) => [name, secret])).toEqual(settings.map((one) => [one.name, isSecret(one)]));
    expect(fields.filter(({ type, choices }) => type === 'choice' && (choices ?? []).length < 2)).toEqual([]);
  }
});

it('a field says what may stand in it and what it is when left out', () => {
  const plain = { secret: false, required: false, choices: null, needs: null, description: null };
  expect(fieldOf(smpp, 'responseTimeoutMs')).toEqual({
    ...plain,
    name: 'responseTimeoutMs',
    group: 'connection',
    type: 'number',
    default: 30_000,
    unit: 'ms',
    min: 1_000,
    max: 600_000,
    allowed: 'a whole number from 1000 to 600000',
  });
  expect(fieldOf(smpp, 'host')).toMatchObject({ type: 'text', required: true, default: null });
  expect(fieldOf(smpp, 'short_code_ton')).toMatchObject({ required: false, default: 3 });
  expect(fieldOf(mm7, 'version')).toMatchObject({ required: false, default: null });
  expect(fieldOf(mm4, 'tls')).toMatchObject({ type: 'choice', default: 'starttls' });
  expect(fieldOf(mm4, 'tls').choices).toEqual(['none', 'opportunistic', 'starttls', 'implicit']);
  expect(fieldOf(smpp, 'nationalLanguages')).toMatchObject({ type: 'list', default: [] });
  expect(fieldOf(smpp, 'nationalLanguages').choices).toContain('turkish');
  expect(fieldOf(smpp, 'tlsVerify')).toMatchObject({ type: 'flag', needs: { setting: 'tls', is: [true] } });
});

it('a secret says no more than that it is one', () => {
  const secret = { secret: true, default: null, choices: null };
  expect(fieldOf(smpp, 'password')).toMatchObject({ ...secret, type: 'password', required: true });
  expect(fieldOf(mm7, 'inbound.password')).toMatchObject({ ...secret, type: 'password', required: false });
  expect(fieldOf(mm7, 'clientKey')).toMatchObject({ ...secret, type: 'privateKey', required: false });
  expect(fieldOf(mm7, 'clientCertificate')).toMatchObject({ secret: false, type: 'certificates' });
});

it('a setting may describe itself', () => {
  const [token] = inGroup('identity', { token: { ...password(64), description: 'Sent with each request.' } });
  expect(formField(token!)).toMatchObject({ name: 'token', description: 'Sent with each request.' });
  const schema = { type: 'string', allowed: 'a name' };
  const [sender] = inGroup('identity', { sender: also(schema, { description: 'Who it is from.' }) });
  expect(formField(sender!)).toMatchObject({ type: 'text', description: 'Who it is from.', allowed: 'a name' });
});
