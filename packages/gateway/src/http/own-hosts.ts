/** The host names that requests may use (`Host`, RFC 9110 §7.2). Refuses others, which stops DNS rebinding. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Any name, for those who check it in front. */
export const anyHost = '*';

export type IsOwnHost = (host: string, localAddress: string | undefined) => boolean;

export interface OwnHostParts {
  publicUrl: string | null;
  /** What it listens on: an address or a name. */
  host: string;
  /** More names and addresses, without ports. */
  allowed: readonly string[];
}

/** `host` is the header as it came; `localAddress` is where the connection arrived, which is always ours. */
export function ownHosts({ publicUrl, host, allowed }: OwnHostParts): IsOwnHost {
  const named = publicUrl === null ? [] : [new URL(publicUrl).hostname];
  const names = new Set(
    ['localhost', '127.0.0.1', '::1', hostname(), host, ...named, ...allowed].map((name) => bare(name)),
  );
  /** Nearly every request says the same name as the one before. */
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

/** As it is compared: `[::1]` and `LOCALHOST.` are what they are without brackets, capitals and last dot. */
function bare(name: string): string {
  const inner = name.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return inner.replace(/\.$/, '').replace(/^::ffff:(?=\d+\.)/, '');
}
