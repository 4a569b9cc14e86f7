/**
 * Records from the portal's forms: validated by the rules of a records file, secrets are kept, and the machine's files
 * cannot be reached.
 */
import { describe, expect, it } from 'vitest';
import type { SmppCarrierRecord } from '../../carriers/smpp/profile.ts';
import { testCertificate as certificate, testKey as privateKey } from '../../http/tls-fixture.ts';
import { type CarrierRecord, noRecords } from '../../model/records.ts';
import { unsealedCarrier } from './carrier-secrets.ts';
import { judgeAccount, judgeCarrier, judgeRoute } from './form.ts';
import type { Fields, RecordLists } from './kinds.ts';
import { sealer } from './records-fixture.ts';

const smpp = { id: 'telco', kind: 'smpp', host: 'smpp.example', system_id: 'us', password: 'pa55w0rd' };
const mm7 = { id: 'mmsc', kind: 'mm7', url: 'https://mmsc.example/mm7' };

function carrier(form: Fields, onRecord: RecordLists = noRecords()): CarrierRecord {
  const judged = judgeCarrier(form, { onRecord, sealer });
  if (!judged.ok) throw new Error(JSON.stringify(judged.fields));
  return judged.record;
}

function faults(form: Fields, onRecord: RecordLists = noRecords()): Readonly<Record<string, string>> {
  const judged = judgeCarrier(form, { onRecord, sealer });
  expect(judged.ok).toBe(false);
  return judged.ok ? {} : judged.fields;
}

const having = (...carriers: CarrierRecord[]): RecordLists => ({ ...noRecords(), carriers });
const plain = (record: CarrierRecord) => unsealedCarrier(record, sealer);

