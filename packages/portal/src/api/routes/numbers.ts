/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface ImportedNumbers {
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
  problems: { entry: number; number: string; detail: string }[];
}

export interface NumberRow {
  number: string;
  environment: 'sandbox' | 'live';
  smsEnabled: boolean;
  mmsEnabled: boolean;
  campaignId: string | null;
  campaignName: string | null;
  campaignStatus: string | null;
  /** Of a toll-free number or short code: whether carriers have approved it; null for others, which need a campaign. */
  verified: boolean | null;
  /** Of a name as sender: where it may send; null for a number. */
  countries: string[] | null;
  messagesPerSecond: number;
  name: string;
  canSend: {
    ok: boolean;
    /** A code, as of a send that is refused for it. */
    reason?: string;
    sentence?: string;
    fix?: { label: string; href: string };
  };
  last24h: { sent: number; delivered: number };
  /** A change names it, so that it is of what was seen. */
  version: string;
}

export type NumberWhole = NumberRow & {
  queued: number;
  pacing: { segmentsPerMinute: number | null; mmsPerMinute: number | null; segmentsPerDay: number | null } | null;
  /** For operators alone. */
  carriers?: { carrierId: string; name: string }[];
};

export interface NumbersRoutes {
  'GET /numbers': {
    query: Record<never, never>;
    body: undefined;
    answer: NumberRow[];
  };
  'GET /numbers/:number': {
    query: Record<never, never>;
    body: undefined;
    answer: NumberWhole;
  };
  'POST /numbers': {
    query: Record<never, never>;
    body: { number: string; name?: string; campaignId?: string | null; countries?: string[] };
    answer: NumberRow;
  };
  'POST /numbers/:number': {
    query: Record<never, never>;
    body: {
      smsEnabled?: boolean;
      mmsEnabled?: boolean;
      campaignId?: string | null;
      name?: string;
      version?: string;
      messagesPerSecond?: number;
      verified?: boolean;
      countries?: string[];
    };
    answer: NumberWhole;
  };
  'POST /numbers/import': {
    query: Record<never, never>;
    body: undefined;
    answer: ImportedNumbers;
  };
}
