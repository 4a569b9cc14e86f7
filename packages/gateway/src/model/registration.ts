/**
 * 10DLC registration: brands and campaigns as US carriers know them, with the allowed values. Plain data; the rules
 * are in `brand-rules.ts` and `campaign-rules.ts`.
 */
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { Environment } from './environment.ts';
import type { Evidence } from './evidence.ts';

export type CampaignStatus =
  | 'draft'
  | 'submitted'
  | 'in_review'
  | 'changes_needed'
  | 'approved'
  | 'suspended'
  | 'expired';

export const entityTypes = ['PRIVATE_PROFIT', 'PUBLIC_PROFIT', 'NON_PROFIT', 'GOVERNMENT', 'SOLE_PROPRIETOR'] as const;
export type EntityType = (typeof entityTypes)[number];

/** The Campaign Registry's terms. */
export const verticals = [
  'AGRICULTURE',
  'COMMUNICATION',
  'CONSTRUCTION',
  'EDUCATION',
  'ENERGY',
  'ENTERTAINMENT',
  'FINANCIAL',
  'GAMBLING',
  'GOVERNMENT',
  'HEALTHCARE',
  'HOSPITALITY',
  'HUMAN_RESOURCES',
  'INSURANCE',
  'LEGAL',
  'MANUFACTURING',
  'NGO',
  'POLITICAL',
  'POSTAL',
  'PROFESSIONAL',
  'REAL_ESTATE',
  'RETAIL',
  'TECHNOLOGY',
  'TRANSPORTATION',
] as const;

export const identityStatuses = ['unverified', 'verified', 'vetted'] as const;
export type IdentityStatus = (typeof identityStatuses)[number];

/** The form fields of a brand; '' = not given. */
export interface BrandForm {
  entityType: EntityType;
  legalName: string;
  /** The name that people know, as used in texts. */
  displayName: string;
  ein: string;
  /** ISO 3166-1 alpha-2: the country that issued the EIN or equivalent. */
  einCountry: string;
  street: string;
  city: string;
  region: string;
  postalCode: string;
  country: string;
  /** E.164 digits without plus. */
  phone: string;
  email: string;
  website: string;
  vertical: string;
  stockSymbol: string;
  stockExchange: string;
}

export interface Brand extends BrandForm {
  /** `brd_…` */
  brandId: string;
  accountId: AccountId;
  environment: Environment;
  /** Id at The Campaign Registry; '' = none yet. */
  tcrId: string;
  identityStatus: IdentityStatus;
  /** 0–100; null = not vetted. */
  vettingScore: number | null;
  createdAt: EpochMs;
  /** The result of the last look at its website. */
  websiteCheck?: WebsiteCheck;
  /** Oldest first. */
  evidence?: Evidence[];
}

export interface WebsiteCheck {
  /** The checked address: the result does not apply to another website. */
  url: string;
  at: EpochMs;
  ok: boolean;
  sentence: string;
}

/** A sort of campaign, with the number of sample texts that it must show. */
export interface UseCase {
  name: string;
  samplesMin: number;
  /** Whether T-Mobile's stricter scale of limits applies. */
  mixed: boolean;
}

const dedicated = (name: string): UseCase => ({ name, samplesMin: 1, mixed: false });

export const useCases: readonly UseCase[] = [
  dedicated('2FA'),
  dedicated('ACCOUNT_NOTIFICATION'),
  dedicated('CUSTOMER_CARE'),
  dedicated('DELIVERY_NOTIFICATION'),
  dedicated('FRAUD_ALERT'),
  dedicated('HIGHER_EDUCATION'),
  dedicated('POLLING_VOTING'),
  dedicated('PUBLIC_SERVICE_ANNOUNCEMENT'),
  dedicated('SECURITY_ALERT'),
  dedicated('CHARITY'),
  { name: 'MARKETING', samplesMin: 2, mixed: true },
  { name: 'MIXED', samplesMin: 2, mixed: true },
  { name: 'LOW_VOLUME', samplesMin: 1, mixed: true },
  { name: 'SOLE_PROPRIETOR', samplesMin: 1, mixed: true },
];

export function useCaseOf(name: string): UseCase | undefined {
  return useCases.find((one) => one.name === name);
}

/** What a campaign's texts may contain, as the carriers define it. */
export const campaignFlags = [
  'embeddedLink',
  'embeddedPhone',
  'numberPool',
  'ageGated',
  'directLending',
  'affiliateMarketing',
] as const;
export type CampaignFlag = (typeof campaignFlags)[number];

/**
 * Data registered with the carriers. The answers to keywords are separate fields of the campaign, because they are sent
 * unchanged.
 */
export interface Registration {
  brandId: string | null;
  /** A name of `useCases`; '' = not chosen yet. */
  useCase: string;
  description: string;
  /** How people agree to be texted. */
  messageFlow: string;
  samples: string[];
  optInKeywords: string[];
  optOutKeywords: string[];
  helpKeywords: string[];
  flags: Record<CampaignFlag, boolean>;
  privacyUrl: string;
  termsUrl: string;
  /** Id at The Campaign Registry; '' = none yet. */
  tcrId: string;
}

/** All form fields of a campaign. */
export interface CampaignForm extends Omit<Registration, 'tcrId'> {
  name: string;
  optOutText: string;
  optInText: string;
  helpText: string;
}

export function emptyRegistration(): Registration {
  return {
    brandId: null,
    useCase: '',
    description: '',
    messageFlow: '',
    samples: [],
    optInKeywords: ['START', 'YES'],
    optOutKeywords: ['STOP'],
    helpKeywords: ['HELP'],
    flags: {
      embeddedLink: false,
      embeddedPhone: false,
      numberPool: false,
      ageGated: false,
      directLending: false,
      affiliateMarketing: false,
    },
    privacyUrl: '',
    termsUrl: '',
    tcrId: '',
  };
}

/** The networks' limits for one campaign; null = none. */
export interface Pacing {
  /** SMS segments, over all its numbers. */
  segmentsPerMinute: number | null;
  mmsPerMinute: number | null;
  /** SMS segments and MMS, over all campaigns of its brand, for each day of the Pacific time zone. */
  segmentsPerDay: number | null;
}

export const carrierNames = ['att', 'tmobile', 'verizon'] as const;
export type CarrierStatuses = Partial<Record<(typeof carrierNames)[number], 'in_review' | 'approved' | 'rejected'>>;

/** What must change: `field` is one of `CampaignForm`, or '' for none in particular. */
export interface CampaignReason {
  field: string;
  sentence: string;
}

export interface CampaignHistoryEntry {
  at: EpochMs;
  /** Who did it, for people. */
  who: string;
  what: 'created' | 'submitted' | 'withdrawn' | 'outcome';
  /** The status after it. */
  status: CampaignStatus;
  /** The submitted version that it belongs to; 0 = none. */
  version: number;
  note: string;
  reasons: CampaignReason[];
  /** Ids of the campaign's evidence for it. */
  evidence?: string[];
}

/** A submission as it was at that time. */
export interface SubmittedVersion {
  version: number;
  at: EpochMs;
  form: CampaignForm;
}

export const registrationLimits = {
  numbersPerCampaign: 49,
  history: 200,
  versions: 50,
  brandsPerAccount: 100,
  campaignsPerAccount: 500,
} as const;