describe('the form of a carrier', () => {
  it('takes what a records file takes, with its defaults, and seals the password', () => {
    const record = carrier(smpp);
    expect(record).toMatchObject({ carrierId: 'telco', environment: 'live', enabled: true, smpp: { port: 2775 } });
    expect(JSON.stringify(record)).not.toContain('pa55w0rd');
    expect(plain(record)).toMatchObject({ smpp: { password: 'pa55w0rd' } });
  });

  it('changes only the fields that are there; an empty password is the one on record, as it is sealed there', () => {
    const before = carrier(smpp);
    const after = carrier({ id: 'telco', window: 50, password: '' }, having(before));
    expect(after).toEqual({ ...before, smpp: { ...(before as SmppCarrierRecord).smpp, window: 50 } });
    expect(plain(carrier({ id: 'telco', password: 'other' }, having(before)))).toMatchObject({
      smpp: { password: 'other' },
    });
  });

  it('says of each wrong field what is allowed, and nothing of a secret', () => {
    const found = faults({ ...smpp, port: 99_999, binds: 'two', password: 'pässwörd', colour: 1 });
    expect(Object.keys(found).sort()).toEqual(['binds', 'colour', 'password', 'port']);
    expect(found.port).toBe('Write a whole number from 1 to 65535.');
    expect(JSON.stringify(found)).not.toContain('pässwörd');
  });

  it('says in plain words what nobody filled in, and what does not fit', () => {
    expect(faults({ id: '', kind: 'smpp', host: '', password: 'x' })).toEqual({
      id: 'Fill this in.',
      host: 'Fill this in.',
      system_id: 'Fill this in.',
    });
    const rule = judgeRoute({ id: 'r1', prefix: '+44', carriers: [] }, noRecords());
    expect(rule).toEqual({
      ok: false,
      fields: {
        prefix: 'Digits only, without the plus; empty for all numbers.',
        carriers: 'Choose at least one carrier, at most 16, and none twice.',
      },
    });
    const company = judgeAccount({ id: 'acc', name: '', destinations: ['usa'], status: 'off' }, noRecords());
    expect(company).toEqual({
      ok: false,
      fields: {
        name: 'Fill this in.',
        destinations: 'Write each country as two capital letters, such as US, or * for all.',
        status: 'Choose one of these: "active", "suspended".',
      },
    });
  });

  it('never reads a file or a variable of the machine', () => {
    const paths = { passwordFile: '/etc/passwd', caCertificateFile: '/etc/passwd', passwordEnv: 'PATH' };
    expect(
      Object.keys(faults({ ...mm7, ...paths, clientKeyFile: '/x', inbound: { passwordFile: '/x' } })).sort(),
    ).toEqual(['caCertificateFile', 'clientKeyFile', 'inbound.passwordFile', 'passwordEnv', 'passwordFile']);
  });

  it('needs a password where there is a name', () => {
    const { password: _, ...without } = smpp;
    expect(faults(without)).toEqual({ password: expect.stringMatching(/^Write the password/) });
    expect(faults({ ...mm7, username: 'us', inbound: { username: 'them' } })).toMatchObject({
      password: expect.any(String),
      'inbound.password': expect.any(String),
    });
    const login = { username: 'us', password: 'pw', inbound: { username: 'them', password: 'in' } };
    const before = carrier({ ...mm7, ...login });
    expect(carrier({ id: 'mmsc' }, having(before))).toEqual(before);
    const nameless = carrier({ id: 'mmsc', username: '', inbound: { username: '' } }, having(before));
    expect(nameless).toMatchObject({ mm7: { password: '', inbound: { password: '' } } });
  });

  it('accepts certificates and keys as text, and reports invalid ones', () => {
    const login = { clientCertificate: certificate, clientKey: privateKey };
    const before = carrier({ ...mm7, ...login });
    expect(plain(carrier({ id: 'mmsc', serviceCode: 'x' }, having(before)))).toMatchObject({
      mm7: { clientCertificate: certificate.trim(), clientKey: privateKey.trim(), serviceCode: 'x' },
    });
    expect(carrier({ id: 'mmsc', clientCertificate: '' }, having(before))).toMatchObject({ mm7: { clientKey: '' } });
    expect(faults({ ...mm7, caCertificate: 'nonsense' })).toEqual({
      caCertificate: 'This text holds no certificate in PEM.',
    });
  });

  it('keeps kind and sandbox as they are', () => {
    expect(faults({ ...mm7, id: 'telco' }, having(carrier(smpp)))).toMatchObject({
      id: expect.stringMatching(/smpp for good/),
    });
    expect(faults({ ...smpp, id: 'sim-carrier' })).toMatchObject({ id: expect.stringMatching(/sandbox/) });
  });
});

describe('the form of a route', () => {
  const onRecord = having(carrier(smpp));

  it('takes rules between records into account, and reports only its own faults', () => {
    expect(judgeRoute({ id: 'r', carriers: ['telco'], prefix: '1' }, onRecord)).toMatchObject({
      ok: true,
      record: { routeId: 'r', environment: 'live', prefix: '1', weight: 1, priority: 100, carrierIds: ['telco'] },
    });
    expect(judgeRoute({ id: 'r', carriers: ['telcos'] }, onRecord)).toEqual({
      ok: false,
      fields: { form: expect.stringContaining('telcos') },
    });
    expect(judgeRoute({ id: 'r', carriers: [], weight: 0 }, onRecord)).toMatchObject({
      fields: { carriers: expect.any(String), weight: expect.any(String) },
    });
    expect(judgeRoute({ id: 'r', carriers: ['telco'], campaign: 'C9' }, onRecord)).toEqual({
      ok: false,
      fields: { form: expect.stringContaining('Its campaign C9 is neither') },
    });
  });

  it('knows hours, and keeps nothing of what a rule does not ask for', () => {
    const hours = { days: ['mon', 'sun'], from: '22:00', to: '06:00' };
    const made = judgeRoute({ id: 'r', carriers: ['telco'], hours, campaign: null }, onRecord);
    if (!made.ok) throw new Error('refused');
    expect([made.record.hours, 'campaignId' in made.record]).toEqual([hours, false]);
    const withRule = { ...onRecord, routes: [made.record] };
    expect(judgeRoute({ id: 'r', weight: 2 }, withRule)).toMatchObject({ record: { hours, weight: 2 } });
    const always = judgeRoute({ id: 'r', hours: null }, withRule);
    expect(always.ok && 'hours' in always.record).toBe(false);
    for (const wrong of [
      { ...hours, days: [] },
      { ...hours, from: '24:00' },
      { ...hours, zone: 'UTC' },
    ]) {
      const { ok } = judgeRoute({ id: 'r', carriers: ['telco'], hours: wrong }, onRecord);
      expect(ok).toBe(false);
    }
    expect(judgeRoute({ id: 'r', carriers: ['telco'], hours: { ...hours, to: '6:00' } }, onRecord)).toMatchObject({
      fields: { 'hours.to': expect.stringContaining('08:00') },
    });
  });
});

