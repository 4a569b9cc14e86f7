/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { SignedIn } from './invitation';

export interface PasswordResetRoutes {
  'POST /password-reset': {
    query: Record<never, never>;
    body: { email: string };
    answer: {
      /** How long the link works. */ minutes: number;
    };
  };
  'POST /password-reset/finish': {
    query: Record<never, never>;
    body: { key: string; password: string };
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
  'POST /password-reset/look': {
    query: Record<never, never>;
    body: { key: string };
    answer: { email: string; name: string; company: string; passwordCharactersMin: number };
  };
}
