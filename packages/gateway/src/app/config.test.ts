/** Environment variables as typed values: every wrong one is named, and the documentation matches the table. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isLoopback, localUrl, readConfig } from './config.ts';
import { variables } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'helio-config-'));
const file = join(folder, 'a-file');
writeFileSync(file, 'x');

function problemsOf(env: Record<string, string>): readonly string[] {
  const result = readConfig(env);
  return result.ok ? [] : result.problems;
}

function configOf(env: Record<string, string>) {
  const result = readConfig(env);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return result.config;
}

describe('readConfig', () => {
  it('has a value for everything when nothing is set', () => {
    expect(configOf({})).toEqual({
      port: 8088,
      host: '127.0.0.1',
      connectionsPerClient: 1_000,
      dataDir: './data',
      configFile: null,
      databaseUrl: null,
      standby: false,
      cluster: false,
      cells: null,
      mediaBucket: null,
      secretKeyFile: null,
      tls: null,
      trustedProxies: [],
      allowedHosts: [],
      sandbox: true,
      logLevel: 'info',
      publicUrl: null,
      secondFactorFrom: null,
      oidc: null,
      printSecrets: true,
      uncertainWaitMs: 60_000,
      waitingSecondsMax: 0,
      diskReserveMb: 256,
      inboundMms: { messageBytesMax: 10_485_760, partBytesMax: 10_485_760 },
      simulatorSmppPort: 2775,
      simulatorMm7Port: 8086,
      simulatorMm4Port: 2525,
      webhookInboxPort: 8087,
      adminEmail: null,
      adminPasswordFile: null,
      allowPrivateUrls: null,
      metrics: null,
      mail: null,
      traces: null,
    });
  });

  it('reads what is set and takes an empty variable for a missing one', () => {
    const config = configOf({
      PORT: '0',
      HELIO_HOST: '::1',
      HELIO_DATA: '',
      HELIO_TLS_CERT: file,
      HELIO_TLS_KEY: file,
      HELIO_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
      HELIO_SANDBOX: '0',
      HELIO_PUBLIC_URL: 'https://sms.example.com/',
      HELIO_ALLOWED_HOSTS: 'helio.internal, 10.0.0.7',
      HELIO_UNCERTAIN_WAIT_SECONDS: '5',
    });
    expect(config).toMatchObject({
      port: 0,
      host: '::1',
      dataDir: './data',
      tls: { certFile: file, keyFile: file },
      trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
      allowedHosts: ['helio.internal', '10.0.0.7'],
      sandbox: false,
      publicUrl: 'https://sms.example.com',
      uncertainWaitMs: 5_000,
      waitingSecondsMax: 0,
      diskReserveMb: 256,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([
    ['PORT', '80x8', 'PORT is "80x8"; allowed: a whole number from 0 to 65535.'],
    ['PORT', '65536', 'PORT is "65536"; allowed: a whole number from 0 to 65535.'],
    ['PORT', '-1', 'PORT is "-1"; allowed: a whole number from 0 to 65535.'],
    ['HELIO_HOST', '127.0.0.1:80', 'HELIO_HOST is "127.0.0.1:80"; allowed: an IP address or a host name'],
    ['HELIO_CONFIG', join(folder, 'none'), 'allowed: a file that can be read.'],
    ['HELIO_CONFIG', folder, 'allowed: a file that can be read.'],
    ['HELIO_SECRET_KEY_FILE', '/nowhere', 'HELIO_SECRET_KEY_FILE is "/nowhere"; allowed: a file that can be read.'],
    ['HELIO_TRUSTED_PROXIES', '10.0.0.0/33', 'HELIO_TRUSTED_PROXIES is "10.0.0.0/33"; allowed: IP addresses'],
    ['HELIO_TRUSTED_PROXIES', '::1,0.0.0.0/0', 'like 10.0.0.0/8,192.0.2.7, but not /0.'],
    ['HELIO_TRACE_SHARE', '1.01', 'allowed: a number from 0 to 1'],
    ['HELIO_SANDBOX', 'yes', 'HELIO_SANDBOX is "yes"; allowed: 0 or 1.'],
    ['HELIO_PRINT_SECRETS', 'toString', 'HELIO_PRINT_SECRETS is "toString"; allowed: 0 or 1.'],
    ['HELIO_LOG', 'verbose', 'HELIO_LOG is "verbose"; allowed: trace, debug, info, warn, error.'],
    ['HELIO_PUBLIC_URL', 'sms.example.com', 'HELIO_PUBLIC_URL is "sms.example.com"; allowed: an http or https'],
    ['HELIO_PUBLIC_URL', 'https://example.com/sms', 'address without user, path, query and fragment'],
    ['HELIO_ALLOWED_HOSTS', 'helio.internal:8088', 'without ports'],
    ['HELIO_UNCERTAIN_WAIT_SECONDS', '0', 'allowed: a whole number from 1 to 86400.'],
    ['HELIO_SMPP_PORT', '1e3', 'HELIO_SMPP_PORT is "1e3"; allowed: a whole number from 0 to 65535.'],
  ])('refuses %s=%s by name', (name, value, expected) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(expected);
    expect(problems[0]).not.toContain('\n');
  });

  it.each(['0', '0.0', '.5', '0.05', '1', '1.0'])('takes %s as a share of traces', (text) => {
    const config = configOf({ HELIO_OTLP_URL: 'http://127.0.0.1:4318', HELIO_TRACE_SHARE: text });
    expect(config.traces?.share).toBe(Number(text));
  });

  it('tells all problems, each on one line, whatever the value holds', () => {
    const problems = problemsOf({ PORT: 'a\nb\u001b[2J', HELIO_LOG: 'x' });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain('"a\\nb\\u001b[2J"');
  });

  it('never shows a password, right or wrong', () => {
    const wrong = problemsOf({
      HELIO_DATABASE_URL: 'mysql://db/x?user=me&password=hunter2',
      HELIO_PUBLIC_URL: 'https://me:hunter2@example.com',
    });
    expect(wrong).toHaveLength(2);
    expect(wrong.join()).not.toContain('hunter2');
    const config = configOf({ HELIO_DATABASE_URL: 'postgres://me:hunter2@db/x' });
    expect(inspect(config) + JSON.stringify(config)).not.toContain('hunter2');
    expect(config.databaseUrl?.reveal()).toBe('postgres://me:hunter2@db/x');
  });

  it('wants a bucket for the settings of one, and both of its key files', () => {
    expect(problemsOf({ HELIO_MEDIA_S3_PREFIX: 'a', HELIO_MEDIA_S3_ENDPOINT: 'https://s3.example.com' })).toEqual([
      'HELIO_MEDIA_S3_ENDPOINT is set and HELIO_MEDIA_S3_BUCKET is not: name a bucket.',
      'HELIO_MEDIA_S3_PREFIX is set and HELIO_MEDIA_S3_BUCKET is not: name a bucket.',
    ]);
    expect(problemsOf({ HELIO_MEDIA_S3_BUCKET: 'media', HELIO_MEDIA_S3_ACCESS_KEY_FILE: file })).toEqual([
      'HELIO_MEDIA_S3_ACCESS_KEY_FILE is set and HELIO_MEDIA_S3_SECRET_KEY_FILE is not; allowed: both or none.',
    ]);
  });

  it('takes a standby with PostgreSQL alone', () => {
    const databaseUrl = 'postgres://db/x';
    expect(configOf({ HELIO_STANDBY: '1', HELIO_DATABASE_URL: databaseUrl }).standby).toBe(true);
    expect(problemsOf({ HELIO_STANDBY: '1' })).toEqual([
      'HELIO_STANDBY is set and HELIO_DATABASE_URL is not; a standby needs PostgreSQL.',
    ]);
  });

  it('takes a cluster with PostgreSQL alone, without standby and sandbox', () => {
    const cluster = { HELIO_CLUSTER: '1', HELIO_DATABASE_URL: 'postgres://db/x', HELIO_SANDBOX: '0' };
    expect(configOf(cluster).cluster).toBe(true);
    expect(problemsOf({ ...cluster, HELIO_SANDBOX: '' })).toEqual([expect.stringMatching(/HELIO_SANDBOX is not 0/)]);
    expect(problemsOf({ ...cluster, HELIO_STANDBY: '1' })).toEqual([expect.stringMatching(/allowed: one of them/)]);
    expect(problemsOf({ ...cluster, HELIO_DATABASE_URL: '' })).toEqual([
      expect.stringMatching(/share a PostgreSQL database/),
    ]);
  });

  it('takes cells with name, list and secret, each with a database of its own', () => {
    const cells = {
      HELIO_CELL: 'a',
      HELIO_CELLS: 'a=10.0.1.1:8090, a=10.0.1.2:8090,b=[fd00::2]:8091,c=c.example.com:1',
      HELIO_CELLS_SECRET_FILE: file,
      HELIO_DATABASE_URL: 'postgres://db/x',
      HELIO_SANDBOX: '0',
    };
    expect(configOf(cells).cells).toEqual({
      name: 'a',
      cells: new Map([
        ['a', ['10.0.1.1:8090', '10.0.1.2:8090']],
        ['b', ['[fd00::2]:8091']],
        ['c', ['c.example.com:1']],
      ]),
      secretFile: file,
      host: '127.0.0.1',
      port: 8090,
    });
    expect(problemsOf({ ...cells, HELIO_SANDBOX: '' })).toEqual([expect.stringMatching(/HELIO_SANDBOX is not 0/)]);
    expect(problemsOf({ ...cells, HELIO_DATABASE_URL: '' })).toEqual([expect.stringMatching(/a PostgreSQL database/)]);
    expect(problemsOf({ ...cells, HELIO_CELL: 'd' })).toEqual([
      'HELIO_CELL is d, and HELIO_CELLS does not name it; it names a, b, c.',
    ]);
    expect(problemsOf({ ...cells, HELIO_CELLS: 'a=10.0.1.1:8090' })).toEqual([
      'HELIO_CELLS names no cell besides a; a gateway with one cell needs no setting of cells.',
    ]);
    expect(problemsOf({ HELIO_CELL_PORT: '8091' })).toEqual(
      ['HELIO_CELL', 'HELIO_CELLS', 'HELIO_CELLS_SECRET_FILE'].map(
        (name) =>
          `HELIO_CELL_PORT is set and ${name} is not; cells need HELIO_CELL, HELIO_CELLS, HELIO_CELLS_SECRET_FILE.`,
      ),
    );
  });

  it.each([
    'a',
    'a=',
    '=x:1',
    'a=x',
    'a=x:0',
    'a=x:65536',
    'A=x:1',
    'a=x:1,b=x:1',
    'a=http://x:1',
    'a=fd00::2:1',
    'a=x:1,b',
  ])('refuses the cells %s', (HELIO_CELLS) => {
    expect(problemsOf({ HELIO_CELLS })).toContainEqual(expect.stringMatching(/^HELIO_CELLS is ".*"; allowed: pairs/));
  });

  it('wants certificate and key together', () => {
    expect(problemsOf({ HELIO_TLS_KEY: file })).toEqual([
      'HELIO_TLS_KEY is set and HELIO_TLS_CERT is not; allowed: both or none.',
    ]);
    expect(problemsOf({ HELIO_TLS_CERT: file })).toHaveLength(1);
  });

  it('mails alerts with a server and a sender, and never shows the server', () => {
    const url = 'smtp://ada:s3cret@mail.example:2525';
    const both = { HELIO_SMTP_URL: url, HELIO_SMTP_FROM: 'gateway@example.com' };
    const mailOf = (env: Record<string, string>) => {
      const read = readConfig(env);
      return read.ok ? read.config.mail : read.problems;
    };
    expect(mailOf({})).toBeNull();
    expect(mailOf(both)).toMatchObject({ from: 'gateway@example.com', to: [] });
    expect(JSON.stringify(mailOf(both))).not.toContain('s3cret');
    expect(mailOf({ ...both, HELIO_ALERTS_TO: 'a@example.com, b@example.com' })).toMatchObject({
      to: ['a@example.com', 'b@example.com'],
    });
    expect(mailOf({ HELIO_SMTP_URL: url })).toEqual([
      'HELIO_SMTP_URL is set and HELIO_SMTP_FROM is not; allowed: both or none.',
    ]);
    expect(mailOf({ HELIO_SMTP_FROM: 'gateway@example.com' })).toHaveLength(1);
    expect(mailOf({ HELIO_ALERTS_TO: 'a@example.com' })).toEqual([
      'HELIO_ALERTS_TO is set and HELIO_SMTP_URL is not: name a server.',
    ]);
    for (const wrong of ['mail.example', 'https://s3cret@mail.example', `${url}/box`, `${url}?x=1`, 'smtp://%zz@a']) {
      const problems = mailOf({ ...both, HELIO_SMTP_URL: wrong }) as string[];
      expect(problems[0], wrong).toMatch(/^HELIO_SMTP_URL is something else \(not shown/);
      expect(problems.join(' ')).not.toContain('s3cret');
    }
  });

  it('warns of names it does not know, with the nearest', () => {
    const { warnings } = readConfig({ HELIO_PORT: '1', HELIO_SANBOX: '0', HELIO_QUITE_ELSE: '', PATH: '/bin' });
    expect(warnings).toEqual([
      'HELIO_PORT is not a setting and changes nothing. Did you mean PORT?',
      'HELIO_SANBOX is not a setting and changes nothing. Did you mean HELIO_SANDBOX?',
      'HELIO_QUITE_ELSE is not a setting and changes nothing.',
    ]);
  });
});

describe('where the gateway is found', () => {
  it.each([
    ['127.0.0.1', 'http://localhost:8088'],
    ['127.9.9.9', 'http://localhost:8088'],
    ['0.0.0.0', 'http://localhost:8088'],
    ['::', 'http://localhost:8088'],
    ['192.0.2.7', 'http://192.0.2.7:8088'],
    ['2001:db8::1', 'http://[2001:db8::1]:8088'],
  ])('%s is %s', (host, url) => {
    expect(localUrl({ host, tls: null }, 8088)).toBe(url);
  });

  it('says https with a certificate and knows loopback', () => {
    expect(localUrl({ host: 'localhost', tls: { certFile: '', keyFile: '' } }, 1)).toBe('https://localhost:1');
    expect(['127.0.0.1', '::1', 'localhost'].every(isLoopback)).toBe(true);
    expect(['0.0.0.0', '10.0.0.1', '::', '127.example.com'].some(isLoopback)).toBe(false);
  });
});

describe('the identity provider', () => {
  const whole = {
    HELIO_PUBLIC_URL: 'https://texts.example.com',
    HELIO_OIDC_ISSUER: 'https://id.example.com/realms/a',
    HELIO_OIDC_CLIENT_ID: 'heliograph',
  };

  it('is read with its maps and lists', () => {
    const { oidc } = configOf({
      ...whole,
      HELIO_OIDC_ROLES: 'cn=admins=Admin',
      HELIO_OIDC_ACCOUNTS: 'acme = acc_acme, bakery=acc_two',
      HELIO_OIDC_DOMAINS: 'Example.com, example.org',
      HELIO_OIDC_SECOND_FACTOR: 'mfa,phr',
    });
    expect([...oidc!.roles!]).toEqual([['cn=admins', 'Admin']]);
    expect([...oidc!.accounts!]).toEqual([
      ['acme', 'acc_acme'],
      ['bakery', 'acc_two'],
    ]);
    expect(oidc).toMatchObject({
      domains: ['example.com', 'example.org'],
      secondFactor: ['mfa', 'phr'],
      creates: false,
    });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['an issuer over plain http', { HELIO_OIDC_ISSUER: 'http://id.example.com' }, /HELIO_OIDC_ISSUER is .*https/],
    ['no client id', { HELIO_OIDC_CLIENT_ID: '' }, /HELIO_OIDC_ISSUER is set and HELIO_OIDC_CLIENT_ID is not/],
    ['no issuer', { HELIO_OIDC_ISSUER: '' }, /HELIO_OIDC_CLIENT_ID is set and HELIO_OIDC_ISSUER is not/],
    ['no public address', { HELIO_PUBLIC_URL: '' }, /HELIO_PUBLIC_URL is not/],
    ['a role that there is not', { HELIO_OIDC_ROLES: 'a=King' }, /HELIO_OIDC_ROLES is .*one of Owner/],
    ['new people of no company', { HELIO_OIDC_CREATE: '1', HELIO_OIDC_ROLE_ELSE: 'Viewer' }, /name a company/],
    ['new people without a role', { HELIO_OIDC_CREATE: '1', HELIO_OIDC_ACCOUNT: 'acc' }, /name a role/],
    ['scopes without openid', { HELIO_OIDC_SCOPES: 'email' }, /HELIO_OIDC_SCOPES is .*openid/],
  ])('is refused with %s', (_, changes, problem) => {
    const read = readConfig({ ...whole, ...changes });
    expect(read.ok ? [] : read.problems).toEqual([expect.stringMatching(problem)]);
  });
});

describe('docs/configuration.md', () => {
  it('has one row for each variable, with its default, what is allowed and what it means', () => {
    const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| `(PORT|HELIO_)/.test(line));
    const expected = variables.map(({ name, fallback, allowed, meaning }) => {
      const shown = fallback === null || fallback === '' ? 'not set' : `\`${fallback}\``;
      return `| \`${name}\` | ${shown} | ${allowed} | ${meaning} |`;
    });
    expect(rows).toEqual(expected);
  });
});
