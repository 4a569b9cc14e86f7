/**
 * Which URLs of a customer may be dialled, judged by their text alone: form, scheme, host name, literal address, port.
 * Refuses forms that a browser would repair (spaces, backslashes, octal addresses, full-width digits …): the URL that
 * people read must be the one that is dialled.
 */
import { isIP } from 'node:net';
import { type AddressPolicy, isSimulator, mayDial } from './address-rules.ts';

/** The operator's rules. */
export interface UrlPolicy extends AddressPolicy {
  /** Ports allowed besides 80 and 443. */
  readonly extraPorts: readonly number[];
  /** Host names of this machine. Never dialled. */
  readonly ownNames: readonly string[];
}

/**
 * Why a URL is not dialled. Constant words, which never reveal what a name resolved to. `malformed` not an absolute URL
 * in plain form; `too-long`; `scheme` neither http nor https; `userinfo` contains a user or password; `port` not
 * allowed; `name` a host name that is never dialled; `address` an address that is never dialled, or a name that
 * resolves to one; `header` a request header that may not be set.
 */
export type BlockedReason = 'malformed' | 'too-long' | 'scheme' | 'userinfo' | 'port' | 'name' | 'address' | 'header';

/** The parts of an accepted URL that the dialler needs. */
export interface CheckedUrl {
  readonly secure: boolean;
  /** Lower-case ASCII name, or address without brackets. */
  readonly host: string;
  /** True when `host` is an address. */
  readonly literal: boolean;
  readonly port: number;
  /** `https://host:port`, without the scheme's default port. */
  readonly origin: string;
  /** Path and query; the fragment is dropped. */
  readonly path: string;
}

export type UrlCheck =
  | { readonly ok: true; readonly url: CheckedUrl }
  | { readonly ok: false; readonly why: BlockedReason };

export const urlCharactersMax = 4_096;

const nameCharactersMax = 253;
/** Control, format (invisible, bidirectional) and lone surrogate characters, every kind of space, and the backslash. */
const deceptive = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;
const absolute = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Names of the metadata services of clouds and orchestrators. */
const metadataNames = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'instance-data',
  'instance-data.ec2.internal',
  'rancher-metadata',
]);

/**
 * Suffixes of names that are never public (RFC 6761, RFC 6762, RFC 8375, ICANN on `.internal`; `svc` is Kubernetes').
 */
const privateEnds = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'corp',
  'home',
  'home.arpa',
  'svc',
];

/** Judges `text` without DNS. Call it when a URL is saved; `fetch` calls it again. */
export function checkUrl(text: string, policy: UrlPolicy): UrlCheck {
  if (text.length > urlCharactersMax) return refused('too-long');
  if (deceptive.test(text)) return refused('malformed');
  const [, scheme, authority] = absolute.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return refused('malformed');
  if (!/^https?$/i.test(scheme)) return refused('scheme');
  if (authority.includes('@')) return refused('userinfo');
  const parsed = URL.parse(text);
  if (parsed === null || !writtenPlainly(authority, parsed)) return refused('malformed');
  const url = partsOf(parsed);
  const why = faultOf(url, policy);
  return why === null ? { ok: true, url } : refused(why);
}

function refused(why: BlockedReason): UrlCheck {
  return { ok: false, why };
}

function partsOf(parsed: URL): CheckedUrl {
  const secure = parsed.protocol === 'https:';
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  return {
    secure,
    host,
    literal: isIP(host) !== 0,
    port: parsed.port === '' ? (secure ? 443 : 80) : Number(parsed.port),
    origin: parsed.origin,
    path: parsed.pathname + parsed.search,
  };
}

function faultOf(url: CheckedUrl, policy: UrlPolicy): BlockedReason | null {
  const { host, literal, port } = url;
  if (port === 0) return 'port';
  if (literal && isSimulator(host, port, policy)) return null;
  if (!policy.allowPrivate && port !== 80 && port !== 443 && !policy.extraPorts.includes(port)) return 'port';
  if (literal) return mayDial(host, port, policy) ? null : 'address';
  if (metadataNames.has(host) || policy.ownNames.some((own) => own.toLowerCase() === host)) return 'name';
  return !policy.allowPrivate && isPrivateName(host) ? 'name' : null;
}

/** A name without a dot is resolved by the local network's search list. */
function isPrivateName(host: string): boolean {
  return !host.includes('.') || privateEnds.some((end) => host.endsWith(`.${end}`));
}

/** Whether the authority, as written, equals what the parser read, apart from letter case. */
function writtenPlainly(authority: string, parsed: URL): boolean {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:[\]%]+)(?::([0-9]{1,5}))?$/i.exec(authority) ?? [];
  if (host === undefined) return false;
  if (port !== undefined && port.length > 1 && port.startsWith('0')) return false;
  if (host.startsWith('[')) return true;
  return isIP(parsed.hostname) === 0 ? isPlainName(host, parsed.hostname) : host === parsed.hostname;
}

/** Label by label: an ASCII label stays unchanged, any other becomes punycode. Neither form becomes the other. */
function isPlainName(written: string, read: string): boolean {
  const wanted = written.split('.');
  const got = read.split('.');
  if (read.length > nameCharactersMax || wanted.length !== got.length) return false;
  return got.every((part, i) => {
    if (!label.test(part)) return false;
    const asWritten = wanted[i]!;
    return /^[!-~]+$/.test(asWritten) ? asWritten.toLowerCase() === part : part.startsWith('xn--');
  });
}
