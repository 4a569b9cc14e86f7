/**
 * Reads the environment once into a frozen object; nothing else reads `process.env`. Problems never contain the value of a secret.
 */
import { isIPv4, isIPv6 } from 'node:net';
import type { EpochMs } from '../kernel/clock.ts';
import type { LogLevel } from '../kernel/logger.ts';
import { nearest } from '../kernel/nearest.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Setting } from '../kernel/setting.ts';
import type { BucketSettings } from '../media/open-bucket.ts';
import type { InboundMmsLimits } from '../model/inbound-limits.ts';
import type { MailSettings } from '../subjects/alerts/mailer.ts';
import type { CellSettings } from '../subjects/cells/peers.ts';
import type { SsoSettings } from '../subjects/people/people-parts.ts';
import {
  bucketSettings,
  cellSettings,
  mailSettings,
  metricsSettings,
  oidcSettings,
  settings,
  tracesSettings,
  type ValuesOf,
  variables,
} from './variables.ts';

/** Exit code for a configuration that cannot be used (sysexits.h EX_CONFIG). */
export const badConfigurationExitCode = 78;

export interface Config {
  /** Port of the HTTP server; 0 = any free one. */
  readonly port: number;
  readonly host: string;
  /** As configured: relative to the working directory unless absolute. */
  readonly dataDir: string;
  /** A records file to apply at start. */
  readonly configFile: string | null;
  /** Null = SQLite in the data folder. */
  readonly databaseUrl: Secret | null;
  /** With PostgreSQL: this node waits while another one acts, and takes over when that one ends. */
  readonly standby: boolean;
  /** With PostgreSQL: one of several gateways that share the database. */
  readonly cluster: boolean;
  /** This cell, if there are several, each with its own PostgreSQL; null = there is only one. */
  readonly cells: CellSettings | null;
  /** Where media and evidence are kept; null = PostgreSQL where that is the store, else the data folder. */
  readonly mediaBucket: BucketSettings | null;
  /** Null = `secret.key` in the data folder. */
  readonly secretKeyFile: string | null;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Addresses and CIDR blocks; empty = none. */
  readonly trustedProxies: readonly string[];
  readonly connectionsPerClient: number;
  /** Host names that a request may use besides the known ones of this gateway; `*` = any. */
  readonly allowedHosts: readonly string[];
  readonly sandbox: boolean;
  readonly logLevel: LogLevel;
  /** Without a trailing slash. */
  readonly publicUrl: string | null;
  readonly printSecrets: boolean;
  /** How long an uncertain message waits for a receipt before the account's policy acts. */
  readonly uncertainWaitMs: number;
  /**
   * For accounts without their own limit: how long messages may wait for a carrier before further ones are refused; 0 =
   * no limit.
   */
  readonly waitingSecondsMax: number;
  readonly diskReserveMb: number;
  readonly inboundMms: InboundMmsLimits;
  /** The port the simulated carrier tries first; 0 = any free one. */
  readonly simulatorSmppPort: number;
  /** The ports the simulated carrier's MM7 and MM4 sides try first; 0 = any free one. */
  readonly simulatorMm7Port: number;
  readonly simulatorMm4Port: number;
  /** The port the sandbox's webhook inbox tries first; 0 = any free one. */
  readonly webhookInboxPort: number;
  /** The administrator created at a start without one; both are set, or neither. */
  readonly adminEmail: string | null;
  readonly adminPasswordFile: string | null;
  /** From this time on everybody needs a second factor; null = each company decides. */
  readonly secondFactorFrom: EpochMs | null;
  /** Whether webhooks may go to this machine and private networks; null = decided by the other settings. */
  readonly allowPrivateUrls: boolean | null;
  /** Null = no metrics. */
  readonly metrics: MetricsConfig | null;
  /** Null = no traces. */
  readonly traces: TracesConfig | null;
  /** The identity provider; null = none. */
  readonly oidc: OidcConfig | null;
  /** How to send mails; null = no mails are sent. */
  readonly mail: MailSettings | null;
}

export interface OidcConfig extends SsoSettings {
  readonly clientId: string;
  /** Null = a public client. */
  readonly clientSecretFile: string | null;
  readonly scopes: string;
  readonly isPrivate: boolean;
}

export interface MetricsConfig {
  /** The port of a separate listener, 0 = any free one; null = served on the port of the HTTP server. */
  readonly port: number | null;
  readonly host: string;
  /** Null = no token is required; allowed only on a loopback listener. */
  readonly tokenFile: string | null;
}

export interface TracesConfig {
  /** The collector's URL, without a path for traces. */
  readonly collector: string;
  /** The share of traced messages among those whose caller has no trace of its own, 0 to 1. */
  readonly share: number;
}

export type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  /** One line each, for stderr before an exit with code 78. */
  | { readonly ok: false; readonly problems: readonly string[]; readonly warnings: readonly string[] };

