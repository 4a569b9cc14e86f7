import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { buildDirectory } from '../carriers/directory.ts';
import { silentLogger } from '../kernel/logger.ts';
import { hashCredential } from '../model/credential.ts';
import type { Directory } from '../model/directory.ts';
import type { Account, ApiKey, KeyScope } from '../model/records.ts';
import { account, keyOf, newPair } from '../model/world-fixture.ts';
import { type Admission, createCredentials, type KeyUse, type Presented } from './credentials.ts';
import { createFailureWatch } from './failure-watch.ts';
import { parseQuery } from './input.ts';
import { Admitted, readPair, type SentParts } from './sent-pair.ts';
import { recordsOf } from './server-fixture.ts';
import { Target } from './target.ts';

type Asked = SentParts & Pick<Presented, 'address' | 'endpoint'>;
const notAccepted = { ok: false, reason: 'NOT_AUTHORIZED', detail: 'The credentials were not accepted.' };
/** What the caller sees. Whose pair it is, is never sent. */
const shown = ({ key: _, ...rest }: Admission & { key?: ApiKey }) => rest;
const a = newPair();
const b = newPair();

function credentialsFor(keys: ApiKey[], accounts: Account[] = [account]) {
  const clock = movedClock();
  const looked: string[] = [];
  const warned: object[] = [];
  const used: KeyUse[] = [];
  const real = buildDirectory(recordsOf(keys, accounts));
  const directory: Directory = {
    ...real,
    keyByBearerHash: (hash) => {
      looked.push(`bearer ${hash}`);
      return real.keyByBearerHash(hash);
    },
    keyByAuthHash: (hash) => {
      looked.push(`auth ${hash}`);
      return real.keyByAuthHash(hash);
    },
  };
  const failures = createFailureWatch({
    clock,
    logger: { ...silentLogger, warn: (fields) => void warned.push(fields) },
  });
  const credentials = createCredentials({
    clock,
    directory: () => directory,
    failures,
    used: (use) => void used.push(use),
  });

  const usual: SentParts = {
    authorization: `Bearer ${a.bearerToken}`,
    apiKeyHeader: undefined,
    query: parseQuery(`apikey=${a.authToken}`),
  };
  /** What was let in last, as on one connection. */
  let admitted: Admitted | null = null;
  const admit = (presented: Partial<Asked> = {}, scope: KeyScope = 'send') => {
    const parts = { ...usual, ...presented };
    const sent = admitted?.pair(parts) ?? readPair(parts);
    const admission = credentials.admit(
      {
        sent,
        address: presented.address ?? (() => '192.0.2.7'),
        endpoint: presented.endpoint ?? (() => 'POST /SendSMS'),
      },
      scope,
    );
    if (admission.ok) admitted = new Admitted(new Target('/'), parts, sent);
    return admission;
  };
  return { clock, admit, looked, warned, failures, used };
}

