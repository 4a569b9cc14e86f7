/**
 * The first thing that a person sees: where everything is, and a command that works as it stands. It can show only the
 * secrets of the seeded sandbox, which reach nothing but the simulated carrier.
 */
import { type Config, isEveryAddress, isLoopback } from '../app/config.ts';
import { defaultKind } from '../carriers/kinds.ts';
import type { FirstSteps, SimulatedAddress } from '../subjects/records/first-steps.ts';

export interface StartFacts {
  version: string;
  config: Pick<Config, 'dataDir' | 'host' | 'tls' | 'trustedProxies' | 'publicUrl' | 'printSecrets'>;
  /** The gateway's address for people, without a slash at the end. */
  baseUrl: string;
  /** Null = the sandbox is off. */
  firstSteps: FirstSteps | null;
  /** The state of each bind to the simulated SMS carrier; left out when unknown. */
  binds?: readonly string[];
  /** One-time key for the first administrator; null or left out when there is one, or the caller wants none. */
  setupKey?: string | null;
  /** Enabled carriers that reach real telephones; null = not looked up. */
  liveCarriers: number | null;
}

/** The whole card, ending in a newline. */
export function startCard(facts: StartFacts): string {
  const { version, config, baseUrl, firstSteps } = facts;
  const rows: [string, string][] = [...portalRows(facts), ['Docs', `${baseUrl}/docs`]];
  if (firstSteps !== null) {
    const { handsets } = firstSteps;
    const { host, port } = firstSteps[defaultKind.name] as SimulatedAddress;
    rows.push(['Sim carrier', `${defaultKind.title} on ${host}:${port}${boundAs(facts.binds)}`]);
    rows.push(['Handsets', `${handsets[0]} … ${handsets.at(-1)}`]);
  }
  if (isEveryAddress(config.host) && config.publicUrl === null) {
    rows.push(['Elsewhere', 'set HELIO_PUBLIC_URL=https://… to see the address that others use']);
  }
  const lines = [
    `Heliograph ${version}   data ${config.dataDir}   mode ${mode(facts)}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`),
    '',
    ...exposure(config),
    ...(firstSteps === null ? [] : firstText(baseUrl, firstSteps, config.printSecrets)),
    firstSteps === null ? 'Stop: Ctrl+C' : 'Lost this?  npx helio first-steps      Stop: Ctrl+C',
  ];
  return `${lines.join('\n')}\n`;
}

/** The portal's address; the link for the first administrator works once, for half an hour. */
function portalRows({ setupKey, baseUrl, config }: StartFacts): [string, string][] {
  const portal: [string, string] = ['Portal', baseUrl];
  if (setupKey == null) return [portal];
  const link = `${baseUrl}/setup#k=${setupKey}     one use, 30 minutes`;
  return [portal, ['First login', config.printSecrets ? link : 'npx helio admin login-link']];
}

const boundNames: Readonly<Record<string, string>> = {
  bound_trx: 'transceiver',
  bound_tx: 'transmitter',
  bound_rx: 'receiver',
};

/** Whether a bind in this state takes messages. */
export function isBound(state: string): boolean {
  return boundNames[state] !== undefined;
}

/** Only states that the binds report. */
function boundAs(binds: readonly string[] | undefined): string {
  if (binds === undefined) return '';
  const up = binds.filter(isBound);
  if (up.length === 0) return ', not bound yet';
  const names = [...new Set(up.map((state) => boundNames[state]))].join(' and ');
  const sessions = binds.length === 1 ? 'session' : 'sessions';
  const of = up.length < binds.length ? `${up.length} of ${binds.length}` : up.length;
  return `, bound as ${names} (${of} ${sessions} up)`;
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
    `Watch it arrive:  ${baseUrl}/handsets/${handsets[0]}`,
  ];
}

function curl(url: string, bearerToken: string, more: string[]): string[] {
  // The certificate is for the public name, not for `localhost`.
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

/** A warning when both secrets of every request would cross a network unencrypted. */
function exposure({ host, tls, trustedProxies }: StartFacts['config']): string[] {
  if (isLoopback(host) || tls !== null || trustedProxies.length > 0) return [];
  return [
    `WARNING  ${host} is not only this machine, and there is neither TLS nor a proxy in front: every credential and`,
    'WARNING  every text crosses the network in the clear. Set HELIO_TLS_CERT and HELIO_TLS_KEY, or put a proxy in',
    'WARNING  front and name it in HELIO_TRUSTED_PROXIES.',
    '',
  ];
}
