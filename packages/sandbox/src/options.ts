/** The command line of `heliograph-sandbox`: arguments to settings, or one sentence about what is wrong. Pure. */
import { parseArgs } from 'node:util';
import type { Mm4Gateway } from './mm4-channel.ts';
import type { Mm7Gateway } from './mm7-channel.ts';

export interface Settings {
  host: string;
  smppPort: number;
  mm7Port: number;
  mm4Port: number;
  httpPort: number;
  system_id: string;
  password: string;
  mm7Username: string;
  mm7Password: string;
  /** Where reports and messages from handsets are sent; null: nowhere. */
  mm7To: Mm7Gateway | null;
  mm4To: Mm4Gateway | null;
  mm4Domain: string;
  mm4PeerDomain: string;
  quiet: boolean;
}

export type CommandLine =
  | { kind: 'start'; settings: Settings }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'wrong'; sentence: string };

export const help = `heliograph-sandbox: a test message centre for SMPP, MM7 and MM4, with handsets that answer.

Usage: heliograph-sandbox [options]

  --host ADDRESS         listens on this address           (127.0.0.1)
  --smpp-port PORT       SMPP; 0 = any free port           (2775)
  --mm7-port PORT        MM7 over HTTP                     (8086)
  --mm4-port PORT        MM4 over SMTP                     (2525)
  --http-port PORT       handsets and faults over HTTP     (8088)

  --system-id ID         what an SMPP bind must present    (heliograph)
  --password PASSWORD    at most 8 characters              (sandbox)
  --mm7-username NAME    what an MM7 client must present   (heliograph)
  --mm7-password PASSWORD                                  (sandbox)

  --mm7-to URL           sends reports and messages of handsets there, as http://user:password@host/path
  --mm4-to HOST:PORT     the same over MM4
  --mm4-domain DOMAIN    the sandbox's own domain          (mms.sandbox.example)
  --mm4-peer-domain DOMAIN  your gateway's                 (mms.gateway.example)

  --quiet                prints no line for each message on the wire
  --help, --version
`;

const text = (byDefault: string) => ({ type: 'string', default: byDefault }) as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  host: text('127.0.0.1'),
  'smpp-port': text('2775'),
  'mm7-port': text('8086'),
  'mm4-port': text('2525'),
  'http-port': text('8088'),
  'system-id': text('heliograph'),
  password: text('sandbox'),
  'mm7-username': text('heliograph'),
  'mm7-password': text('sandbox'),
  'mm7-to': text(''),
  'mm4-to': text(''),
  'mm4-domain': text('mms.sandbox.example'),
  'mm4-peer-domain': text('mms.gateway.example'),
  quiet: flag,
  help: flag,
  version: flag,
} as const;

const domainForm = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

class Wrong extends Error {}

export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    if (values.help) return { kind: 'help' };
    if (values.version) return { kind: 'version' };
    return { kind: 'start', settings: settingsOf(values) };
  } catch (error) {
    const isArgument = error instanceof Wrong || String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS');
    if (!isArgument) throw error;
    // Node's message has more sentences than a reader needs.
    const [sentence] = (error as Error).message.split('. ');
    return { kind: 'wrong', sentence: sentence!.replace(/\.?$/, '.') };
  }
}

type Values = { [K in keyof typeof options]: (typeof options)[K]['type'] extends 'string' ? string : boolean };

function settingsOf(values: Values): Settings {
  return {
    host: values.host,
    smppPort: portOf('--smpp-port', values['smpp-port']),
    mm7Port: portOf('--mm7-port', values['mm7-port']),
    mm4Port: portOf('--mm4-port', values['mm4-port']),
    httpPort: portOf('--http-port', values['http-port']),
    // SMPP 3.4 §4.1.1: 15 and 8 characters, besides the NUL.
    system_id: asciiOf('--system-id', values['system-id'], 15),
    password: asciiOf('--password', values.password, 8),
    mm7Username: values['mm7-username'],
    mm7Password: values['mm7-password'],
    mm7To: values['mm7-to'] === '' ? null : mm7Of(values['mm7-to']),
    mm4To: values['mm4-to'] === '' ? null : mm4Of(values['mm4-to']),
    mm4Domain: domainOf('--mm4-domain', values['mm4-domain']),
    mm4PeerDomain: domainOf('--mm4-peer-domain', values['mm4-peer-domain']),
    quiet: values.quiet,
  };
}

function portOf(name: string, value: string): number {
  const port = Number(value);
  if (/^[0-9]{1,5}$/.test(value) && port <= 65_535) return port;
  throw new Wrong(`${name} must be a port from 0 to 65535, not ${JSON.stringify(value)}.`);
}

function asciiOf(name: string, value: string, charactersMax: number): string {
  if (/^[!-~]+$/.test(value) && value.length <= charactersMax) return value;
  throw new Wrong(`${name} must be 1 to ${charactersMax} ASCII characters without spaces.`);
}

function domainOf(name: string, value: string): string {
  if (domainForm.test(value)) return value;
  throw new Wrong(`${name} must be a domain such as mms.example.com, not ${JSON.stringify(value)}.`);
}

function mm7Of(value: string): Mm7Gateway {
  const url = URL.parse(value);
  // The value is not repeated, because it may contain a password.
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Wrong('--mm7-to must be an http or https URL.');
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = '';
  url.password = '';
  return { url: url.href, username: username!, password: password! };
}

function mm4Of(value: string): Mm4Gateway {
  const [, host, port] = /^(.+):([0-9]{1,5})$/.exec(value) ?? [];
  if (host === undefined || port === undefined) {
    throw new Wrong(`--mm4-to must be HOST:PORT, not ${JSON.stringify(value)}.`);
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: portOf('--mm4-to', port) };
}