describe('both credentials', () => {
  const { admit, looked } = credentialsFor([keyOf(a), keyOf(b)]);

  it('of one live pair are let in', () => {
    expect(admit()).toMatchObject({ ok: true, caller: { account: { accountId: 'acc_one' }, key: { keyId: a.keyId } } });
  });

  it.each([
    ['bearer right, apikey wrong', a.bearerToken, 'at_sbx_wrong-wrong-wrong'],
    ['bearer wrong, apikey right', 'bt_sbx_wrong-wrong-wrong', a.authToken],
    ['both wrong', 'bt_sbx_wrong-wrong-wrong', 'at_sbx_wrong-wrong-wrong'],
    ['both swapped', a.authToken, a.bearerToken],
    ['halves of two pairs', a.bearerToken, b.authToken],
    ['halves of two pairs, the other way', b.bearerToken, a.authToken],
    ['the bearer twice', a.bearerToken, a.bearerToken],
    ['the hashes', a.bearerHash, a.authHash],
    ['in upper case', a.bearerToken.toUpperCase(), a.authToken.toUpperCase()],
  ])('SEC-02 SEC-03 SEC-16 %s: the one answer', (_name, bearer, auth) => {
    expect(admit({ authorization: `Bearer ${bearer}`, query: parseQuery(`apikey=${auth}`) })).toEqual(notAccepted);
  });

  it('SEC-01 a missing one is named, and nothing else is', () => {
    const detail = (presented: Partial<Asked>) => {
      const admission = admit(presented);
      return admission.ok ? 'let in' : `${admission.reason} ${admission.detail}`;
    };
    expect(detail({ authorization: undefined })).toMatch(/^NOT_AUTHORIZED One credential is missing: the Bearer Token/);
    expect(detail({ query: [] })).toMatch(/^NOT_AUTHORIZED One credential is missing: the Auth Token/);
    expect(detail({ authorization: undefined, query: [] })).toMatch(/^NOT_AUTHORIZED Both credentials are missing/);
    // It makes no difference whether the one that was sent is right.
    expect(detail({ authorization: undefined, query: parseQuery('apikey=wrong') })).toBe(
      detail({ authorization: undefined }),
    );
  });

  it.each([
    'bearer',
    'Bearer',
    'Bearer ',
    `Bearer\t${a.bearerToken}`,
    ` Bearer ${a.bearerToken}`,
    `Bearer ${a.bearerToken} `,
    `Bearer ${a.bearerToken}, Bearer ${a.bearerToken}`,
    `Bearer ${a.bearerToken} x`,
    `Basic ${a.bearerToken}`,
    `Token ${a.bearerToken}`,
    a.bearerToken,
    `Bearer ${'x'.repeat(10_240)}`,
    `Bearer ${a.bearerToken}é`,
    `Bearer "${a.bearerToken}"`,
    '',
  ])('SEC-06 the malformed header %j: the one answer', (authorization) => {
    expect(admit({ authorization })).toEqual(notAccepted);
  });

  it.each(['bearer', 'BEARER', 'Bearer', 'bEaReR'])('SEC-06 the scheme is %s in any case', (scheme) => {
    expect(admit({ authorization: `${scheme} ${a.bearerToken}` }).ok).toBe(true);
  });

  it.each([
    `apikey=${a.authToken}&apikey=${a.authToken}`,
    `apikey=${a.authToken}&apikey=x`,
    `apikey=${a.authToken}&%61pikey=x`,
    `apikey[]=${a.authToken}`,
    `apikey=${a.authToken}&apikey[]=x`,
    `apikey%5B%5D=${a.authToken}&apikey=${a.authToken}`,
    `apikey=${a.authToken}&apikey[0]=x`,
    'apikey=',
    'apikey',
    `apikey=${a.authToken}%`,
    `apikey=%ff`,
    `apikey=+${a.authToken}`,
    `apikey=${a.authToken}%00`,
  ])('SEC-07 the query %s: the one answer', (query) => {
    expect(admit({ query: parseQuery(query) })).toEqual(notAccepted);
  });

  it('SEC-13 the Auth Token may come as X-Api-Key instead, or as both when they agree', () => {
    expect(admit({ query: [], apiKeyHeader: a.authToken }).ok).toBe(true);
    expect(admit({ apiKeyHeader: a.authToken }).ok).toBe(true);
    expect(admit({ apiKeyHeader: b.authToken })).toEqual(notAccepted);
    expect(admit({ query: [], apiKeyHeader: `${a.authToken}, ${a.authToken}` })).toEqual(notAccepted);
    expect(admit({ query: parseQuery('apikey='), apiKeyHeader: a.authToken })).toEqual(notAccepted);
  });

  it('SEC-05 are both evaluated whatever the first comes to', () => {
    const looks = (presented: Partial<Asked>) => {
      looked.length = 0;
      admit(presented);
      return looked.map((line) => line.split(' ')[0]);
    };
    for (const authorization of [undefined, 'Bearer x', `Bearer ${a.bearerToken}`]) {
      for (const query of ['', 'apikey=x', `apikey=${a.authToken}`]) {
        expect(looks({ authorization, query: parseQuery(query) })).toEqual(['bearer', 'auth']);
      }
    }
  });

  it('that are the empty string match no key, whatever its hashes are', () => {
    const empty = hashCredential('');
    const { admit: ask } = credentialsFor([
      keyOf(a, { bearerHash: empty, authHash: empty }),
      keyOf(b, { keyId: 'k', bearerHash: '', authHash: '' }),
    ]);
    expect(ask({ authorization: 'Bearer ', query: parseQuery('apikey=') })).toEqual(notAccepted);
    expect(ask({ authorization: undefined, query: [] }).ok).toBe(false);
    expect(ask({ authorization: `Bearer ${'x'.repeat(600)}`, query: parseQuery(`apikey=${'x'.repeat(600)}`) })).toEqual(
      notAccepted,
    );
  });

  it('SEC-17 a value chosen by hand works like an issued one', () => {
    const custom = { ...a, bearerToken: 'my-own-bearer-value-1', authToken: 'my-own-auth-value-22' };
    const { admit: ask } = credentialsFor([
      keyOf(a, { bearerHash: hashCredential(custom.bearerToken), authHash: hashCredential(custom.authToken) }),
    ]);
    expect(
      ask({ authorization: `Bearer ${custom.bearerToken}`, query: parseQuery(`apikey=${custom.authToken}`) }).ok,
    ).toBe(true);
  });
});

