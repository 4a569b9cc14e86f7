/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { RateShown } from './company';

export interface Senders {
  senders: SenderRow[];
  rate: RateShown | null;
}

export interface SenderRow {
  number: string;
  sms: boolean;
  mms: boolean;
  /** Why it cannot send a text now, in a sentence. */
  why: string | null;
  reason?: string;
  waitsUntil: string | null;
}

export interface SendersRoutes {
  'GET /senders': {
    query: Record<never, never>;
    body: undefined;
    answer: Senders;
  };
}
