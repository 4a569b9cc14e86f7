/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { Me } from './invitation';

export interface PasskeyShown {
  passkeyId: string;
  name: string;
  /** Whether it is synced to other devices of its person. */
  backedUp: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface TotpBegun {
  secret: string;
  uri: string;
}

export interface OpenSession {
  sessionId: string;
  current: boolean;
  address: string;
  agent: string;
  createdAt: string;
  seenAt: string;
  endsAt: string;
}

export interface MeRoutes {
  'DELETE /me/passkeys/:passkeyId': {
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, never>;
  };
  'DELETE /me/sessions': {
    query: Record<never, never>;
    body: undefined;
    answer: { ended: number };
  };
  'DELETE /me/sessions/:sessionId': {
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /me': {
    query: Record<never, never>;
    body: undefined;
    answer: Me & {
      /** Whether the person entered the password recently. */ recent: boolean;
    };
  };
  'GET /me/passkeys': {
    query: Record<never, never>;
    body: undefined;
    answer: {
      passkeys: PasskeyShown[];
      /** Why none can be added here. */
      none: 'https' | 'host name' | 'no address' | null;
      /** The address at which they work. */
      at: string | null;
    };
  };
  'GET /me/sessions': {
    query: Record<never, never>;
    body: undefined;
    answer: OpenSession[];
  };
  'POST /me': {
    query: Record<never, never>;
    body: { name?: string; timeZone?: string | null; language?: string | null; singleKeys?: boolean };
    answer: Me;
  };
  'POST /me/confirm': {
    query: Record<never, never>;
    body: { password: string };
    answer: { forMs: number };
  };
  'POST /me/confirm/passkey': {
    query: Record<never, never>;
    body: { response?: unknown };
    answer: { forMs: number };
  };
  'POST /me/passkeys': {
    query: Record<never, never>;
    body: { name: string; response?: unknown };
    answer: { passkey: PasskeyShown; recoveryCodes: string[] | null };
  };
  'POST /me/passkeys/:passkeyId': {
    query: Record<never, never>;
    body: { name: string };
    answer: Record<string, never>;
  };
  'POST /me/passkeys/begin': {
    query: Record<never, never>;
    body: unknown;
    answer: {
      /** For `navigator.credentials`, as WebAuthn level 3 writes it in JSON. */ options: unknown;
    };
  };
  'POST /me/password': {
    query: Record<never, never>;
    body: { current: string; next: string };
    answer: Me | null;
  };
  'POST /me/recovery-codes': {
    query: Record<never, never>;
    body: unknown;
    answer: { recoveryCodes: string[] };
  };
  'POST /me/totp/begin': {
    query: Record<never, never>;
    body: unknown;
    answer: TotpBegun;
  };
  'POST /me/totp/finish': {
    query: Record<never, never>;
    body: { code: string };
    answer: { recoveryCodes: string[] };
  };
  'POST /me/totp/remove': {
    query: Record<never, never>;
    body: { code: string };
    answer: Record<string, never>;
  };
  'POST /me/view-as': {
    query: Record<never, never>;
    body: { role?: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer' | null };
    answer: Me;
  };
}