describe('a pair that is known', () => {
  it('SEC-04 revoked or expired gets the one answer, from that moment on', () => {
    const now = movedClock().now();
    const { clock, admit } = credentialsFor([keyOf(a, { expiresAt: now + 1_000 })]);
    expect(admit().ok).toBe(true);
    clock.pass(1_000);
    expect(shown(admit())).toEqual(notAccepted);
    // The company sees the call in its request log, because the caller had both credentials.
    expect(admit()).toMatchObject({ key: { keyId: a.keyId } });
    expect(shown(credentialsFor([keyOf(a, { revokedAt: now })]).admit())).toEqual(notAccepted);
    // SEC-16: a pair with a later end stays valid beside its successor until then.
    expect(credentialsFor([keyOf(a, { revokedAt: now + 1 })]).admit().ok).toBe(true);
  });

  it('SEC-04 of a suspended account learns that; of no account it gets the one answer', () => {
    const suspended = credentialsFor([keyOf(a)], [{ ...account, status: 'suspended' }]);
    expect(suspended.admit()).toMatchObject({ ok: false, reason: 'ACCOUNT_SUSPENDED' });
    expect(suspended.admit({ authorization: 'Bearer x' })).toEqual(notAccepted);
    expect(credentialsFor([keyOf(a)], []).admit()).toEqual(notAccepted);
  });

  it('SEC-16 both pairs of an account work during a rotation', () => {
    const { admit } = credentialsFor([keyOf(a), keyOf(b)]);
    expect(admit().ok).toBe(true);
    expect(admit({ authorization: `Bearer ${b.bearerToken}`, query: parseQuery(`apikey=${b.authToken}`) }).ok).toBe(
      true,
    );
  });

  it.each([
    [['send'], 'send', true],
    [['send'], 'read', false],
    [['read'], 'send', false],
    [['read'], 'read', true],
    [['admin'], 'send', false],
    [[], 'read', false],
  ] as const)('SEC-18 with the scopes %j asks for %s', (scopes, scope, ok) => {
    const admission = credentialsFor([keyOf(a, { scopes: [...scopes] })]).admit({}, scope);
    if (ok) expect(admission.ok).toBe(true);
    else {
      expect(admission).toMatchObject({ ...notAccepted, detail: expect.stringContaining(`needs the scope ${scope}`) });
    }
  });

  it('names a missing scope only to who holds a live pair and calls from an allowed address, and suspects nobody', () => {
    const missing = { scopes: ['send' as const] };
    const shut = [{ revokedAt: 1 }, { expiresAt: 1 }, { allowedIps: ['192.0.2.8'] }];
    for (const changes of shut) {
      expect(shown(credentialsFor([keyOf(a, { ...missing, ...changes })]).admit({}, 'read'))).toEqual(notAccepted);
    }
    const wrong = credentialsFor([keyOf(a, missing)]).admit({ authorization: `Bearer ${b.bearerToken}` }, 'read');
    expect(shown(wrong)).toEqual(notAccepted);
    const { admit, warned } = credentialsFor([keyOf(a, missing)]);
    for (let i = 0; i < 50; i++) admit({}, 'read');
    expect(warned).toEqual([]);
  });

  it.each([
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '::ffff:192.0.2.7', true],
    [['192.0.2.8'], '192.0.2.7', false],
    [['192.0.2.0/24'], '192.0.2.255', true],
    [['192.0.2.0/24'], '192.0.3.0', false],
    [['10.0.0.0/8', '2001:db8::/32'], '2001:db8:1::7', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::1'], '2001:DB8:0:0::1', true],
    [['10.0.0.0/8'], 'not an address', false],
    [['nonsense'], '10.0.0.1', false],
    [['0.0.0.0/0'], '203.0.113.9', true],
  ] as const)('SEC-18 allowed from %j and called from %s', (allowedIps, address, ok) => {
    const { admit } = credentialsFor([keyOf(a, { allowedIps: [...allowedIps] })]);
    const admission = admit({ address: () => address });
    if (ok) expect(admission.ok).toBe(true);
    else expect(shown(admission)).toEqual(notAccepted);
  });
});

