/**
 * Facts that a browser sends by itself: https, session cookie, same-site. Trusted only where a stranger cannot forge
 * them (RFC 6265bis §4.1.3, Fetch Metadata).
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

export interface Site {
  /** The address that people type; null = the host of the request. */
  publicUrl: string | null;
  tls: boolean;
}

/** Only a trusted proxy is believed when it says that the browser used https. */
export function isHttps(request: FastifyRequest, site: Site): boolean {
  if (site.tls || request.protocol === 'https') return true;
  return site.publicUrl?.startsWith('https://') === true && hostOf(site.publicUrl) === request.host;
}

/** Names of this machine, which browsers trust without https. */
const ownNames = /^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Over https, or from this machine. Browsers accept some headers only from such origins. */
export function isTrustworthy(request: FastifyRequest, site: Site): boolean {
  return isHttps(request, site) || ownNames.test(request.host.replace(/:\d+$/, ''));
}

const cookieNames = { https: '__Host-helio', http: 'helio' } as const;

/** The session cookie's value; null when it is missing or sent twice: one of two must come from somebody else. */
export function sessionCookie({ raw }: Pick<FastifyRequest, 'raw'>, https: boolean): string | null {
  return cookieIn(raw, https ? cookieNames.https : cookieNames.http);
}

const ssoNames = { https: '__Host-helio-sso', http: 'helio-sso' } as const;

/** The cookie of a sign-in at the identity provider that is under way in this browser. */
export function ssoCookie(request: IncomingMessage, https: boolean): string | null {
  return cookieIn(request, https ? ssoNames.https : ssoNames.http);
}

/** `Set-Cookie` that sets this value, or clears it when null. */
export function ssoCookieHeaders(value: string | null, https: boolean, seconds: number): readonly string[] {
  const name = https ? ssoNames.https : ssoNames.http;
  const age = value === null ? 0 : seconds;
  return [
    'Set-Cookie',
    `${name}=${value ?? ''}; Max-Age=${age}; Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`,
  ];
}

function cookieIn(request: IncomingMessage, name: string): string | null {
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]!.slice(name.length + 1) : null;
}

/** `Set-Cookie` that sets the session, or clears it when null. Without Max-Age the browser drops it when it closes. */
export function cookieHeaders(token: string | null, https: boolean): readonly string[] {
  const name = https ? cookieNames.https : cookieNames.http;
  const rest = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  return ['Set-Cookie', token === null ? `${name}=; Max-Age=0; ${rest}` : `${name}=${token}; ${rest}`];
}

/**
 * Whether one of our own pages sent the request: the headers by which browsers say so must be present, and each must
 * fit.
 */
export function isOwnPage(request: FastifyRequest, site: Site): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = request.raw.headers;
  if (origin === undefined && fetchSite === undefined) return false;
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  if (origin === undefined) return true;
  const host = hostOf(origin);
  return host !== null && (host === request.host || (site.publicUrl !== null && host === hostOf(site.publicUrl)));
}

function hostOf(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? null : parsed.host;
}