/**
 * Reads the variables of `env` and checks that the files they name can be read. Reports all problems, not only the
 * first.
 */
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
  const oidc = oidcOf(parsed(oidcSettings, env, problems), rest.publicUrl, env, problems);
  const { collector, share } = parsed(tracesSettings, env, problems);
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
  const cells = cellsOf(parsed(cellSettings, env, problems), { ...rest, env }, problems);
  const warnings = unknownNames(env);
  if (problems.length > 0) return { ok: false, problems, warnings };
  const tls = tlsCertFile !== null && tlsKeyFile !== null ? { certFile: tlsCertFile, keyFile: tlsKeyFile } : null;
  const config = Object.freeze({
    ...rest,
    tls: Object.freeze(tls),
    mediaBucket,
    cells,
    metrics,
    traces: collector === null ? null : Object.freeze({ collector, share }),
    mail,
    oidc,
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

/** All three are set or none; the ports have defaults. */
function cellsOf(
  { name, cells, secretFile, host, port }: ValuesOf<typeof cellSettings>,
  { databaseUrl, sandbox, env }: Pick<Config, 'databaseUrl' | 'sandbox'> & { env: Parameters<typeof parsed>[1] },
  problems: string[],
): CellSettings | null {
  const needed = ['HELIO_CELL', 'HELIO_CELLS', 'HELIO_CELLS_SECRET_FILE'];
  const given = Object.values(cellSettings).find((setting) => (env[setting.name] ?? '') !== '');
  if (given === undefined) return null;
  const missing = needed.filter((one) => (env[one] ?? '') === '');
  for (const one of missing) problems.push(`${given.name} is set and ${one} is not; cells need ${needed.join(', ')}.`);
  if (name === null || cells === null || secretFile === null) return null;
  if (!cells.has(name)) {
    problems.push(`HELIO_CELL is ${name}, and HELIO_CELLS does not name it; it names ${[...cells.keys()].join(', ')}.`);
  } else if (cells.size < 2) {
    problems.push(`HELIO_CELLS names no cell besides ${name}; a gateway with one cell needs no setting of cells.`);
  }
  if (databaseUrl === null) {
    problems.push('HELIO_CELL is set and HELIO_DATABASE_URL is not; each cell has a PostgreSQL database of its own.');
  }
  if (sandbox) {
    problems.push('HELIO_CELL is set and HELIO_SANDBOX is not 0; the sandbox would be the same account in every cell.');
  }
  return Object.freeze({ name, cells, secretFile, host, port });
}

/** The values that `env` sets of a table. Each value that is not allowed becomes a problem. */
function parsed<S extends Readonly<Record<string, Setting<unknown>>>>(
  table: S,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): ValuesOf<S> {
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(table)) {
    // An empty variable counts as not set: compose files and unit files cannot omit one.
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

function oidcOf(
  { issuer, clientId, ...rest }: ValuesOf<typeof oidcSettings>,
  publicUrl: string | null,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): OidcConfig | null {
  if (issuer === null || clientId === null) {
    const set = Object.values(oidcSettings).find(({ name }) => (env[name] ?? '') !== '');
    const missing = issuer === null ? 'HELIO_OIDC_ISSUER' : 'HELIO_OIDC_CLIENT_ID';
    if (set !== undefined && set.name !== missing)
      problems.push(`${set.name} is set and ${missing} is not; it is needed.`);
    return null;
  }
  if (publicUrl === null) {
    problems.push('HELIO_OIDC_ISSUER is set and HELIO_PUBLIC_URL is not: the provider sends people back there.');
  }
  if (rest.creates && rest.account === null && rest.accounts === null) {
    problems.push(
      'HELIO_OIDC_CREATE is 1 and neither HELIO_OIDC_ACCOUNT nor HELIO_OIDC_ACCOUNTS is set: name a company.',
    );
  }
  if (rest.creates && rest.roles === null && rest.roleElse === null) {
    problems.push('HELIO_OIDC_CREATE is 1 and neither HELIO_OIDC_ROLES nor HELIO_OIDC_ROLE_ELSE is set: name a role.');
  }
  return Object.freeze({ issuer, clientId, ...rest });
}

function seen(setting: Setting<unknown>, text: string): string {
  if (setting.secret === true) return 'something else (not shown, as it may hold a password)';
  return JSON.stringify(text.slice(0, 200).replace(/\/\/[^/@]*@/g, '//…@'));
}

/** Variables that the commands read, not the gateway. */
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

/**
 * The URL under which a browser on this machine reaches the gateway; `localhost` also for an address that means every
 * interface.
 */
export function localUrl(config: Pick<Config, 'host' | 'tls'>, port: number): string {
  const scheme = config.tls === null ? 'http' : 'https';
  const host = isIPv6(config.host) ? `[${config.host}]` : config.host;
  return `${scheme}://${isLoopback(config.host) || isEveryAddress(config.host) ? 'localhost' : host}:${port}`;
}

/** True for the addresses that mean every network interface of this machine. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
