/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface HealthFinding {
  what: string;
  ok: boolean;
  detail: string;
  fix: string | null;
}

export interface HealthRoutes {
  'GET /health': {
    query: Record<never, never>;
    body: undefined;
    answer: HealthFinding[];
  };
}
