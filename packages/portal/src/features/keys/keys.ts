/** Key pairs as the gateway shows them, and the tokens of a new one. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Environment } from '../../api/session';

export type Scope = 'send' | 'read' | 'admin';

export interface TokenHint {
  prefix: string;
  last4: string;
}

export interface KeyPair {
  keyId: string;
  name: string;
  environment: Environment;
  status: 'active' | 'expired' | 'revoked';
  scopes: Scope[];
  numbers: string[];
  dailyCap: number;
  exactShape: boolean;
  createdAt: string;
  createdBy: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedBy: string | null;
  lastUse: { at: string; endpoint: string; address: string | null } | null;
  /** These only for those who manage keys. */
  bearerHint?: TokenHint | null;
  authHint?: TokenHint | null;
  allowedIps?: string[];
  version?: string;
}

export interface NewPair extends KeyPair {
  bearerToken: string;
  authToken: string;
}

export function useKeys() {
  return useQuery({ queryKey: ['keys'], queryFn: async () => (await api.get<KeyPair[]>('/keys')).data });
}

export function hintText(hint: TokenHint | null | undefined): string | null {
  return hint == null ? null : `${hint.prefix}…${hint.last4}`;
}

/** Of a pair that was rotated and still works: whether somebody still calls with it. */
export function usedSinceRotation(key: KeyPair, keys: readonly KeyPair[]): boolean {
  const newer = keys.find(({ keyId }) => keyId === key.replacedBy);
  return newer !== undefined && key.lastUse !== null && key.lastUse.at > newer.createdAt;
}

/** For a .env file; the names are those that our client and command line read. */
export function envBlock(baseUrl: string, { bearerToken, authToken }: NewPair): string {
  return `HELIO_URL=${baseUrl}\nHELIO_BEARER_TOKEN=${bearerToken}\nHELIO_AUTH_TOKEN=${authToken}\n`;
}

/** A first text, with everything filled in. */
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
