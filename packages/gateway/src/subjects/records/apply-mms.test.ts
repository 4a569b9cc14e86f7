/**
 * Carriers over MM7 and MM4 in a records file: defaults, sealed secrets, PEM files, and every wrong field reported by
 * name.
 */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { mm7Schemas } from '@heliograph/mms';
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import type { Mm4CarrierRecord } from '../../carriers/mm4/profile.ts';
import type { Mm7CarrierRecord } from '../../carriers/mm7/profile.ts';
import { testCertificate as certificate, testKey as privateKey } from '../../http/tls-fixture.ts';
import { createSealer, SealingRefused } from '../../kernel/sealing.ts';
import { keyOf } from '../../kernel/sealing-fixture.ts';
import { type ApplyParts, applyFile, RecordsRefused } from './apply.ts';
import { unsealedCarrier } from './carrier-secrets.ts';
import { memoryRecords, newFolder, recordsFile, sealer } from './records-fixture.ts';

const password = 'pa55w0rd';
const foreignKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const mm7 = { id: 'mmsc', kind: 'mm7', url: 'https://mmsc.example/mm7' };
const mm4 = { id: 'mm4c', kind: 'mm4', host: 'mm4.example', domain: 'mms.peer.example', ownDomain: 'mms.our.example' };

function setUp() {
  const store = memoryRecords();
  const folder = newFolder();
  const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const parts: ApplyParts = { store, sealer, clock: movedClock(), random: steadyRandom(), env: { PW: password } };
  const apply = (carriers: object[], more: Partial<ApplyParts> = {}) =>
    applyFile(recordsFile({ carriers }, folder), { ...parts, ...more });
  const plain = <T>(index = 0) => unsealedCarrier(store.now().carriers[index]!, sealer) as T;
  const problems = async (carriers: object[]) => {
    const error: unknown = await apply(carriers).catch((thrown: unknown) => thrown);
    if (!(error instanceof RecordsRefused)) throw new Error(`not refused: ${inspect(error)}`);
    expect(store.writes()).toBe(0);
    expect(inspect(error)).not.toContain(password);
    return error.problems;
  };
  return { store, file, apply, plain, problems };
}

