/** Parses settings: each kind defines what is allowed and converts the text. */
import { accessSync, constants, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAddressOrBlock } from './address.ts';
import { Secret } from './secret.ts';
import { isEmail } from './written-forms.ts';

/** One variable: a row of docs/configuration.md, and the conversion of its text. */
export interface Setting<T> {
  readonly name: string;
  /** Used when the variable is missing or empty; null = the value is then null. */
  readonly fallback: string | null;
  readonly meaning: string;
  readonly allowed: string;
  /** Its value must never be shown. */
  readonly secret?: true;
  /** Undefined when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

type Kind<T> = Pick<Setting<T>, 'allowed' | 'parse' | 'secret'>;

export const portNumber = wholeNumber(0, 65_535);

export const readableFile: Kind<string> = {
  allowed: 'a file that can be read',
  parse: (text) => (isReadable(text) ? text : undefined),
};

export const zeroOrOne: Kind<boolean> = {
  allowed: '0 or 1',
  parse: (text) => (text === '0' || text === '1' ? text === '1' : undefined),
};

export function withDefault<T>(name: string, fallback: string, kind: Kind<T>, meaning: string): Setting<T> {
  return { name, fallback, meaning, ...kind };
}

export function orNull<T>(name: string, kind: Kind<T>, meaning: string): Setting<T | null> {
  return { name, fallback: null, meaning, ...kind };
}

export function wholeNumber(from: number, to: number): Kind<number> {
  return {
    allowed: `a whole number from ${from} to ${to}`,
    parse: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined),
  };
}

export function oneOf<T extends string>(words: readonly T[]): Kind<T> {
  return { allowed: words.join(', '), parse: (text) => words.find((word) => word === text) };
}

export const folder: Kind<string> = { allowed: 'a folder', parse: (text) => text };

export const emailAddress: Kind<string> = {
  allowed: 'an e-mail address',
  parse: (text) => (isEmail(text) ? text : undefined),
};

const hostLabel = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

export const hostName: Kind<string> = {
  allowed: 'an IP address or a host name, without port or brackets',
  parse: (text) => (isIP(text) !== 0 || text.split('.').every((part) => hostLabel.test(part)) ? text : undefined),
};

export const addressList: Kind<readonly string[]> = {
  allowed: 'IP addresses and CIDR blocks with commas between them, like 10.0.0.0/8,192.0.2.7, but not /0',
  parse: (text) => {
    const entries = text.split(',').map((entry) => entry.trim());
    const given = entries.filter((entry) => entry !== '');
    // A block of all addresses would let every client choose its own.
    const isGood = (entry: string) => isAddressOrBlock(entry) && !/\/0+$/.test(entry);
    return given.every(isGood) ? Object.freeze(given) : undefined;
  },
};

export const hostList: Kind<readonly string[]> = {
  allowed: 'host names and IP addresses with commas between them, without ports, or *',
  parse: (text) => {
    const given = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    return given.every((entry) => entry === '*' || hostName.parse(entry) !== undefined)
      ? Object.freeze(given)
      : undefined;
  },
};

export const calendarDay: Kind<number> = {
  allowed: 'a day like 2026-11-30',
  parse: (text) => {
    const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
    // `Date` reads `2026-02-30` as a day in March.
    return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at;
  },
};

/** Without `,` and `=`, which separate lists and pairs. */
export const plainWord: Kind<string> = {
  allowed: 'up to 200 characters without commas, equals signs and line breaks',
  parse: (text) => (/^[^,=\p{Cc}]{1,200}$/u.test(text) ? text : undefined),
};

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export const wordList: Kind<readonly string[]> = {
  allowed: 'words with commas between them',
  parse: (text) => {
    const given = listed(text);
    return given.every((entry) => plainWord.parse(entry) !== undefined) ? Object.freeze(given) : undefined;
  },
};

export const domainList: Kind<readonly string[]> = {
  allowed: 'domains with commas between them, like example.com',
  parse: (text) => {
    const given = listed(text).map((entry) => entry.normalize('NFKC').toLowerCase());
    return given.every((entry) => isEmail(`a@${entry}`)) ? Object.freeze(given) : undefined;
  },
};

export const scopeList: Kind<string> = {
  allowed: 'scopes with spaces between them, openid among them',
  // RFC 6749 §3.3.
  parse: (text) =>
    /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text) && text.split(' ').includes('openid')
      ? text
      : undefined,
};

/** Plain http is allowed only for a provider on this machine. */
export const issuerUrl: Kind<string> = {
  allowed:
    'an https address without user, query and fragment, like https://id.example.com/realms/texts; http on localhost',
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      return undefined;
    const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal) ? text : undefined;
  },
};

