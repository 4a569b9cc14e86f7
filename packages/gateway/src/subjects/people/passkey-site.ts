/**
 * The site that passkeys belong to: the host of the public address. A browser creates them only over https or on its
 * own machine.
 */
import { isIP } from 'node:net';
import { refusal } from '../../http/portal/answers.ts';
import type { PublicCall } from '../../http/portal/portal-guard.ts';
import type { RouteDeps } from '../../http/server.ts';
import type { PasskeySite } from './people-parts.ts';

/** Why passkeys are not available. `no address`: HELIO_PUBLIC_URL is not set, and this is not localhost. */
export type NoPasskeys = 'https' | 'host name' | 'no address';
export const noPasskeysReasons = ['https', 'host name', 'no address'] as const satisfies readonly NoPasskeys[];

export function passkeySite(
  { exchange, https }: Pick<PublicCall, 'exchange' | 'https'>,
  { config }: Pick<RouteDeps, 'config'>,
): PasskeySite | NoPasskeys {
  const host = exchange.request.headers.host ?? '';
  // Without a public address a request could name any host; only localhost, which a browser trusts without https, is
  // accepted then.
  const url = config.publicUrl ?? (/^localhost(?::\d+)?$/.test(host) ? `${https ? 'https' : 'http'}://${host}` : null);
  if (url === null) return 'no address';
  const { origin, hostname, protocol } = new URL(url);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'host name';
  const isOwnMachine = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isOwnMachine ? { rpId: hostname, origin } : 'https';
}

const sentences: Record<NoPasskeys, string> = {
  https: 'Passkeys need https. Set HELIO_PUBLIC_URL to an address with https.',
  'host name': 'Passkeys need a host name. Set HELIO_PUBLIC_URL to an address that is no bare IP address.',
  'no address': 'Passkeys need the address of this gateway. Set HELIO_PUBLIC_URL.',
};

export const noPasskeys = (why: NoPasskeys) => refusal(409, 'NO_PASSKEYS', sentences[why]);