describe('a carrier over MM7', () => {
  it('needs only its address', async () => {
    const { apply, store } = setUp();
    const { lines, warnings } = await apply([mm7]);
    expect(lines).toEqual(['+ carrier mmsc']);
    expect(warnings).toEqual(['carrier mmsc: inbound is empty: its delivery reports and messages are refused']);
    expect(store.now().carriers).toEqual([
      {
        carrierId: 'mmsc',
        environment: 'live',
        name: 'mmsc',
        kind: 'mm7',
        enabled: true,
        mm7: {
          url: 'https://mmsc.example/mm7',
          tlsVerify: true,
          caCertificate: '',
          clientCertificate: '',
          clientKey: '',
          username: '',
          password: '',
          schema: 'REL-6-MM7-1-4',
          version: '6.8.0',
          vaspId: '',
          vasId: '',
          serviceCode: '',
          deliveryReport: true,
          window: 20,
          messagesPerSecond: 0,
          lendRate: false,
          responseTimeoutMs: 60_000,
          mediaBytesMax: 600_000,
          repeatsUnanswered: 10,
          repeatsBroken: 10,
          inbound: { username: '', password: '', addresses: [], clientCertSha256: [] },
        },
      },
    ]);
  });

  it('keeps its secrets sealed, from the file, beside it and from the environment', async () => {
    const { apply, store, plain, file } = setUp();
    file('client.pem', certificate);
    file('client.key', privateKey);
    file('in.txt', 'inbound-secret\n');
    const entry = {
      ...mm7,
      username: 'us',
      passwordEnv: 'PW',
      clientCertificateFile: 'client.pem',
      clientKeyFile: 'client.key',
      caCertificateFile: 'client.pem',
      inbound: { username: 'them', passwordFile: 'in.txt', addresses: ['192.0.2.0/24'] },
    };
    expect((await apply([entry])).warnings).toEqual([]);
    const stored = JSON.stringify(store.now());
    for (const secret of [password, 'inbound-secret', 'PRIVATE KEY']) expect(stored).not.toContain(secret);
    expect(plain<Mm7CarrierRecord>().mm7).toMatchObject({
      password,
      clientKey: privateKey.trim(),
      clientCertificate: certificate.trim(),
      caCertificate: certificate.trim(),
      inbound: { username: 'them', password: 'inbound-secret', addresses: ['192.0.2.0/24'] },
    });
    const before = store.now();
    expect((await apply([entry])).lines).toEqual([]);
    expect(store.now()).toEqual(before);

    const next = { ...entry, url: 'https://mmsc.example/mm7?token=t0ken', window: 5 };
    const { lines } = await apply(
      [{ ...next, clientCertificateFile: null, clientKeyFile: null, inbound: { ...entry.inbound, username: 'x' } }],
      { confirmed: true },
    );
    expect(lines).toHaveLength(2);
    expect(lines[0]!.split(/[ ,]+/)).toEqual(expect.arrayContaining(['-', 'clientCertificate', 'clientKey']));
    expect(lines[1]!.split(/[ ,]+/)).toEqual(expect.arrayContaining(['url', 'window:', 'inbound.username:']));
    expect(lines.join()).not.toMatch(/t0ken|CERTIFICATE|PRIVATE|password/);
    expect(plain<Mm7CarrierRecord>().mm7.clientKey).toBe('');
  });

  it('reports a new password without showing it', async () => {
    const { apply } = setUp();
    const inbound = { username: 'them', password };
    await apply([{ ...mm7, inbound }]);
    const { lines } = await apply([{ ...mm7, inbound: { ...inbound, password: 'other' } }]);
    expect(lines).toEqual(['~ carrier mmsc inbound.password changed']);
  });

  it('is not touched with another key, unless its secrets are sealed anew', async () => {
    const { apply, store } = setUp();
    const entry = { ...mm7, inbound: { username: 'them', password } };
    await apply([entry]);
    const other = createSealer(keyOf(9));
    await expect(apply([mm4], { sealer: other })).rejects.toThrow(SealingRefused);
    expect((await apply([entry], { sealer: other, reseal: true })).lines).toHaveLength(1);
    expect((unsealedCarrier(store.now().carriers[0]!, other) as Mm7CarrierRecord).mm7.inbound.password).toBe(password);
  });

  it.each(mm7Schemas)('takes the version of its schema %s, or another', async (schema) => {
    const { apply, plain } = setUp();
    await apply([{ ...mm7, schema }]);
    expect(plain<Mm7CarrierRecord>().mm7.version).toMatch(schema.startsWith('REL-5') ? /^5\.3\.0$/ : /^6\.\d\.0$/);
    await apply([{ ...mm7, schema, version: '5.5.0' }]);
    expect(plain<Mm7CarrierRecord>().mm7.version).toBe('5.5.0');
  });

  it('lends of a rate only if it has one, and says so', async () => {
    const { apply } = setUp();
    const inbound = { addresses: ['192.0.2.1'] };
    const { warnings } = await apply([{ ...mm7, inbound, lendRate: true }]);
    expect(warnings).toEqual([
      'carrier mmsc: lendRate changes nothing: messagesPerSecond is 0, so there is no rate to lend',
    ]);
    expect((await apply([{ ...mm7, inbound, lendRate: true, messagesPerSecond: 5 }])).warnings).toEqual([]);
  });

  it('may use http over a private line, with a word about it', async () => {
    const { apply } = setUp();
    const { warnings } = await apply([
      { ...mm7, url: 'http://10.0.0.7:8080/mm7', inbound: { addresses: ['10.0.0.7'] } },
    ]);
    expect(warnings).toEqual(['carrier mmsc: its url is not https: use it over a private line (VPN) only']);
  });

  it.each([
    [{ url: undefined }, '"url" is missing; allowed: an http or https address'],
    [{ url: `https://me:${password}@mmsc.example/` }, 'url is something else (not shown); allowed: an http or https'],
    [{ url: 'ftp://mmsc.example/' }, 'url is something else (not shown)'],
    [{ url: 'https://mmsc.example/#x' }, 'url is something else (not shown)'],
    [{ schema: 'REL-7' }, 'schema is "REL-7"; allowed: "REL-5-MM7-1-0", '],
    [{ version: '6' }, 'version is "6"; allowed: three numbers with dots'],
    [{ mediaBytesMax: 999 }, 'mediaBytesMax is 999; allowed: a whole number from 1000 to 5242880'],
    [{ mediaBytesMax: 5_242_881 }, 'mediaBytesMax is 5242881; allowed'],
    [{ username: 'a:b' }, 'username is "a:b"; allowed: at most 128 ASCII characters without a colon'],
    [{ system_id: 'x' }, 'unknown field "system_id"; allowed: '],
    [{ inbund: {} }, 'unknown field "inbund"; did you mean "inbound"?'],
    [{ inbound: { adresses: [] } }, 'unknown field "inbound.adresses"; did you mean "inbound.addresses"?'],
    [{ inbound: { addresses: ['here'] } }, 'inbound.addresses[0] is "here"; allowed: an IP address or CIDR block'],
    [{ inbound: { password: 7 } }, 'inbound.password is something else (not shown)'],
    [{ inbound: [] }, 'inbound is a list; allowed: an object'],
    [{ inbound: { clientCertSha256: ['AB'] } }, 'inbound.clientCertSha256[0] is "AB"; allowed: the SHA-256'],
  ])('reports a wrong field by name: %j', async (fields, expected) => {
    const { problems } = setUp();
    expect(await problems([{ ...mm7, ...fields }])).toEqual([
      expect.stringContaining(`carriers[0] (mmsc): ${expected}`),
    ]);
  });

  it.each([
    [{ username: 'us' }, 'it has 0 passwords; allowed: one of "password", "passwordFile", "passwordEnv"'],
    [{ username: 'us', password, passwordEnv: 'PW' }, 'it has 2 passwords'],
    [{ passwordEnv: 'PW' }, 'it has "password" and no "username"; allowed: both or neither'],
    [{ inbound: { password } }, 'it has "inbound.password" and no "inbound.username"; allowed: both or neither'],
    [{ inbound: { username: 'them' } }, 'it has 0 inbound.passwords; allowed: one of "inbound.password", '],
    [{ username: 'us', passwordEnv: 'NONE' }, 'the variable NONE is not there or cannot be read'],
    [{ clientKeyFile: 'k' }, 'it has only one of "clientCertificateFile" and "clientKeyFile"'],
    [{ caCertificateFile: 'gone' }, 'caCertificateFile: the file gone is not there or cannot be read'],
    [{ caCertificateFile: 'key' }, 'caCertificateFile: the file key holds no certificate in PEM'],
    [{ caCertificateFile: 'half' }, 'caCertificateFile: the file half holds no certificate in PEM'],
    [
      { clientCertificateFile: 'cert', clientKeyFile: 'other' },
      'clientKeyFile: the file other is not the key of that certificate',
    ],
    [
      { clientCertificateFile: 'cert', clientKeyFile: 'cert' },
      'clientKeyFile: the file cert holds no private key in PEM, or one that needs a passphrase',
    ],
  ])('has its secrets checked: %j', async (fields, expected) => {
    const { problems, file } = setUp();
    file('cert', certificate);
    file('key', privateKey);
    file('other', foreignKey);
    file('half', certificate.slice(0, 200) + certificate.slice(-60));
    const found = await problems([{ ...mm7, ...fields }]);
    expect(found).toEqual([expect.stringContaining(`carrier mmsc: ${expected}`)]);
    expect(found.join()).not.toContain('BEGIN');
  });
});

