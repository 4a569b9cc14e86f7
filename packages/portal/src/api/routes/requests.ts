/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { MessageListed, RefusedRecipient } from './messages';

export interface RequestWhole {
  requestId: string;
  messages: MessageListed[];
  refused: RefusedRecipient[];
  call: ApiCallKept | null;
}

export interface ApiCallKept {
  environment: 'sandbox' | 'live';
  requestId: string;
  at: string;
  method: string;
  path: string;
  status: number;
  reason: string;
  detail: string;
  keyId: string;
  keyName: string;
  ip: string;
  ms: number;
  dryRun: boolean;
  redacted: string | null;
  bodyBytes: number;
}

export interface UnkeptCalls {
  minute: string;
  calls: number;
}

export interface RequestsRoutes {
  'GET /requests': {
    query: {
      q?: string | null;
      status?: string | null;
      reason?: string | null;
      key?: string | null;
      since?: string | null;
      until?: string | null;
      before?: string | null;
      limit?: string | null;
    };
    body: undefined;
    answer: { calls: ApiCallKept[]; unkept: UnkeptCalls[] };
  };
  'GET /requests/:requestId': {
    query: Record<never, never>;
    body: undefined;
    answer: RequestWhole;
  };
  'GET /requests/export.csv': {
    query: {
      q?: string | null;
      status?: string | null;
      reason?: string | null;
      key?: string | null;
      since?: string | null;
      until?: string | null;
      before?: string | null;
      limit?: string | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
  'GET /requests/export.jsonl': {
    query: {
      q?: string | null;
      status?: string | null;
      reason?: string | null;
      key?: string | null;
      since?: string | null;
      until?: string | null;
      before?: string | null;
      limit?: string | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
}
