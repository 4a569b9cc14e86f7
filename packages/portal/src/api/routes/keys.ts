/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface KeyPair {
  keyId: string;
  name: string;
  environment: 'sandbox' | 'live';
  status: 'active' | 'expired' | 'revoked';
  scopes: ('read' | 'send' | 'admin')[];
  numbers: string[];
  dailyCap: number;
  exactShape: boolean;
  createdAt: string;
  createdBy: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedBy: string | null;
  lastUse: { at: string; endpoint: string; address: string | null } | null;
  bearerHint?: TokenHint | null;
  authHint?: TokenHint | null;
  allowedIps?: string[];
  lastRefusal?: { at: string; address: string } | null;
  version?: string;
}

export interface TokenHint {
  prefix: string;
  last4: string;
}

export interface CredentialsVerdict {
  works: boolean;
  fault: string | null;
  isListed: boolean;
  sentence: string;
  bearer: { sentence: string; key: { keyId: string; name: string; environment: 'sandbox' | 'live' } | null };
  auth: { sentence: string; key: { keyId: string; name: string; environment: 'sandbox' | 'live' } | null };
}

export type NewPair = KeyPair & { bearerToken: string; authToken: string };

export interface KeysRoutes {
  'GET /keys': {
    query: Record<never, never>;
    body: undefined;
    answer: KeyPair[];
  };
  'POST /keys': {
    query: Record<never, never>;
    body: unknown;
    answer: NewPair;
  };
  'POST /keys/:keyId': {
    query: Record<never, never>;
    body: unknown;
    answer: KeyPair;
  };
  'POST /keys/:keyId/revoke': {
    query: Record<never, never>;
    body: unknown;
    answer: KeyPair;
  };
  'POST /keys/:keyId/rotate': {
    query: Record<never, never>;
    body: unknown;
    answer: NewPair;
  };
  'POST /keys/test': {
    query: Record<never, never>;
    body: { bearerToken: string; authToken: string };
    answer: CredentialsVerdict;
  };
}