describe('SEC-08 guessing', () => {
  it('gets the same answer for ever, is reported to the operator once a window, and shuts out nobody', () => {
    const { admit, warned, clock, failures } = credentialsFor([keyOf(a)]);
    for (let i = 0; i < 50; i++) expect(admit({ authorization: `Bearer guess-${i}` })).toEqual(notAccepted);
    expect(warned).toEqual([{ address: '192.0.2.7', count: 10 }]);
    expect(admit().ok).toBe(true);
    clock.pass(60_000);
    for (let i = 0; i < 9; i++) admit({ authorization: 'Bearer guess' });
    expect(warned).toHaveLength(1);
    admit({ authorization: 'Bearer guess' });
    expect(warned).toHaveLength(2);
    expect(failures.total).toBe(60);
  });

  it('at one key is reported by the key’s id', () => {
    const { admit, warned } = credentialsFor([keyOf(a)]);
    for (let i = 0; i < 100; i++) admit({ query: parseQuery('apikey=guess'), address: () => `192.0.2.${i}` });
    expect(warned).toEqual([{ keyId: a.keyId, count: 100 }]);
    expect(JSON.stringify(warned)).not.toContain(a.bearerToken.slice(18));
  });

  it('from ever new addresses fills no memory', () => {
    const { failures, admit, clock } = credentialsFor([]);
    for (let i = 0; i < 25_000; i++)
      admit({ authorization: 'Bearer x', address: () => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` });
    clock.pass(1);
    expect(failures.total).toBe(25_000);
  });
});

describe('the last use of a pair', () => {
  it('is reported at most once a minute, and never of somebody who was not let in', () => {
    const { admit, used, clock } = credentialsFor([keyOf(a), keyOf(b)]);
    admit({ query: parseQuery('apikey=guess') });
    expect(used).toEqual([]);
    for (let i = 0; i < 100; i++) admit();
    expect(used).toEqual([{ keyId: a.keyId, at: clock.now(), address: '192.0.2.7', endpoint: 'POST /SendSMS' }]);
    clock.pass(59_999);
    admit();
    expect(used).toHaveLength(1);
    clock.pass(1);
    admit({ endpoint: () => 'GET /api/v1/messages' });
    expect(used[1]).toMatchObject({ endpoint: 'GET /api/v1/messages' });
  });
});
