/** Which request headers a stranger may set on requests that go out. Checks only. */

/** Those that say where a request goes, where it ends or how the connection is used belong to the dialler. */
const reserved = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
  'proxy-.*',
] as const;

export const headerCharactersMax = 4_096;

/** As patterns, so that a form can judge by them what is typed into it. Names are taken in small letters. */
export interface HeaderRules {
  name: RegExp;
  value: RegExp;
  /** Of both together. */
  charactersMax: number;
}

/**
 * `alsoReserved`: further names that are refused, as patterns (`webhook-.*`).
 * RFC 9110 §5.6.2 token, and visible ASCII with spaces inside as value: nothing that could end a line.
 */
export function headerRules(alsoReserved: readonly string[] = []): HeaderRules {
  return {
    name: new RegExp(`^(?!(?:${[...reserved, ...alsoReserved].join('|')})$)[!#$%&'*+.^_\`|~0-9a-z-]+$`),
    value: /^(?:[!-~](?:[ -~\t]*[!-~])?)?$/,
    charactersMax: headerCharactersMax,
  };
}

const anyRequest = headerRules();

export function isUsableHeader(name: string, value: string, rules: HeaderRules = anyRequest): boolean {
  if (name.length + value.length > rules.charactersMax) return false;
  return rules.name.test(name.toLowerCase()) && rules.value.test(value);
}
