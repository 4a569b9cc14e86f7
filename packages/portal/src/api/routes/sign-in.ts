/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { SignedIn } from './invitation';

export interface SignInRoutes {
  'POST /sign-in': {
    query: Record<never, never>;
    body: { email: string; password: string };
    answer:
      | SignedIn
      | {
          next: 'totp';
          challenge: string;
          /** Whether they have codes of an authenticator app. */
          authenticator: boolean;
          /** Whether a passkey does instead of a code. */
          passkey: boolean;
        };
  };
  'POST /sign-in/passkey': {
    query: Record<never, never>;
    body: { response?: unknown };
    answer: SignedIn;
  };
  'POST /sign-in/passkey/begin': {
    query: Record<never, never>;
    body: unknown;
    answer: {
      /** For `navigator.credentials`, as WebAuthn level 3 writes it in JSON. */ options: unknown;
    };
  };
  'POST /sign-in/sso/begin': {
    query: Record<never, never>;
    body: { next?: string | null; again?: boolean };
    answer: {
      /** Where the browser goes. */ url: string;
    };
  };
  'POST /sign-in/sso/finish': {
    query: Record<never, never>;
    body: { query: string };
    answer: {
      entered:
        | SignedIn
        | {
            next: 'totp';
            challenge: string;
            /** Whether they have codes of an authenticator app. */
            authenticator: boolean;
            /** Whether a passkey does instead of a code. */
            passkey: boolean;
          };
      /** The page to go to. */
      to: string | null;
    };
  };
  'POST /sign-in/totp': {
    query: Record<never, never>;
    body: { challenge: string; code: string };
    answer: SignedIn;
  };
}
