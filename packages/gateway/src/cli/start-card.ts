/**
 * What a person sees first: where everything is, and two commands that work as they stand. Facts to text, nothing else;
 * the only secrets it can show are those of the seeded sandbox, which reach nothing but the simulated carrier.
 */
import { type Config, isEveryAddress, isLoopback } from '../config.ts';
import type { FirstSteps } from '../records/first-steps.ts';

export interface StartFacts {
  version: string;
  config: Pick<Config, 'dataDir' | 'host' | 'tls' | 'trustedProxies' | 'publicUrl' | 'printSecrets'>;
  /** Where people reach the gateway; without a slash at the end. */
  baseUrl: string;
  /** Null = the sandbox is off. */
  firstSteps: FirstSteps | null;
  /** Whether the sandbox's inbox takes webhooks. */
  webhookInbox: boolean;
  /** One-time key for the first administrator; null when there is one, or nobody asked. */
  setupKey?: string | null;
  /** Enabled carriers that reach real telephones; null = not looked up. */
  liveCarriers: number | null;
}

/** The whole card, ending in a line end. */
export function startCard(facts: StartFacts): string {
  const { version, config, baseUrl, firstSteps } = facts;
  const rows: [string, string][] = [
    ...portalRows(facts),
    ['Send', `POST ${baseUrl}/SendSMS`],
    ['Docs', `${baseUrl}/docs`],
    ['OpenAPI', `${baseUrl}/openapi.json`],
  ];
  if (firstSteps !== null) {
    rows.push(...simulatorRows(firstSteps));
    rows.push(['Handsets', `${firstSteps.handsets[0]} … ${firstSteps.handsets.at(-1)}`]);
    if (facts.webhookInbox) rows.push(['Webhook inbox', `${baseUrl}/api/v1/sandbox/webhooks`]);
    rows.push(['Your own code', 'npx helio listen --forward-to http://localhost:3000/hooks']);
  }
  if (isEveryAddress(config.host) && config.publicUrl === null) {
    rows.push(['Elsewhere', 'set HELIO_PUBLIC_URL=https://… to see the address that others use']);
  }
  const lines = [
    `Heliograph ${version}   data ${config.dataDir}   mode ${mode(facts)}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`),
    '',
    ...(firstSteps === null ? [] : firstText(baseUrl, firstSteps, config.printSecrets)),
    ...exposure(config),
    firstSteps === null ? 'Stop: Ctrl+C' : 'Lost this?  npx helio first-steps      Stop: Ctrl+C',
  ];
  return `${lines.join('\n')}\n`;
}

/** Where people go in; the link for the first of them works once, and for half an hour. */
function portalRows({ setupKey, baseUrl, config }: StartFacts): [string, string][] {
  if (setupKey === undefined) return [];
  const portal: [string, string] = ['Portal', baseUrl];
  if (setupKey === null) return [portal];
  const link = `${baseUrl}/setup#k=${setupKey}     one use, 30 minutes`;
  return [portal, ['First login', config.printSecrets ? link : 'npx helio admin login-link']];
}

/** The carriers of pictures stand in a row of their own; a file of an earlier version knows none. */
function simulatorRows({ smpp, mm7, mm4 }: FirstSteps): [string, string][] {
  const pictures = [
    ...(mm7 === undefined ? [] : [`MM7 on ${mm7.url}`]),
    ...(mm4 === undefined ? [] : [`MM4 on ${mm4.host}:${mm4.port}`]),
  ];
  const texts: [string, string] = ['Sim carrier', `SMPP 3.4 on ${smpp.host}:${smpp.port}`];
  return pictures.length === 0 ? [texts] : [texts, ['', pictures.join(', ')]];
}

function mode({ firstSteps, liveCarriers }: StartFacts): string {
  if (firstSteps === null) return 'live';
  if (liveCarriers === null) return 'sandbox';
  if (liveCarriers === 0) return 'sandbox (nothing leaves this machine)';
  return `sandbox and live (${liveCarriers} real carrier${liveCarriers === 1 ? '' : 's'})`;
}

function firstText(baseUrl: string, firstSteps: FirstSteps, printSecrets: boolean): string[] {
  const { from, handsets } = firstSteps;
  const tokens = printSecrets ? firstSteps : { authToken: 'AUTH_TOKEN', bearerToken: 'BEARER_TOKEN' };
  const text = { from, to: [handsets[0]], text: 'Hello from my gateway' };
  return [
    printSecrets
      ? 'Send your first text (both credentials included, sandbox only):'
      : 'Send your first text (both credentials: npx helio first-steps):',
    '',
    ...curl(`${baseUrl}/SendSMS?apikey=${tokens.authToken}`, tokens.bearerToken, [
      `-H ${quoted('Content-Type: application/json')}`,
      `-d ${quoted(JSON.stringify(text))}`,
    ]),
    '',
    'See it on the handset:',
    '',
    ...curl(
      `${baseUrl}/api/v1/sandbox/handsets/${handsets[0]}/messages?apikey=${tokens.authToken}`,
      tokens.bearerToken,
      [],
    ),
    '',
  ];
}

function curl(url: string, bearerToken: string, more: string[]): string[] {
  // The certificate is for the public name, not for this one.
  const command = url.startsWith('https://localhost') ? 'curl -sk' : 'curl -s';
  const words = [`${command} ${quoted(url)}`, `  -H ${quoted(`Authorization: Bearer ${bearerToken}`)}`];
  return [...words, ...more.map((word) => `  ${word}`)].map(
    (line, i, all) => `  ${line}${i < all.length - 1 ? ' \\' : ''}`,
  );
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A loud word when both secrets of every request would cross a network in the clear. */
function exposure({ host, tls, trustedProxies }: StartFacts['config']): string[] {
  if (isLoopback(host) || tls !== null || trustedProxies.length > 0) return [];
  return [
    `WARNING  ${host} is not only this machine, and there is neither TLS nor a proxy in front: every credential and`,
    'WARNING  every text crosses the network in the clear. Set HELIO_TLS_CERT and HELIO_TLS_KEY, or put a proxy in',
    'WARNING  front and name it in HELIO_TRUSTED_PROXIES.',
    '',
  ];
}
