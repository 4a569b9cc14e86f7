/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { SignedIn } from './invitation';

export interface SetupRoutes {
  'POST /setup': {
    query: Record<never, never>;
    body: { key: string; password: string; name?: string; email?: string; company?: string | null };
    answer: SignedIn;
  };
  'POST /setup/look': {
    query: Record<never, never>;
    body: { key: string };
    answer:
      | { purpose: 'setup' }
      | { purpose: 'user'; email: string; name: string; company: string; passwordCharactersMin: number }
      | { purpose: 'invitation' };
  };
}
