/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface GatewayAbout {
  version: string;
  build: string | null;
  node: string;
  store: { engine: 'sqlite' | 'postgres'; engineVersion: string; schemaVersion: number };
  machine: { platform: string; bytes: number; startedAt: string; now: string } | null;
}

export interface AboutRoutes {
  'GET /about': {
    query: Record<never, never>;
    body: undefined;
    answer: GatewayAbout;
  };
}
