import '../../language/english';

import { describe, expect, it } from 'vitest';
import type { KeyPair, NewPair } from '../../api/routes/keys';
import { envBlock, firstCurl, fittingKeys, hintText, keysCsv, usedSinceRotation } from './keys';

const key = (more: Partial<KeyPair>): KeyPair => ({
  keyId: 'key_old',
  name: 'Old',
  environment: 'sandbox',
  status: 'active',
  scopes: ['send'],
  numbers: [],
  dailyCap: 0,
  exactShape: false,
  createdAt: '2026-05-01T00:00:00.000Z',
  createdBy: null,
  expiresAt: null,
  revokedAt: null,
  replacedBy: null,
  lastUse: null,
  ...more,
});
const use = (at: string) => ({ at, endpoint: 'POST /SendSMS', address: null });

describe('a rotated pair', () => {
  const newer = key({ keyId: 'key_new', createdAt: '2026-05-02T00:00:00.000Z' });

  it('is still used when a call came after its successor was made', () => {
    const old = key({ replacedBy: 'key_new' });
    expect(usedSinceRotation({ ...old, lastUse: use('2026-05-02T00:00:01.000Z') }, [newer])).toBe(true);
    expect(usedSinceRotation({ ...old, lastUse: use('2026-05-01T23:59:59.000Z') }, [newer])).toBe(false);
    expect(usedSinceRotation(old, [newer])).toBe(false);
    expect(usedSinceRotation({ ...old, lastUse: use('2026-05-02T00:00:01.000Z') }, [])).toBe(false);
  });
});

describe('what is shown of tokens', () => {
  const pair: NewPair = { ...key({}), bearerToken: 'bt_b', authToken: 'at_a' };

  it('is a hint, or nothing where none was kept', () => {
    expect(hintText({ prefix: 'bt_sbx_0123456789', last4: 'wxyz' })).toBe('bt_sbx_0123456789…wxyz');
    expect(hintText(null)).toBeNull();
    expect(hintText(undefined)).toBeNull();
  });

  it('stands in the .env block and in the curl once each', () => {
    expect(envBlock('http://gw', pair)).toBe('HELIO_URL=http://gw\nHELIO_BEARER_TOKEN=bt_b\nHELIO_AUTH_TOKEN=at_a\n');
    const curl = firstCurl('http://gw', pair, { from: '1', to: '2', text: 'Hi' });
    expect(curl).toContain("'http://gw/SendSMS?apikey=at_a'");
    expect(curl).toContain("'Authorization: Bearer bt_b'");
    expect(curl).toContain('{"from":"1","to":["2"],"text":"Hi"}');
  });
});

describe('a list of pairs', () => {
  const list = [
    key({ keyId: 'key_a', name: '=Billing', numbers: ['12025550199'], createdBy: 'ada@example.com' }),
    key({ keyId: 'key_b', name: 'Shop', bearerHint: { prefix: 'bt_sbx_0', last4: 'wxyz' }, allowedIps: ['::1'] }),
  ];
  const found = (search: string) => fittingKeys(list, search).map(({ keyId }) => keyId);

  it('is searched by name, id, person, number and what is shown of a token', () => {
    expect(found(' ')).toEqual(['key_a', 'key_b']);
    expect([found('SHOP'), found('key_a'), found('ada@')]).toEqual([['key_b'], ['key_a'], ['key_a']]);
    expect([found('(202) 555-01'), found('WXYZ'), found('nothing'), found('9')]).toEqual([
      ['key_a'],
      ['key_b'],
      [],
      [],
    ]);
  });

  it('is saved as a table that begins no formula and keeps numbers', () => {
    const [head, first, second] = keysCsv(list).split('\r\n');
    expect(head!.split(',')).toHaveLength(first!.split(',').length);
    expect(first).toMatch(/^'=Billing,key_a,sandbox,active,,,send,1 \(202\) 555-0199,12025550199,,,false,2026-05-01T/);
    expect(second).toContain('bt_sbx_0…wxyz');
  });
});
