/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { CampaignCheck, EvidenceFile } from './brands';

export interface CampaignRow {
  campaignId: string;
  environment: 'sandbox' | 'live';
  name: string;
  status: string;
  numbers: number;
  useCase: string;
  brandId: string | null;
  brandName: string | null;
  company: string;
  updatedAt: string | null;
}

export interface Campaign {
  outcomes: string[];
  version: string;
  form: CampaignForm;
  checks: CampaignCheck[];
  useCases: { mixed: boolean; name: string; samplesMin: number }[];
  tcrId: string;
  numberList: { number: string; name: string }[];
  carriers: Record<string, string>;
  pacing: CampaignPacing | null;
  tables: { pacing: CampaignPacing; date: string; sources: string[] };
  use: {
    segmentsThisMinute: LimitUse | null;
    mmsThisMinute: LimitUse | null;
    segmentsToday: { used: number; limit: number; resetsAt: string } | null;
  };
  evidence: EvidenceFile[];
  history: CampaignHistory[];
  versions: { version: number; at: string; form: CampaignForm }[];
  campaignId: string;
  environment: 'sandbox' | 'live';
  name: string;
  status: string;
  numbers: number;
  useCase: string;
  brandId: string | null;
  brandName: string | null;
  company: string;
  updatedAt: string | null;
}

export interface CampaignForm {
  name: string;
  brandId: string | null;
  useCase: string;
  description: string;
  messageFlow: string;
  samples: string[];
  optInKeywords: string[];
  optOutKeywords: string[];
  helpKeywords: string[];
  flags: {
    embeddedLink: boolean;
    embeddedPhone: boolean;
    numberPool: boolean;
    ageGated: boolean;
    directLending: boolean;
    affiliateMarketing: boolean;
  };
  privacyUrl: string;
  termsUrl: string;
  optInText: string;
  optOutText: string;
  helpText: string;
}

export interface CampaignPacing {
  segmentsPerMinute: number | null;
  mmsPerMinute: number | null;
  segmentsPerDay: number | null;
}

export interface LimitUse {
  used: number;
  limit: number;
}

export interface CampaignHistory {
  at: string;
  who: string;
  what: string;
  status: string;
  version: number;
  note: string;
  reasons: CampaignReason[];
  evidence?: string[];
}

export interface CampaignReason {
  field: string;
  sentence: string;
}

export interface CampaignsRoutes {
  'DELETE /campaigns/:campaignId/evidence/:evidenceId': {
    query: Record<never, never>;
    body: undefined;
    answer: Campaign;
  };
  'GET /campaigns': {
    query: { waiting?: string | null };
    body: undefined;
    answer: CampaignRow[];
  };
  'GET /campaigns/:campaignId': {
    query: Record<never, never>;
    body: undefined;
    answer: Campaign;
  };
  'GET /campaigns/:campaignId/evidence/:evidenceId': {
    query: Record<never, never>;
    body: undefined;
    answer: never;
  };
  'POST /campaigns': {
    query: Record<never, never>;
    body: {
      name?: string;
      brandId?: string | null;
      useCase?: string;
      description?: string;
      messageFlow?: string;
      samples?: string[];
      optInKeywords?: string[];
      optOutKeywords?: string[];
      helpKeywords?: string[];
      flags?: {
        embeddedLink?: boolean;
        embeddedPhone?: boolean;
        numberPool?: boolean;
        ageGated?: boolean;
        directLending?: boolean;
        affiliateMarketing?: boolean;
      };
      privacyUrl?: string;
      termsUrl?: string;
      optOutText?: string;
      optInText?: string;
      helpText?: string;
      version?: string;
    };
    answer: Campaign;
  };
  'POST /campaigns/:campaignId': {
    query: Record<never, never>;
    body: {
      name?: string;
      brandId?: string | null;
      useCase?: string;
      description?: string;
      messageFlow?: string;
      samples?: string[];
      optInKeywords?: string[];
      optOutKeywords?: string[];
      helpKeywords?: string[];
      flags?: {
        embeddedLink?: boolean;
        embeddedPhone?: boolean;
        numberPool?: boolean;
        ageGated?: boolean;
        directLending?: boolean;
        affiliateMarketing?: boolean;
      };
      privacyUrl?: string;
      termsUrl?: string;
      optOutText?: string;
      optInText?: string;
      helpText?: string;
      version?: string;
    };
    answer: Campaign;
  };
  'POST /campaigns/:campaignId/check': {
    query: Record<never, never>;
    body: unknown;
    answer: CampaignCheck[];
  };
  'POST /campaigns/:campaignId/evidence': {
    query: Record<never, never>;
    body: undefined;
    answer: Campaign;
  };
  'POST /campaigns/:campaignId/outcome': {
    query: Record<never, never>;
    body: {
      status: 'in_review' | 'changes_needed' | 'approved' | 'suspended' | 'expired';
      note: string;
      tcrId?: string;
      evidence?: string[];
      version?: string;
      reasons?: unknown;
      carriers?: unknown;
      pacing?: unknown;
    };
    answer: Campaign;
  };
  'POST /campaigns/:campaignId/submit': {
    query: Record<never, never>;
    body: { version?: string };
    answer: Campaign;
  };
  'POST /campaigns/:campaignId/withdraw': {
    query: Record<never, never>;
    body: unknown;
    answer: Campaign;
  };
}
