/** Key pairs as the gateway shows them, and the tokens of a new one. */

import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { KeyPair, NewPair, TokenHint } from '../../api/routes/keys';
import { csvText, momentCells } from '../../ui/csv';
import { phoneText } from '../../ui/Values';

export type Scope = 'send' | 'read' | 'admin';

export function useKeys(enabled = true) {
  return useQuery({ queryKey: ['keys'], enabled, queryFn: async () => (await api.get('/keys')).data });
}

export function hintText(hint: TokenHint | null | undefined): string | null {
  return hint == null ? null : `${hint.prefix}…${hint.last4}`;
}

/** For a rotated pair that is still valid: whether it is still used. */
export function usedSinceRotation(key: KeyPair, keys: readonly KeyPair[]): boolean {
  const newer = keys.find(({ keyId }) => keyId === key.replacedBy);
  return newer !== undefined && key.lastUse !== null && key.lastUse.at > newer.createdAt;
}

/** Pairs that match a search: name, id, creator, a number, the shown part of a token. */
export function fittingKeys(list: readonly KeyPair[], search: string): KeyPair[] {
  const wanted = search.trim().toLowerCase();
  const digits = wanted.replace(/\D/g, '');
  return list.filter(({ name, keyId, createdBy, numbers, bearerHint, authHint }) => {
    const hints = [bearerHint, authHint].flatMap((hint) => (hint == null ? [] : [hint.prefix, hint.last4]));
    const texts = [name, keyId, createdBy ?? '', ...hints];
    const isNamed = texts.some((text) => text.toLowerCase().includes(wanted));
    return isNamed || (digits.length >= digitsMin && numbers.some((number) => number.includes(digits)));
  });
}

/** Fewer digits occur in nearly every number. */
const digitsMin = 3;

/** Never a token. Fields for people who manage keys are empty for all others. */
export function keysCsv(list: readonly KeyPair[]): string {
  const head = [
    ...['name', 'key_id', 'environment', 'status', 'bearer_token', 'auth_token', 'may', 'numbers', 'numbers_digits'],
    ...['daily_cap', 'allowed_ips', 'exact_shape', 'created_utc', 'created_local', 'created_by'],
    ...['last_used_utc', 'last_used_local', 'last_used_for', 'last_used_from', 'expires_utc', 'expires_local'],
  ];
  const lines = list.map((key) => [
    ...[key.name, key.keyId, key.environment, key.status, hintText(key.bearerHint), hintText(key.authHint)],
    ...[key.scopes.join(' '), key.numbers.map(phoneText).join('; '), key.numbers.join(' ')],
    ...[key.dailyCap === 0 ? null : key.dailyCap, key.allowedIps?.join(' ') ?? null, key.exactShape],
    ...[...momentCells(key.createdAt), key.createdBy],
    ...[...momentCells(key.lastUse?.at ?? null), key.lastUse?.endpoint ?? null, key.lastUse?.address ?? null],
    ...momentCells(key.expiresAt),
  ]);
  return csvText([head, ...lines]);
}

/** For a .env file; the names are those that our client and command line read. */
export function envBlock(baseUrl: string, { bearerToken, authToken }: NewPair): string {
  return `HELIO_URL=${baseUrl}\nHELIO_BEARER_TOKEN=${bearerToken}\nHELIO_AUTH_TOKEN=${authToken}\n`;
}

/** A first text, with all values filled in. */
export function firstCurl(
  baseUrl: string,
  { bearerToken, authToken }: NewPair,
  { from, to, text }: { from: string; to: string; text: string },
): string {
  return [
    `curl -X POST '${baseUrl}/SendSMS?apikey=${authToken}'`,
    `-H 'Authorization: Bearer ${bearerToken}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify({ from, to: [to], text })}'`,
  ].join(' \\\n  ');
}
