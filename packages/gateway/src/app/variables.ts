/**
 * The environment variables: one table for each subject. A test compares them with `docs/configuration.md`.
 */
import { logLevels } from '../kernel/logger.ts';
import {
  addressList,
  bucketName,
  calendarDay,
  cellAddresses,
  cellName,
  domainList,
  emailAddress,
  emailAddresses,
  folder,
  hostList,
  hostName,
  issuerUrl,
  keyPrefix,
  oneOf,
  orNull,
  pairsOf,
  plainWord,
  portNumber,
  postgresUrl,
  readableFile,
  regionName,
  type Setting,
  scopeList,
  share,
  smtpUrl,
  webUrl,
  wholeNumber,
  withDefault,
  wordList,
  zeroOrOne,
} from '../kernel/setting.ts';
import { inboundMmsLimits } from '../model/inbound-limits.ts';
import { roles } from '../model/roles.ts';

export const settings = {
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
    'With PostgreSQL: whether several gateways share the database, all of them with this setting. Each answers the API, the portal and webhooks of carriers, and has some of the carriers; others take these over when it ends. Needs HELIO_SANDBOX=0.',
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
  waitingSecondsMax: withDefault(
    'HELIO_WAITING_SECONDS_MAX',
    '0',
    wholeNumber(0, 86_400),
    'How long messages of a company that has no limit of its own may wait for their carrier: a request whose messages would wait longer is refused with 503; 0 = no limit.',
  ),
  diskReserveMb: withDefault(
    'HELIO_DISK_RESERVE_MB',
    '256',
    wholeNumber(0, 1_000_000),
    'Space on the disk of the data folder, in MB, that is left to replies, receipts and what waits: with less, SQLite takes no new messages, and answers 503; 0 = none.',
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
  secondFactorFrom: orNull(
    'HELIO_SECOND_FACTOR_FROM',
    calendarDay,
    'Day (UTC) from which everybody in every company must have a second factor: docs/sign-in.md. Until then those without one see a notice. Without it, each company decides.',
  ),
  allowPrivateUrls: orNull(
    'HELIO_ALLOW_PRIVATE_URLS',
    zeroOrOne,
    'Whether webhooks may go to this machine, to private networks and to any port. By default only while the sandbox is on, no live carrier is on record and HELIO_HOST is loopback. The metadata addresses of clouds are always blocked; sandbox endpoints can always reach the webhook inbox.',
  ),
};

/** The S3 bucket for media and evidence. */
export const bucketSettings = {
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

/** Several cells, each with its own PostgreSQL. */
export const cellSettings = {
  name: orNull(
    'HELIO_CELL',
    cellName,
    'Name of the cell of this gateway, where several have a database each: docs/cells.md. Needs HELIO_CELLS and HELIO_CELLS_SECRET_FILE.',
  ),
  cells: orNull(
    'HELIO_CELLS',
    cellAddresses,
    'All cells with the addresses at which their gateways reach each other, the own one included, like a=10.0.1.1:8090,b=10.0.2.1:8090; a cell of several gateways is named once for each. The same at all gateways.',
  ),
  secretFile: orNull(
    'HELIO_CELLS_SECRET_FILE',
    readableFile,
    'File with the secret that the gateways of all cells share, on its only line: at least 32 characters.',
  ),
  host: withDefault(
    'HELIO_CELL_HOST',
    '127.0.0.1',
    hostName,
    'Address that this gateway listens on for those of other cells; 0.0.0.0 is every IPv4 address.',
  ),
  port: withDefault('HELIO_CELL_PORT', '8090', wholeNumber(1, 65_535), 'Port of that address.'),
};

export const metricsSettings = {
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

export const mailSettings = {
  url: orNull(
    'HELIO_SMTP_URL',
    smtpUrl,
    'SMTP server that takes mails: about alerts (docs/alerts.md), and with HELIO_PUBLIC_URL links to people, for a forgotten password or an invitation (docs/sign-in.md); needs HELIO_SMTP_FROM. The port is 587, or 465 with smtps, unless it is named; a password goes over TLS only.',
  ),
  from: orNull('HELIO_SMTP_FROM', emailAddress, 'Address that these mails come from; needs HELIO_SMTP_URL.'),
  to: withDefault(
    'HELIO_ALERTS_TO',
    '',
    emailAddresses,
    'Who gets the mails about alerts; without it, every operator of the portal.',
  ),
};

/** The operator's identity provider (OpenID Connect). */
export const oidcSettings = {
  issuer: orNull(
    'HELIO_OIDC_ISSUER',
    issuerUrl,
    'Issuer of the identity provider with which people sign in (OpenID Connect): docs/sign-in.md. Needs HELIO_OIDC_CLIENT_ID and HELIO_PUBLIC_URL; the redirect URI is HELIO_PUBLIC_URL followed by /login/sso.',
  ),
  clientId: orNull('HELIO_OIDC_CLIENT_ID', plainWord, 'Client id of this gateway there.'),
  clientSecretFile: orNull(
    'HELIO_OIDC_CLIENT_SECRET_FILE',
    readableFile,
    'File with the client secret on its only line; without it a public client with PKCE alone.',
  ),
  scopes: withDefault('HELIO_OIDC_SCOPES', 'openid email profile', scopeList, 'Scopes to request.'),
  name: orNull('HELIO_OIDC_NAME', plainWord, 'Name of the provider on the button of the sign-in page.'),
  roleClaim: withDefault(
    'HELIO_OIDC_ROLE_CLAIM',
    'groups',
    plainWord,
    'Claim with the values of HELIO_OIDC_ROLES; one within others with dots, like realm_access.roles.',
  ),
  roles: orNull(
    'HELIO_OIDC_ROLES',
    pairsOf('value=Role', roles),
    'Which value of that claim gives which role, like messaging-admins=Admin,support=Support; of several the one that may most. It is applied at each sign-in. Without it people keep their role.',
  ),
  roleElse: orNull(
    'HELIO_OIDC_ROLE_ELSE',
    oneOf(roles),
    'Role of people with none of those values, and of new people where HELIO_OIDC_ROLES is not set; without it they are refused.',
  ),
  accountClaim: withDefault(
    'HELIO_OIDC_ACCOUNT_CLAIM',
    'company',
    plainWord,
    'Claim with the values of HELIO_OIDC_ACCOUNTS.',
  ),
  accounts: orNull(
    'HELIO_OIDC_ACCOUNTS',
    pairsOf('value=account id'),
    'Which value of that claim is which company, like acme=acc_acme. Whoever has none of them, or belongs to another company here, is refused.',
  ),
  account: orNull(
    'HELIO_OIDC_ACCOUNT',
    plainWord,
    'Id of the company of new people, where HELIO_OIDC_ACCOUNTS is not set.',
  ),
  domains: withDefault(
    'HELIO_OIDC_DOMAINS',
    '',
    domainList,
    'E-mail domains that may sign in with the provider; by default any.',
  ),
  creates: withDefault(
    'HELIO_OIDC_CREATE',
    '0',
    zeroOrOne,
    'Whether somebody unknown with a verified address becomes a user at their first sign-in; needs HELIO_OIDC_ACCOUNT or HELIO_OIDC_ACCOUNTS, and HELIO_OIDC_ROLES or HELIO_OIDC_ROLE_ELSE.',
  ),
  passwords: withDefault(
    'HELIO_OIDC_PASSWORDS',
    '1',
    zeroOrOne,
    'Whether people may use passwords and passkeys too; with 0 operators alone.',
  ),
  secondFactor: withDefault(
    'HELIO_OIDC_SECOND_FACTOR',
    '',
    wordList,
    'Values of the claims amr and acr with which a sign-in there counts as two factors, like mfa.',
  ),
  isPrivate: withDefault(
    'HELIO_OIDC_PRIVATE',
    '0',
    zeroOrOne,
    'Whether the provider may be on this machine, in a private network and at any port.',
  ),
};

export const tracesSettings = {
  collector: orNull(
    'HELIO_OTLP_URL',
    webUrl,
    'Address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; traces of messages go there: docs/metrics.md.',
  ),
  share: withDefault(
    'HELIO_TRACE_SHARE',
    '0.01',
    share,
    'Share of the messages traced, of those whose caller sent no `traceparent`.',
  ),
};

export type ValuesOf<S> = { [K in keyof S]: S[K] extends Setting<infer T> ? T : never };

/** The variables as docs/configuration.md shows them. */
export const variables: readonly Omit<Setting<unknown>, 'parse'>[] = [
  settings,
  bucketSettings,
  cellSettings,
  metricsSettings,
  mailSettings,
  oidcSettings,
  tracesSettings,
].flatMap((table) => Object.values<Setting<unknown>>(table));
