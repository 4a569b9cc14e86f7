/** The host names that requests may use (`Host`, RFC 9110 §7.2). Refuses others, which stops DNS rebinding. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Allows any name, for operators whose proxy checks it. */
export const anyHost = '*';

export type IsOwnHost = (host: string, localAddress: string | undefined) => boolean;

export interface OwnHostParts {
  publicUrl: string | null;
  /** The address or name that the server listens on. */
  host: string;
  /** Further names and addresses, without ports. */
  allowed: readonly string[];
}

/** `host` is the header as it came; `localAddress` is where the connection arrived, always our own address. */
export function ownHosts({ publicUrl, host, allowed }: OwnHostParts): IsOwnHost {
  const named = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const names = new Set(
    ['localhost', '127.0.0.1', '::1', hostname(), host, ...named, ...allowed].map((name) => bare(name)),
  );
  /** Nearly every request names the same host as the one before. */
  let lastNamed: string | null = null;
  return (header, localAddress) => {
    if (header === lastNamed || names.has(anyHost)) return true;
    const name = bare(withoutPort(header));
    if (!names.has(name)) return isIP(name) !== 0 && name === bare(localAddress ?? '');
    lastNamed = header;
    return true;
  };
}

function withoutPort(header: string): string {
  return header.replace(/:\d*$/, '');
}

/** The form in which names are compared: without brackets, final dot and capitals. */
function bare(name: string): string {
  const inner = name.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return inner.replace(/\.$/, '').replace(/^::ffff:(?=\d+\.)/, '');
}
