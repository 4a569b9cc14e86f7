/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface CompanyShown {
  accountId: string;
  name: string;
  status: 'active' | 'suspended';
  destinations: string[];
  destinationsMax: string[];
  fraudGuard: 'on' | 'off';
  fraudGuardOptional: boolean;
  uncertainPolicy: 'resend' | 'hold';
  repeatsUnanswered: number;
  repeatsBroken: number;
  smartEncoding: boolean;
  mmsFallback: 'none' | 'links';
  animations: 'still' | 'refuse';
  supportContact: string;
  timeZone: string | null;
  monthlyBudget: string | null;
  rates: RateShown[];
  bodyDays: number;
  metadataDays: number;
  secondFactor: {
    roles: ('Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer')[];
    graceDays: number;
    since: string;
  } | null;
  quietHours: QuietHoursShown | null;
  exactShapeDefault: boolean;
  passwordCharactersMin: number;
  version: string;
}

export interface RateShown {
  from: string;
  currency: string;
  smsPerSegment: string;
  mmsPerMessage: string;
}

export interface QuietHoursShown {
  from: string;
  to: string;
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  exceptCampaigns: string[];
  timeZone: string;
  now: boolean;
  begins: string | null;
  ends: string;
}

export interface NumberErasure {
  erasureId: string;
  number: string;
  requestedBy: string;
  requestedAt: string;
  deleted: number;
  leftOver: number;
  doneAt: string | null;
}

export interface CompanyRoutes {
  'GET /company': {
    query: Record<never, never>;
    body: undefined;
    answer: CompanyShown;
  };
  'GET /company/erasures': {
    query: Record<never, never>;
    body: undefined;
    answer: NumberErasure[];
  };
  'POST /company': {
    query: Record<never, never>;
    body: {
      version: string;
      name?: string;
      supportContact?: string;
      timeZone?: string | null;
      smartEncoding?: boolean;
      exactShapeDefault?: boolean;
      monthlyBudget?: string | null;
      passwordCharactersMin?: number;
      uncertainPolicy?: 'resend' | 'hold';
      repeatsUnanswered?: number;
      repeatsBroken?: number;
      mmsFallback?: 'none' | 'links';
      animations?: 'still' | 'refuse';
      destinations?: string[];
      fraudGuard?: 'on' | 'off';
      bodyDays?: number;
      metadataDays?: number;
    };
    answer: CompanyShown;
  };
  'POST /company/erasures': {
    query: Record<never, never>;
    body: { number: string };
    answer: NumberErasure;
  };
  'POST /company/quiet-hours': {
    query: Record<never, never>;
    body: { version: string; on: boolean; from?: string; to?: string; days?: string[]; exceptCampaigns?: string[] };
    answer: CompanyShown;
  };
  'POST /company/second-factor': {
    query: Record<never, never>;
    body: { version: string; roles: string[]; graceDays: number };
    answer: CompanyShown;
  };
}