describe('the form of an account', () => {
  it('sets how long messages may wait, also to no limit, and gives it back to the operator', () => {
    const one = judgeAccount({ id: 'acc1', name: 'One', waitingSecondsMax: 30 }, noRecords());
    if (!one.ok) throw new Error(JSON.stringify(one.fields));
    expect(one.record.waitingSecondsMax).toBe(30);
    const onRecord = { ...noRecords(), accounts: [one.record] };
    const later = (form: Fields) => judgeAccount({ id: 'acc1', ...form }, onRecord);
    expect(later({ name: 'Two' })).toMatchObject({ record: { waitingSecondsMax: 30 } });
    expect(later({ waitingSecondsMax: 0 })).toMatchObject({ record: { waitingSecondsMax: 0 } });
    const given = later({ waitingSecondsMax: null });
    expect(given.ok && 'waitingSecondsMax' in given.record).toBe(false);
    expect(later({ waitingSecondsMax: 'soon' })).toMatchObject({
      ok: false,
      fields: { waitingSecondsMax: expect.anything() },
    });
  });

  it('allows what it chooses, and nothing beyond what it allows', () => {
    const made = judgeAccount({ id: 'acc1', name: 'One', destinationsMax: ['US', 'CA'] }, noRecords());
    if (!made.ok) throw new Error('refused');
    const onRecord = { ...noRecords(), accounts: [made.record] };
    expect(judgeAccount({ id: 'acc1', destinations: ['US', 'DE'] }, onRecord)).toMatchObject({
      fields: { form: expect.stringContaining('ts destinations have DE') },
    });
    const both = { destinations: ['US', 'DE'], destinationsMax: ['US', 'DE', 'FR'], fraudGuardOptional: true };
    expect(judgeAccount({ id: 'acc1', ...both }, onRecord)).toMatchObject({ ok: true, record: both });
  });

  it('keeps what the form does not know', () => {
    const made = judgeAccount({ id: 'acc1', name: 'One' }, noRecords());
    if (!made.ok) throw new Error('refused');
    const odd = { ...made.record, later: 'kept' };
    const changed = judgeAccount({ id: 'acc1', status: 'suspended' }, { ...noRecords(), accounts: [odd] });
    expect(changed).toMatchObject({ ok: true, record: { name: 'One', status: 'suspended', later: 'kept' } });
    expect(judgeAccount({ id: 'acc1', destinations: ['XX'] }, { ...noRecords(), accounts: [odd] })).toMatchObject({
      fields: { destinations: expect.any(String) },
    });
    const rate = { from: '2027-01-01', currency: 'USD', smsPerSegment: '0.01', mmsPerMessage: '0.02' };
    const twice = judgeAccount({ id: 'acc1', rates: [rate, rate] }, { ...noRecords(), accounts: [odd] });
    expect(twice).toMatchObject({ fields: { form: expect.stringContaining('2 rates') } });
  });
});
