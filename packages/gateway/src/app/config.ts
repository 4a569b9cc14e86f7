/**
 * Reads the environment once into a frozen object; nothing else reads `process.env`. A test compares the table below
 * with `docs/configuration.md`. Problems never contain the value of a secret.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { type LogLevel, logLevels } from '../kernel/logger.ts';
import { nearest } from '../kernel/nearest.ts';
import type { Secret } from '../kernel/secret.ts';
import {
  addressList,
  bucketName,
  emailAddress,
  emailAddresses,
  folder,
  hostList,
  hostName,
  keyPrefix,
  oneOf,
  orNull,
  portNumber,
  postgresUrl,
  readableFile,
  regionName,
  type Setting,
  smtpUrl,
  webUrl,
  wholeNumber,
  withDefault,
  zeroOrOne,
} from '../kernel/setting.ts';
import type { BucketSettings } from '../media/open-bucket.ts';
import { type InboundMmsLimits, inboundMmsLimits } from '../model/inbound-limits.ts';
import type { MailSettings } from '../subjects/alerts/mailer.ts';

/** Exit code for a configuration that cannot be used (sysexits.h EX_CONFIG). */
export const badConfigurationExitCode = 78;

export interface Config {
  /** Port of the HTTP door; 0 = any free one. */
  readonly port: number;
  readonly host: string;
  /** As it was given: relative to the working directory unless absolute. */
  readonly dataDir: string;
  /** A records file to apply at start. */
  readonly configFile: string | null;
  /** Null = SQLite in the data folder. */
  readonly databaseUrl: Secret | null;
  /** With PostgreSQL: waits while another node acts, and takes over when that one ends. */
  readonly standby: boolean;
  /** With PostgreSQL: one of several gateways that share the database. */
  readonly cluster: boolean;
  /** Where media and evidence are kept; null = PostgreSQL where that is the store, else the data folder. */
  readonly mediaBucket: BucketSettings | null;
  /** Null = `secret.key` in the data folder. */
  readonly secretKeyFile: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Addresses and CIDR blocks; empty = none. */
  readonly trustedProxies: readonly string[];
  readonly connectionsPerClient: number;
  /** Names a request may use besides those that are known to be ours; `*` = any. */
  readonly allowedHosts: readonly string[];
  readonly sandbox: boolean;
  readonly logLevel: LogLevel;
  /** Without a slash at the end. */
  readonly publicUrl: string | null;
  readonly printSecrets: boolean;
  /** How long an uncertain message waits for a receipt before the account's policy acts. */
  readonly uncertainWaitMs: number;
  readonly inboundMms: InboundMmsLimits;
  /** The port the simulated carrier tries first; 0 = any free one. */
  readonly simulatorSmppPort: number;
  /** The ports the simulated carrier's MM7 and MM4 sides try first; 0 = any free one. */
  readonly simulatorMm7Port: number;
  readonly simulatorMm4Port: number;
  /** The port the sandbox's webhook inbox tries first; 0 = any free one. */
  readonly webhookInboxPort: number;
  /** The administrator that is made at a start without one; both or none are set. */
  readonly adminEmail: string | null;
  readonly adminPasswordFile: string | null;
  /** Whether webhooks may go to this machine and private networks; null = decided by what else is set. */
  readonly allowPrivateUrls: boolean | null;
  /** Null = there are none. */
  readonly metrics: MetricsConfig | null;
  /** With which alerts are mailed; null = they are not. */
  readonly mail: MailSettings | null;
}

