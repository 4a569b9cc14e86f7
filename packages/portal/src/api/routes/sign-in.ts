/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { SignedIn } from './invitation';

export interface SignInRoutes {
  'POST /sign-in': {
    query: Record<never, never>;
    body: { email: string; password: string };
    answer: SignedIn | { next: 'totp'; challenge: string };
  };
  'POST /sign-in/totp': {
    query: Record<never, never>;
    body: { challenge: string; code: string };
    answer: SignedIn;
  };
}
