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

/** The Campaign Registry's words. */
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

/** What people fill in of a brand; '' = not given. */
export interface BrandForm {
  entityType: EntityType;
  legalName: string;
  /** The name that people know, as in the texts. */
  displayName: string;
  ein: string;
  /** ISO 3166-1 alpha-2: where the EIN (or its like) is from. */
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
  /** Of The Campaign Registry; '' = none yet. */
  tcrId: string;
  identityStatus: IdentityStatus;
  /** 0–100; null = not vetted. */
  vettingScore: number | null;
  createdAt: EpochMs;
  /** What its website did when it was last looked at. */
  websiteCheck?: WebsiteCheck;
  /** Oldest first. */
  evidence?: Evidence[];
}

export interface WebsiteCheck {
  /** As it was then: of another website it says nothing. */
  url: string;
  at: EpochMs;
  ok: boolean;
  sentence: string;
}

/** How often each sort of campaign has to show what it sends. */
export interface UseCase {
  name: string;
  samplesMin: number;
  /** Whether its limits with T-Mobile follow the harder scale. */
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

/** What a campaign's texts may hold, as the carriers ask it. */
export const campaignFlags = [
  'embeddedLink',
  'embeddedPhone',
  'numberPool',
  'ageGated',
  'directLending',
  'affiliateMarketing',
] as const;
export type CampaignFlag = (typeof campaignFlags)[number];

/** Registered with the carriers. The answers to keywords are separate fields of the campaign, because they are sent unchanged. */
export interface Registration {
  brandId: string | null;
  /** A name of `useCases`; '' = not chosen yet. */
  useCase: string;
  description: string;
  /** How people come to agree to be texted. */
  messageFlow: string;
  samples: string[];
  optInKeywords: string[];
  optOutKeywords: string[];
  helpKeywords: string[];
  flags: Record<CampaignFlag, boolean>;
  privacyUrl: string;
  termsUrl: string;
  /** Of The Campaign Registry; '' = none yet. */
  tcrId: string;
}

/** Everything of a campaign that people fill in. */
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

/** Limits of the networks as they count for one campaign; null = none. */
export interface Pacing {
  /** SMS segments, over all its numbers. */
  segmentsPerMinute: number | null;
  mmsPerMinute: number | null;
  /** SMS segments and MMS, over all campaigns of its brand, by the day of the Pacific time zone. */
  segmentsPerDay: number | null;
}

export const carrierNames = ['att', 'tmobile', 'verizon'] as const;
export type CarrierStatuses = Partial<Record<(typeof carrierNames)[number], 'in_review' | 'approved' | 'rejected'>>;

/** What has to change: `field` is one of `CampaignForm`, or '' for none in particular. */
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
  /** The submitted version it is about; 0 = none. */
  version: number;
  note: string;
  reasons: CampaignReason[];
  /** Ids of the campaign's evidence that prove it. */
  evidence?: string[];
}

/** What was sent in, as it was then. */
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