export interface MetricsConfig {
  /** Of a listener of their own, 0 = any free one; null = they are served on the port of the HTTP server. */
  readonly port: number | null;
  readonly host: string;
  /** Null = no token is required; only on a listener that this machine alone can reach. */
  readonly tokenFile: string | null;
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  /** One line each, to be printed on stderr before ending with exit code 78. */
  | { readonly ok: false; readonly problems: readonly string[]; readonly warnings: readonly string[] };

const settings = {
  port: withDefault('PORT', '8088', portNumber, 'Port of the HTTP server; 0 takes any free one.'),
  host: withDefault(
    'HELIO_HOST',
    '127.0.0.1',
    hostName,
    'Address that the HTTP server listens on; 0.0.0.0 is every IPv4 address.',
  ),
  dataDir: withDefault('HELIO_DATA', './data', folder, 'Folder for everything that must survive a restart.'),
  configFile: orNull(
    'HELIO_CONFIG',
    readableFile,
    'Records file that the gateway applies at each start, as `helio apply FILE` does; it skips entries with unconfirmed removals.',
  ),
  databaseUrl: orNull(
    'HELIO_DATABASE_URL',
    postgresUrl,
    'PostgreSQL to use instead of SQLite in the data folder: docs/postgresql.md.',
  ),
  standby: withDefault(
    'HELIO_STANDBY',
    '0',
    zeroOrOne,
    'With PostgreSQL: whether a gateway that finds another one acting on the database waits and takes over when that one ends; 0 = it is refused.',
  ),
  cluster: withDefault(
    'HELIO_CLUSTER',
    '0',
    zeroOrOne,
    'With PostgreSQL: whether several gateways share the database, all of them with this setting. Each answers the API, the portal and webhooks of carriers; one hands messages to carriers, and another takes over when it ends. Needs HELIO_SANDBOX=0.',
  ),
  secretKeyFile: orNull(
    'HELIO_SECRET_KEY_FILE',
    readableFile,
    'File with the key that encrypts carrier passwords: 32 bytes raw, as 64 hex digits or as base64, readable by its owner only. By default `secret.key` in the data folder, made at the first start.',
  ),
  tlsCertFile: orNull(
    'HELIO_TLS_CERT',
    readableFile,
    'Certificate chain (PEM) to serve https with; needs HELIO_TLS_KEY.',
  ),
  tlsKeyFile: orNull('HELIO_TLS_KEY', readableFile, 'Private key (PEM) of that certificate; needs HELIO_TLS_CERT.'),
  trustedProxies: withDefault(
    'HELIO_TRUSTED_PROXIES',
    '',
    addressList,
    'Proxies whose X-Forwarded headers the gateway trusts.',
  ),
  connectionsPerClient: withDefault(
    'HELIO_CONNECTIONS_PER_CLIENT',
    '1000',
    wholeNumber(0, 10_000),
    'Connections that one client (an IPv4 address or an IPv6 /64) may have open; further ones are closed. Trusted proxies have no limit; 0 = no limit for anybody.',
  ),
  allowedHosts: withDefault(
    'HELIO_ALLOWED_HOSTS',
    '',
    hostList,
    'Names and addresses that requests may have in the header Host, besides those of HELIO_PUBLIC_URL and HELIO_HOST, the name of this machine, localhost, and the address that a connection arrives at; * is any. Others get 421, except at /healthz and /readyz.',
  ),
  sandbox: withDefault(
    'HELIO_SANDBOX',
    '1',
    zeroOrOne,
    'Whether the sandbox with its simulated carrier runs; with 0 no sandbox key works.',
  ),
  logLevel: withDefault('HELIO_LOG', 'info', oneOf(logLevels), 'Level of the log, which is JSON lines on stderr.'),
  publicUrl: orNull('HELIO_PUBLIC_URL', webUrl, 'Address at which people reach the gateway, used in links.'),
  printSecrets: withDefault(
    'HELIO_PRINT_SECRETS',
    '1',
    zeroOrOne,
    'Whether the start card shows the sandbox credentials.',
  ),
  uncertainWaitSeconds: withDefault(
    'HELIO_UNCERTAIN_WAIT_SECONDS',
    '60',
    wholeNumber(1, 86_400),
    'How long an uncertain message waits for a receipt before the gateway repeats or holds it. Later repeats wait 5, 30, then 120 times as long: 5 min, 30 min, 2 h.',
  ),
  inboundMmsBytes: withDefault(
    'HELIO_INBOUND_MMS_BYTES',
    String(inboundMmsLimits.messageBytesMax),
    wholeNumber(100_000, 52_428_800),
    'Largest multimedia message that the gateway takes from a carrier, in its encoded size (base64 over MM4); a larger one gets a temporary error, so the carrier keeps it and tries again.',
  ),
  inboundPartBytes: withDefault(
    'HELIO_INBOUND_PART_BYTES',
    String(inboundMmsLimits.partBytesMax),
    wholeNumber(10_000, 52_428_800),
    'Largest part of such a message (a picture, a voice note, a document); a message with a larger part gets a temporary error.',
  ),
  simulatorSmppPort: withDefault(
    'HELIO_SMPP_PORT',
    '2775',
    portNumber,
    'Port on 127.0.0.1 that the simulated carrier tries first; if it is in use, a free one. 0 takes any free one.',
  ),
  simulatorMm7Port: withDefault(
    'HELIO_MM7_PORT',
    '8086',
    portNumber,
    'Port on 127.0.0.1 that the MM7 side of the simulated carrier tries first; if it is in use, a free one. 0 takes any free one.',
  ),
  simulatorMm4Port: withDefault(
    'HELIO_MM4_PORT',
    '2525',
    portNumber,
    'Port on 127.0.0.1 that the MM4 side of the simulated carrier tries first; if it is in use, a free one. 0 takes any free one.',
  ),
  webhookInboxPort: withDefault(
    'HELIO_INBOX_PORT',
    '8087',
    portNumber,
    'Port on 127.0.0.1 that the webhook inbox of the sandbox tries first; if it is in use, a free one. 0 takes any free one.',
  ),
  adminEmail: orNull(
    'HELIO_ADMIN_EMAIL',
    emailAddress,
    'E-mail address of the administrator that a start makes if there is none; needs HELIO_ADMIN_PASSWORD_FILE.',
  ),
  adminPasswordFile: orNull(
    'HELIO_ADMIN_PASSWORD_FILE',
    readableFile,
    'File with the password of that administrator on its only line; needs HELIO_ADMIN_EMAIL.',
  ),
  allowPrivateUrls: orNull(
    'HELIO_ALLOW_PRIVATE_URLS',
    zeroOrOne,
    'Whether webhooks may go to this machine, to private networks and to any port. By default only while the sandbox is on, no live carrier is on record and HELIO_HOST is loopback. The metadata addresses of clouds are always blocked; sandbox endpoints can always reach the webhook inbox.',
  ),
};

/** Of the S3 bucket for media and evidence. */
const bucketSettings = {
  bucket: orNull(
    'HELIO_MEDIA_S3_BUCKET',
    bucketName,
    'S3 bucket for the files of media and evidence. Without it they are in PostgreSQL, or with SQLite in the data folder.',
  ),
  endpoint: orNull(
    'HELIO_MEDIA_S3_ENDPOINT',
    webUrl,
    'Address of an S3 service that is not AWS; the bucket is named in the path.',
  ),
  region: withDefault('HELIO_MEDIA_S3_REGION', 'us-east-1', regionName, 'Region of the bucket.'),
  prefix: orNull('HELIO_MEDIA_S3_PREFIX', keyPrefix, 'What every key in the bucket begins with.'),
  accessKeyFile: orNull(
    'HELIO_MEDIA_S3_ACCESS_KEY_FILE',
    readableFile,
    'File with the access key id on its only line; needs HELIO_MEDIA_S3_SECRET_KEY_FILE. Without both, the usual places of the AWS SDK: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the shared files, the role of the machine.',
  ),
  secretKeyFile: orNull(
    'HELIO_MEDIA_S3_SECRET_KEY_FILE',
    readableFile,
    'File with the secret access key on its only line; needs HELIO_MEDIA_S3_ACCESS_KEY_FILE.',
  ),
};

const metricsSettings = {
  port: orNull(
    'HELIO_METRICS_PORT',
    portNumber,
    'Port on which `/metrics` answers scrapes of Prometheus, in plain HTTP and nothing else; 0 takes any free one. Without it and without a token there are no metrics: docs/metrics.md.',
  ),
  host: orNull(
    'HELIO_METRICS_HOST',
    hostName,
    'Address that this port listens on, by default 127.0.0.1; any other one that is not loopback needs a token.',
  ),
  tokenFile: orNull(
    'HELIO_METRICS_TOKEN_FILE',
    readableFile,
    'File with the token on its only line that a scrape must send (`Authorization: Bearer`). Without HELIO_METRICS_PORT it puts `/metrics` on the port of the HTTP server.',
  ),
};

const mailSettings = {
  url: orNull(
    'HELIO_SMTP_URL',
    smtpUrl,
    'SMTP server that takes mails about alerts (docs/alerts.md); needs HELIO_SMTP_FROM. The port is 587, or 465 with smtps, unless it is named; a password goes over TLS only.',
  ),
  from: orNull('HELIO_SMTP_FROM', emailAddress, 'Address that these mails come from; needs HELIO_SMTP_URL.'),
  to: withDefault('HELIO_ALERTS_TO', '', emailAddresses, 'Who gets them; without it, every operator of the portal.'),
};

type ValuesOf<S> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The variables as docs/configuration.md shows them. */
export const variables: readonly Omit<Setting<unknown>, 'parse'>[] = [
  settings,
  bucketSettings,
  metricsSettings,
  mailSettings,
].flatMap((table) => Object.values<Setting<unknown>>(table));

/** Reads the variables out of `env`, checking that the files they name can be read. Reports all problems, not only the first. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ConfigResult {
  const problems: string[] = [];
  const { tlsCertFile, tlsKeyFile, uncertainWaitSeconds, inboundMmsBytes, inboundPartBytes, ...rest } = parsed(
    settings,
    env,
    problems,
  );
  const mediaBucket = bucketOf(parsed(bucketSettings, env, problems), problems);
  const metrics = metricsOf(parsed(metricsSettings, env, problems), problems);
  const mail = mailOf(parsed(mailSettings, env, problems), problems);
  if ((tlsCertFile === null) !== (tlsKeyFile === null)) {
    const [given, missing] = tlsCertFile === null ? ['KEY', 'CERT'] : ['CERT', 'KEY'];
    problems.push(`HELIO_TLS_${given} is set and HELIO_TLS_${missing} is not; allowed: both or none.`);
  }
  if ((rest.adminEmail === null) !== (rest.adminPasswordFile === null)) {
    const [given, missing] = rest.adminEmail === null ? ['PASSWORD_FILE', 'EMAIL'] : ['EMAIL', 'PASSWORD_FILE'];
    problems.push(`HELIO_ADMIN_${given} is set and HELIO_ADMIN_${missing} is not; allowed: both or none.`);
  }
  if (rest.standby && rest.databaseUrl === null) {
    problems.push('HELIO_STANDBY is set and HELIO_DATABASE_URL is not; a standby needs PostgreSQL.');
  }
  if (rest.cluster) problems.push(...clusterProblems(rest));
  const warnings = unknownNames(env);
  if (problems.length > 0) return { ok: false, problems, warnings };
  const tls = tlsCertFile !== null && tlsKeyFile !== null ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : null;
  const config = Object.freeze({
    ...rest,
    tls: Object.freeze(tls),
    mediaBucket,
    metrics,
    mail,
    uncertainWaitMs: uncertainWaitSeconds * 1_000,
    inboundMms: Object.freeze({ messageBytesMax: inboundMmsBytes, partBytesMax: inboundPartBytes }),
  });
  return { ok: true, config, warnings };
}

function clusterProblems({
  databaseUrl,
  standby,
  sandbox,
}: Pick<Config, 'databaseUrl' | 'standby' | 'sandbox'>): string[] {
  const problems: string[] = [];
  if (databaseUrl === null) {
    problems.push('HELIO_CLUSTER is set and HELIO_DATABASE_URL is not; several gateways share a PostgreSQL database.');
  }
  if (standby) problems.push('HELIO_CLUSTER and HELIO_STANDBY are both set; allowed: one of them.');
  if (sandbox) {
    problems.push(
      'HELIO_CLUSTER is set and HELIO_SANDBOX is not 0; the simulated carrier and its handsets live inside one gateway.',
    );
  }
  return problems;
}

/** What `env` sets of a table. Values that are not allowed are problems. */
function parsed<S extends Readonly<Record<string, Setting<unknown>>>>(
  table: S,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): ValuesOf<S> {
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(table)) {
    // An empty variable counts as not set: compose files and unit files cannot leave one out.
    const text = env[setting.name] || setting.fallback;
    values[key] = text === null ? null : setting.parse(text);
    if (values[key] === undefined)
      problems.push(`${setting.name} is ${seen(setting, text!)}; allowed: ${setting.allowed}.`);
  }
  return values as ValuesOf<S>;
}

