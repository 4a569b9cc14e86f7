/**
 * The field types of a records file, as JSON Schema with three keywords of our own: `allowed` describes the accepted
 * values, `secret` keeps the value out of messages, and `plain` replaces `allowed` in forms where `allowed` speaks of
 * the file.
 */

/** A field's schema; the other keywords are JSON Schema's. */
export interface Property {
  readonly allowed: string;
  readonly secret?: true;
  /** A whole sentence for a person who fills in a form. */
  readonly plain?: string;
  readonly default?: unknown;
  readonly [keyword: string]: unknown;
}

/** The value when the field is left out; without a default the field is required unless the entry says otherwise. */
export function withDefault(property: Property, value: unknown): Property {
  return { ...property, default: value };
}

/** The same, or null. */
export function orNull(property: Property): Property {
  const words = property.enum === undefined ? {} : { enum: [...(property.enum as unknown[]), null] };
  return {
    ...property,
    ...words,
    type: [property.type, 'null'],
    allowed: `${property.allowed}, or null`,
    default: null,
  };
}

export const onOff: Property = { type: 'boolean', allowed: 'true or false' };

export const identifier: Property = {
  type: 'string',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  allowed: '1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first',
};

export const label: Property = {
  type: 'string',
  pattern: '^[^\\u0000-\\u001f\\u007f]{1,100}$',
  allowed: 'a text of 1 to 100 characters on one line',
};

/** A text registered with a campaign; the registry sets the limits. */
export const registeredText: Property = {
  type: 'string',
  minLength: 20,
  maxLength: 320,
  allowed: 'a text of 20 to 320 characters',
};

/** May be empty. */
export const contact: Property = {
  type: 'string',
  pattern: '^[^\\u0000-\\u001f\\u007f]{0,100}$',
  allowed: 'a text of at most 100 characters on one line',
};

export const sendingNumber: Property = {
  type: 'string',
  format: 'sending-number',
  allowed:
    'digits without plus: an international number of 7 to 15 (11 when it begins with 1) or a short code of 5 or 6; or a name of at most 11 letters and digits',
  plain:
    'Digits only, without the plus: 7 to 15 of them (11 when it begins with 1), or a short code of 5 or 6; or a name of at most 11 letters and digits.',
};

export const countries: Property = {
  type: 'array',
  minItems: 1,
  maxItems: 300,
  items: {
    type: 'string',
    format: 'country',
    allowed: 'a country as two capital letters like "US", or "*" for all',
    plain: 'Write each country as two capital letters, such as US, or * for all.',
  },
  allowed: 'a list of countries like ["US", "CA"], or ["*"] for all',
  plain: 'Write at least one country as two capital letters, such as US, or * for all.',
};

export const addresses: Property = {
  type: 'array',
  maxItems: 1_000,
  items: { type: 'string', format: 'address', allowed: 'an IP address or CIDR block like "192.0.2.0/24"' },
  allowed: 'a list of IP addresses and CIDR blocks',
};

export const host: Property = { type: 'string', format: 'host', allowed: 'an IP address or a host name' };

export const timeZone: Property = {
  type: 'string',
  format: 'time-zone',
  allowed: 'a time zone like "Europe/Berlin"',
};

export const moment: Property = {
  type: 'string',
  format: 'moment',
  allowed: 'a time with its zone like "2027-01-31T00:00:00Z"',
};

export const day: Property = { type: 'string', format: 'day', allowed: 'a day like "2027-01-31"' };

export const currency: Property = {
  type: 'string',
  pattern: '^[A-Z]{3}$',
  allowed: 'a currency as three capital letters like "USD"',
};

export const leadingDigits: Property = {
  type: 'string',
  pattern: '^([1-9][0-9]{0,14})?$',
  allowed: 'the digits a number begins with, or "" for all numbers',
  plain: 'Digits only, without the plus; empty for all numbers.',
};

export const credential: Property = {
  type: 'string',
  format: 'credential',
  secret: true,
  allowed: '20 to 256 letters, digits and -._~ (one made by the gateway: complete)',
};

/** A C-Octet String of ASCII characters, without its NUL. */
export function cString(charactersMin: number, charactersMax: number, secret?: true): Property {
  return {
    type: 'string',
    pattern: `^[\\u0020-\\u007e]{${charactersMin},${charactersMax}}$`,
    allowed: `${charactersMin} to ${charactersMax} ASCII characters`,
    ...(secret && { secret }),
  };
}

export const fileName: Property = { type: 'string', minLength: 1, maxLength: 4_096, allowed: 'the name of a file' };

export const variableName: Property = {
  type: 'string',
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
  allowed: 'the name of an environment variable',
};

export function wholeNumber(from: number, to: number): Property {
  return { type: 'integer', minimum: from, maximum: to, allowed: `a whole number from ${from} to ${to}` };
}

export function oneOf(...words: string[]): Property {
  return { type: 'string', enum: words, allowed: words.map((word) => JSON.stringify(word)).join(', ') };
}

export function listOf(items: Property, itemsMin: number, itemsMax: number): Property {
  return {
    type: 'array',
    minItems: itemsMin,
    maxItems: itemsMax,
    uniqueItems: true,
    items,
    allowed: `a list of ${itemsMin} to ${itemsMax}, none twice, each ${items.allowed}`,
  };
}
