/** Which request headers a customer may set. */

/** Headers that decide where a request goes, where it ends or how the connection is used belong to the dialler. */
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

/** As patterns, so that a form can check its input with them. Names are lower case. */
export interface HeaderRules {
  name: RegExp;
  value: RegExp;
  /** Limit of name and value together. */
  charactersMax: number;
}

/**
 * `alsoReserved`: more refused names, as patterns (`webhook-.*`). RFC 9110 §5.6.2 token, and visible ASCII with spaces
 * inside as value, so nothing can end a line.
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
