/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface AccountShown {
  accountId: string;
  name: string;
  status: 'active' | 'suspended';
  destinations: string[];
  destinationsMax?: string[];
  fraudGuardOptional?: boolean;
  uncertainPolicy: 'resend' | 'hold';
  repeatsUnanswered?: number;
  repeatsBroken?: number;
  smartEncoding: boolean;
  requestsPerSecond: number;
  waitingSecondsMax?: number;
  mmsFallback: 'none' | 'links';
  animations?: 'still' | 'refuse';
  supportContact: string;
  rates?: AccountRate[];
  version: string;
  counts: { numbers: number; campaigns: number; keys: number };
}

export interface AccountRate {
  from: string;
  currency: string;
  smsPerSegment: string;
  mmsPerMessage: string;
}

export interface AccountDetail {
  users: {
    userId: string;
    name: string;
    email: string;
    role: string;
    disabled: boolean;
    lastSignInAt: string | null;
  }[];
  accountId: string;
  name: string;
  status: 'active' | 'suspended';
  destinations: string[];
  destinationsMax?: string[];
  fraudGuardOptional?: boolean;
  uncertainPolicy: 'resend' | 'hold';
  repeatsUnanswered?: number;
  repeatsBroken?: number;
  smartEncoding: boolean;
  requestsPerSecond: number;
  waitingSecondsMax?: number;
  mmsFallback: 'none' | 'links';
  animations?: 'still' | 'refuse';
  supportContact: string;
  rates?: AccountRate[];
  version: string;
  counts: { numbers: number; campaigns: number; keys: number };
}

export interface AccountsRoutes {
  'GET /accounts': {
    query: Record<never, never>;
    body: undefined;
    answer: AccountShown[];
  };
  'GET /accounts/:accountId': {
    query: Record<never, never>;
    body: undefined;
    answer: AccountDetail;
  };
  'POST /accounts': {
    query: Record<never, never>;
    body: { record?: unknown; version?: string };
    answer: { accountId: string };
  };
  'POST /accounts/:accountId': {
    query: Record<never, never>;
    body: { record?: unknown; version?: string };
    answer: { accountId: string };
  };
  'POST /accounts/:accountId/owner': {
    query: Record<never, never>;
    body: { email: string; name?: string };
    answer: { link: string; email: string; expiresAt: string };
  };
}
