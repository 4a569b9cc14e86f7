import { describe, expect, it } from 'vitest';
import { envBlock, firstCurl, hintText, type KeyPair, type NewPair, usedSinceRotation } from './keys';

const key = (more: Partial<KeyPair>): KeyPair => ({
  ...{ keyId: 'key_old', name: 'Old', environment: 'sandbox', status: 'active', scopes: ['send'], numbers: [] },
  ...{ dailyCap: 0, exactShape: false, createdAt: '2026-05-01T00:00:00.000Z', createdBy: null, expiresAt: null },
  ...{ revokedAt: null, replacedBy: null, lastUse: null },
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
