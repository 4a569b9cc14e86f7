/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface AuditEntry {
  position: number;
  at: string;
  userId: string | null;
  who: string;
  what: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  requestId: string | null;
}

export interface AuditRoutes {
  'GET /audit': {
    query: {
      before?: string | null;
      limit?: string | null;
      who?: string | null;
      what?: string | null;
      target?: string | null;
      about?: string | null;
      text?: string | null;
    };
    body: undefined;
    answer: {
      entries: AuditEntry[];
      chain: { ok: boolean; rows: number; brokenAt?: number; since?: string | null };
      searchedTo: string | null;
    };
  };
  'GET /audit.csv': {
    query: {
      before?: string | null;
      limit?: string | null;
      who?: string | null;
      what?: string | null;
      target?: string | null;
      about?: string | null;
      text?: string | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
  'GET /audit.jsonl': {
    query: {
      before?: string | null;
      limit?: string | null;
      who?: string | null;
      what?: string | null;
      target?: string | null;
      about?: string | null;
      text?: string | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
}