/** `key=value` pairs, split at the last `=`, since values contain none. `values`: the allowed ones. */
export function pairsOf<T extends string = string>(form: string, values?: readonly T[]): Kind<ReadonlyMap<string, T>> {
  return {
    allowed: `pairs with commas between them, like ${form}${values === undefined ? '' : `, with one of ${values.join(', ')}`}`,
    parse: (text) => {
      const pairs = listed(text).map((entry) => [
        entry.slice(0, entry.lastIndexOf('=')).trim(),
        entry.slice(entry.lastIndexOf('=') + 1).trim(),
      ]);
      const isRight = ([key, value]: string[]) =>
        key !== '' && value !== '' && (values === undefined || (values as readonly string[]).includes(value!));
      return pairs.length > 0 && pairs.every(isRight) && listed(text).every((entry) => entry.includes('='))
        ? new Map(pairs as [string, T][])
        : undefined;
    },
  };
}

export const cellName: Kind<string> = {
  allowed: 'a name of up to 32 of a-z, 0-9 and hyphen, beginning with a letter',
  parse: (text) => (/^[a-z][a-z0-9-]{0,31}$/.test(text) ? text : undefined),
};

const cellAddressesMax = 256;

/** The addresses of each cell; its name stands before each. */
export const cellAddresses: Kind<ReadonlyMap<string, readonly string[]>> = {
  allowed: 'pairs with commas between them, like a=10.0.1.1:8090,b=10.0.2.1:8090, each address once',
  parse: (text) => {
    const cells = new Map<string, string[]>();
    const seen = new Set<string>();
    for (const entry of listed(text)) {
      const mark = entry.indexOf('=');
      const name = cellName.parse(entry.slice(0, Math.max(0, mark)));
      const address = hostAndPort(entry.slice(mark + 1));
      if (name === undefined || address === undefined || seen.has(address)) return undefined;
      seen.add(address);
      cells.set(name, [...(cells.get(name) ?? []), address]);
    }
    return seen.size > 0 && seen.size <= cellAddressesMax ? cells : undefined;
  },
};

function hostAndPort(text: string): string | undefined {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const bare = /^\[(.+)\]$/.exec(host)?.[1] ?? (host.includes(':') ? '' : host);
  return hostName.parse(bare) !== undefined && Number(port) >= 1 && Number(port) <= 65_535 ? text : undefined;
}

export const bucketName: Kind<string> = {
  allowed: 'the name of an S3 bucket: 3 to 63 of a-z, 0-9, dot and hyphen',
  parse: (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
};

export const regionName: Kind<string> = {
  allowed: 'a region, like eu-central-1',
  parse: (text) => (/^[a-z0-9-]{1,64}$/i.test(text) ? text : undefined),
};

export const keyPrefix: Kind<string> = {
  allowed: 'up to 200 of a-z, A-Z, 0-9, dot, hyphen, underscore and slash, not beginning with a slash',
  parse: (text) => (/^[\w.-][\w./-]{0,199}$/.test(text) ? `${text.replace(/\/+$/, '')}/` : undefined),
};

export const postgresUrl: Kind<Secret> = {
  allowed: 'postgres://user:password@host:port/database',
  secret: true,
  parse: (text) => (/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '') ? new Secret(text) : undefined),
};

export const emailAddresses: Kind<readonly string[]> = {
  allowed: 'e-mail addresses with commas between them',
  parse: (text) => {
    const entries = text.split(',').map((entry) => entry.trim());
    const given = entries.filter((entry) => entry !== '');
    return given.every(isEmail) ? Object.freeze(given) : undefined;
  },
};

export const smtpUrl: Kind<Secret> = {
  allowed: 'smtp://user:password@host:port or smtps://user:password@host:port, user and password only where needed',
  secret: true,
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
    const isBare = /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
    return isBare && isDecodable(url.username) && isDecodable(url.password) ? new Secret(text) : undefined;
  },
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const share: Kind<number> = {
  allowed: 'a number from 0 to 1, like 0.05',
  parse: (text) => (/^(0?\.\d{1,6}|0(\.0{1,6})?|1(\.0{1,6})?)$/.test(text) ? Number(text) : undefined),
};

export const webUrl: Kind<string> = {
  allowed: 'an http or https address without user, path, query and fragment, like https://sms.example.com',
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
    // Pages, cookies and signed links begin at the root.
    return /^\/*$/.test(url.pathname) ? url.origin : undefined;
  },
};

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
