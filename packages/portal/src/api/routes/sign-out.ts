/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface SignOutRoutes {
  'POST /sign-out': {
    query: Record<never, never>;
    body: unknown;
    answer: Record<string, never>;
  };
}