function bucketOf(values: ValuesOf<typeof bucketSettings>, problems: string[]): BucketSettings | null {
  const { bucket, endpoint, region, prefix, accessKeyFile: access, secretKeyFile: secret } = values;
  if ((access === null) !== (secret === null)) {
    const [given, missing] = access === null ? ['SECRET', 'ACCESS'] : ['ACCESS', 'SECRET'];
    problems.push(
      `HELIO_MEDIA_S3_${given}_KEY_FILE is set and HELIO_MEDIA_S3_${missing}_KEY_FILE is not; allowed: both or none.`,
    );
  }
  if (bucket === null) {
    for (const [name, value] of Object.entries({ ENDPOINT: endpoint, PREFIX: prefix, ACCESS_KEY_FILE: access })) {
      if (value !== null)
        problems.push(`HELIO_MEDIA_S3_${name} is set and HELIO_MEDIA_S3_BUCKET is not: name a bucket.`);
    }
    return null;
  }
  const keyFiles = access === null || secret === null ? null : Object.freeze({ access, secret });
  return Object.freeze({ bucket, endpoint, region, prefix: prefix ?? '', keyFiles });
}

function metricsOf(
  { port, host, tokenFile }: ValuesOf<typeof metricsSettings>,
  problems: string[],
): MetricsConfig | null {
  if (host !== null && port === null) {
    problems.push('HELIO_METRICS_HOST is set and HELIO_METRICS_PORT is not: name a port.');
  }
  if (port !== null && host !== null && !isLoopback(host) && tokenFile === null) {
    problems.push(
      `HELIO_METRICS_HOST is ${host}, which others reach, and HELIO_METRICS_TOKEN_FILE is not set; allowed: a loopback address, or a token.`,
    );
  }
  if (port === null && tokenFile === null) return null;
  return Object.freeze({ port, host: host ?? '127.0.0.1', tokenFile });
}

