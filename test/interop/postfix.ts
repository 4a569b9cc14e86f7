/** A real Postfix on loopback with its own configuration, queue and log; it relays everything to one port. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const binary = '/usr/sbin/postfix';
const daemons = '/usr/lib/postfix/sbin';

/** Why Postfix cannot run here; null when it can. */
export function postfixMissing(): string | null {
  if (!existsSync(binary) || !existsSync(daemons)) return `${binary} is not installed`;
  return process.getuid?.() === 0 ? null : 'Postfix can only be started by root';
}

export interface Postfix {
  port: number;
  log(): string;
  stop(): void;
}

export interface PostfixOptions {
  /** Where it listens. */
  port: number;
  /** Where it relays to. */
  relayPort: number;
  settings?: Readonly<Record<string, string>>;
}

export function startPostfix({ port, relayPort, settings = {} }: PostfixOptions): Postfix {
  const folder = mkdtempSync(join(tmpdir(), 'helio-postfix-'));
  const at = (name: string): string => join(folder, name);
  chmodSync(folder, 0o755);
  for (const name of ['config', 'spool', 'data']) mkdirSync(at(name));
  const owner = Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' }));
  chownSync(at('data'), owner, 0);
  writeFileSync(at('config/main.cf'), mainCf({ ...mainSettings(at, relayPort), ...settings }));
  writeFileSync(at('config/master.cf'), masterCf(port));
  execFileSync(binary, ['-c', at('config'), 'start'], { stdio: 'pipe' });
  const pid = Number(readFileSync(at('spool/pid/master.pid'), 'utf8').trim());
  return {
    port,
    log: () => (existsSync(at('log')) ? readFileSync(at('log'), 'utf8') : ''),
    stop: () => {
      process.kill(pid, 'SIGTERM');
      for (let i = 0; i < 100 && isAlive(pid); i++) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function mainSettings(at: (name: string) => string, relayPort: number): Record<string, string> {
  return {
    compatibility_level: '3.6',
    queue_directory: at('spool'),
    data_directory: at('data'),
    maillog_file: at('log'),
    maillog_file_prefixes: tmpdir(),
    myhostname: 'relay.example',
    mydestination: '',
    local_recipient_maps: '',
    alias_maps: '',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    mynetworks: '127.0.0.0/8',
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    relayhost: `[127.0.0.1]:${relayPort}`,
    disable_dns_lookups: 'yes',
    smtp_tls_security_level: 'none',
    message_size_limit: '10485760',
  };
}

const mainCf = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');

const masterCf = (port: number): string =>
  [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - n - - smtp',
    'relay unix - - n - - smtp',
    ...['error', 'retry'].map((name) => `${name} unix - - n - - error`),
    'discard unix - - n - - discard',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
