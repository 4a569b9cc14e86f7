/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface StreamRoutes {
  'GET /stream': {
    query: Record<never, never>;
    body: undefined;
    answer: never;
  };
}
