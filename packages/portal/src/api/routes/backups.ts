/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export type StoreBackups =
  | { engine: 'sqlite' | 'postgres'; bytes: number; folder: null }
  | {
      engine: 'sqlite' | 'postgres';
      bytes: number;
      folder: string;
      backups: Backup[];
      runningSince: string | null;
      failed: { at: string; detail: string } | null;
    };

export interface Backup {
  name: string;
  bytes: number;
  at: string;
}

export interface BackupsRoutes {
  'DELETE /backups/:name': {
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /backups': {
    query: Record<never, never>;
    body: undefined;
    answer: StoreBackups;
  };
  'GET /backups/:name': {
    query: Record<never, never>;
    body: undefined;
    answer: never;
  };
  'POST /backups': {
    query: Record<never, never>;
    body: unknown;
    answer: { name: string };
  };
  'POST /backups/:name/download': {
    query: Record<never, never>;
    body: unknown;
    answer: Record<string, never>;
  };
}