describe('a carrier over MM4', () => {
  it('needs only hosts and domains', async () => {
    const { apply, plain } = setUp();
    expect((await apply([mm4])).warnings).toEqual([
      'carrier mm4c: inbound.addresses is empty: its delivery reports and messages are refused, and so are its acknowledgements, which are waited for',
    ]);
    expect(plain<Mm4CarrierRecord>()).toEqual({
      carrierId: 'mm4c',
      environment: 'live',
      name: 'mm4c',
      kind: 'mm4',
      enabled: true,
      mm4: {
        host: 'mm4.example',
        port: 25,
        tls: 'starttls',
        tlsVerify: true,
        caCertificate: '',
        username: '',
        password: '',
        domain: 'mms.peer.example',
        ownDomain: 'mms.our.example',
        version: '6.10.0',
        deliveryReport: true,
        readReports: true,
        acknowledgement: true,
        ackTimeoutMs: 300_000,
        connections: 2,
        window: 20,
        messagesPerSecond: 0,
        lendRate: false,
        responseTimeoutMs: 60_000,
        mediaBytesMax: 600_000,
        repeatsUnanswered: 10,
        repeatsBroken: 10,
        inbound: { host: '127.0.0.1', port: 0, addresses: [], requireTls: false },
      },
    });
  });

  it('keeps its password sealed and the same file changes nothing', async () => {
    const { apply, store, plain } = setUp();
    const inbound = { host: '0.0.0.0', port: 2525, addresses: ['192.0.2.7'], requireTls: true };
    const entry = { ...mm4, username: 'us', password, inbound };
    expect((await apply([entry])).warnings).toEqual([]);
    expect(JSON.stringify(store.now())).not.toContain(password);
    expect(plain<Mm4CarrierRecord>().mm4).toMatchObject({ username: 'us', password, inbound });
    expect((await apply([entry])).lines).toEqual([]);
    expect((await apply([{ ...entry, inbound: { ...inbound, port: 2526 } }])).lines).toEqual([
      '~ carrier mm4c inbound.port: 2525 → 2526',
    ]);
  });

  it('warns of data sent in the clear and of a port that moves', async () => {
    const { apply } = setUp();
    const open = { ...mm4, tls: 'opportunistic', username: 'us', password, inbound: { addresses: ['192.0.2.7'] } };
    expect((await apply([open])).warnings).toEqual([
      expect.stringMatching(
        /^carrier mm4c: with tls "opportunistic" its password and messages may travel in the clear/,
      ),
      'carrier mm4c: inbound.port is 0: it listens on another port after each start',
    ]);
  });

  it.each([
    [{ domain: undefined }, '"domain" is missing; allowed: an IP address or a host name'],
    [{ ownDomain: 'a b' }, 'ownDomain is "a b"; allowed'],
    [{ tls: true }, 'tls is true; allowed: "none", "opportunistic", "starttls", "implicit"'],
    [{ port: 0 }, 'port is 0; allowed: a whole number from 1 to 65535'],
    [{ clientKeyFile: 'k' }, 'unknown field "clientKeyFile"; allowed: '],
    [{ inbound: { username: 'x' } }, 'unknown field "inbound.username"; allowed: '],
    [{ ackTimeoutMs: 0 }, 'ackTimeoutMs is 0; allowed'],
  ])('reports a wrong field by name: %j', async (fields, expected) => {
    const { problems } = setUp();
    expect(await problems([{ ...mm4, ...fields }])).toEqual([
      expect.stringContaining(`carriers[0] (mm4c): ${expected}`),
    ]);
  });

  it('has a door of its own', async () => {
    const { problems } = setUp();
    const inbound = { port: 2525, addresses: ['192.0.2.7'] };
    expect(
      await problems([
        { ...mm4, inbound },
        { ...mm4, id: 'second', inbound },
      ]),
    ).toEqual(['carriers mm4c and second: they have the same inbound.port 2525; each needs its own']);
  });
});

