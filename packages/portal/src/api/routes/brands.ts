/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface Brand {
  environment: 'sandbox' | 'live';
  createdAt: string;
  brandId: string;
  tcrId: string;
  identityStatus: string;
  vettingScore: number | null;
  version: string;
  checks: CampaignCheck[];
  websiteCheck: { url: string; at: string; ok: boolean; sentence: string } | null;
  evidence: EvidenceFile[];
  legalName: string;
  displayName: string;
  ein: string;
  einCountry: string;
  street: string;
  city: string;
  region: string;
  postalCode: string;
  country: string;
  phone: string;
  email: string;
  website: string;
  stockSymbol: string;
  stockExchange: string;
  entityType: string;
  vertical: string;
}

export interface CampaignCheck {
  rule: string;
  ok: boolean;
  sentence: string;
  field: string;
}

export interface EvidenceFile {
  evidenceId: string;
  fileName: string;
  type: string;
  sizeBytes: number;
  at: string;
  who: string;
}

export interface BrandsRoutes {
  'DELETE /brands/:brandId/evidence/:evidenceId': {
    query: Record<never, never>;
    body: undefined;
    answer: Brand;
  };
  'GET /brands': {
    query: Record<never, never>;
    body: undefined;
    answer: Brand[];
  };
  'GET /brands/:brandId': {
    query: Record<never, never>;
    body: undefined;
    answer: Brand;
  };
  'GET /brands/:brandId/evidence/:evidenceId': {
    query: Record<never, never>;
    body: undefined;
    answer: never;
  };
  'POST /brands': {
    query: Record<never, never>;
    body: {
      entityType?: 'PRIVATE_PROFIT' | 'PUBLIC_PROFIT' | 'NON_PROFIT' | 'GOVERNMENT' | 'SOLE_PROPRIETOR';
      legalName?: string;
      displayName?: string;
      ein?: string;
      einCountry?: string;
      street?: string;
      city?: string;
      region?: string;
      postalCode?: string;
      country?: string;
      phone?: string;
      email?: string;
      website?: string;
      vertical?: string;
      stockSymbol?: string;
      stockExchange?: string;
    };
    answer: Brand;
  };
  'POST /brands/:brandId': {
    query: Record<never, never>;
    body: {
      entityType?: 'PRIVATE_PROFIT' | 'PUBLIC_PROFIT' | 'NON_PROFIT' | 'GOVERNMENT' | 'SOLE_PROPRIETOR';
      legalName?: string;
      displayName?: string;
      ein?: string;
      einCountry?: string;
      street?: string;
      city?: string;
      region?: string;
      postalCode?: string;
      country?: string;
      phone?: string;
      email?: string;
      website?: string;
      vertical?: string;
      stockSymbol?: string;
      stockExchange?: string;
      tcrId?: string;
      identityStatus?: 'unverified' | 'verified' | 'vetted';
      vettingScore?: number | null;
      version?: string;
    };
    answer: Brand;
  };
  'POST /brands/:brandId/evidence': {
    query: Record<never, never>;
    body: undefined;
    answer: Brand;
  };
  'POST /brands/:brandId/website': {
    query: Record<never, never>;
    body: unknown;
    answer: Brand;
  };
}