function mailOf({ url, from, to }: ValuesOf<typeof mailSettings>, problems: string[]): MailSettings | null {
  if ((url === null) !== (from === null)) {
    const [given, missing] = url === null ? ['FROM', 'URL'] : ['URL', 'FROM'];
    problems.push(`HELIO_SMTP_${given} is set and HELIO_SMTP_${missing} is not; allowed: both or none.`);
  }
  if (url === null && to.length > 0) problems.push('HELIO_ALERTS_TO is set and HELIO_SMTP_URL is not: name a server.');
  return url === null || from === null ? null : Object.freeze({ url, from, to });
}

function seen(setting: Setting<unknown>, text: string): string {
  if (setting.secret === true) return 'something else (not shown, as it may hold a password)';
  return JSON.stringify(text.slice(0, 200).replace(/\/\/[^/@]*@/g, '//…@'));
}

/** Of the commands, not of the gateway. */
const namesOfCommands = ['HELIO_URL', 'HELIO_BEARER_TOKEN', 'HELIO_AUTH_TOKEN'];

function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = [...variables.map((variable) => variable.name), ...namesOfCommands];
  const tails = known.map(tail);
  return Object.keys(env)
    .filter((name) => name.startsWith('HELIO_') && !known.includes(name))
    .map((name) => {
      const near = nearest(tail(name), tails);
      const hint = near === null ? '' : ` Did you mean ${known[tails.indexOf(near)]}?`;
      return `${name} is not a setting and changes nothing.${hint}`;
    });
}

function tail(name: string): string {
  return name.replace(/^HELIO_/, '');
}

/** True when only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Where a browser on this machine finds the gateway; `localhost` also for an address that stands for all of them. */
export function localUrl(config: Pick<Config, 'host' | 'tls'>, port: number): string {
  const scheme = config.tls === null ? 'http' : 'https';
  const host = isIPv6(config.host) ? `[${config.host}]` : config.host;
  return `${scheme}://${isLoopback(config.host) || isEveryAddress(config.host) ? 'localhost' : host}:${port}`;
}

/** True for the addresses that mean every network interface of this machine. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