describe('kinds of carrier', () => {
  it.each(['mm3', 7, null])('an unknown one is the only fault reported for an entry: %j', async (kind) => {
    const { problems } = setUp();
    expect(await problems([{ id: 'c', kind, url: 'x', whatever: 1 }])).toEqual([
      `carriers[0] (c): kind is ${JSON.stringify(kind)}; allowed: "smpp", "mm7", "mm4"`,
    ]);
  });

  it('a carrier stays of its kind', async () => {
    const { apply } = setUp();
    await apply([mm7]);
    await expect(apply([{ ...mm4, id: 'mmsc' }])).rejects.toThrow(
      'carrier mmsc: its kind is mm7 for good; give the mm4 carrier another id',
    );
  });

  it.each(['sim-mm7', 'sim-mm4'])('%s is of the sandbox', async (id) => {
    const { problems } = setUp();
    expect(await problems([{ ...mm7, id }])).toEqual([
      expect.stringContaining(`carrier ${id}: this id is a simulated`),
    ]);
  });

  it('a carrier without entries is nothing', async () => {
    const { problems } = setUp();
    expect(await problems([{}, 5 as unknown as object])).toEqual([
      expect.stringContaining('carriers[0]: "id" is missing'),
      expect.stringContaining('carriers[0]: "host" is missing'),
      expect.stringContaining('carriers[0]: "system_id" is missing'),
      'carriers[1]: this entry is 5; allowed: an object',
    ]);
  });
});
