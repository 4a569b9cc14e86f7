/** Shapes of the answers in `brand-routes.ts`. */
import { flag, list, named, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';

export const campaignCheck = named(
  'CampaignCheck',
  object({
    rule: plain(),
    ok: flag(),
    sentence: plain(),
    field: plain(),
  }),
);

export const evidenceFile = named(
  'EvidenceFile',
  object({
    evidenceId: plain(),
    fileName: plain(),
    type: plain(),
    sizeBytes: whole(),
    at: time,
    who: plain(),
  }),
);

export const brand = named(
  'Brand',
  object({
    environment: oneOf(['sandbox', 'live']),
    createdAt: time,
    brandId: plain(),
    tcrId: plain(),
    identityStatus: plain(),
    vettingScore: orNull(whole()),
    version: plain(),
    checks: list(campaignCheck),
    websiteCheck: orNull(
      object({
        url: plain(),
        at: time,
        ok: flag(),
        sentence: plain(),
      }),
    ),
    evidence: list(evidenceFile),
    legalName: plain(),
    displayName: plain(),
    ein: plain(),
    einCountry: plain(),
    street: plain(),
    city: plain(),
    region: plain(),
    postalCode: plain(),
    country: plain(),
    phone: plain(),
    email: plain(),
    website: plain(),
    stockSymbol: plain(),
    stockExchange: plain(),
    entityType: plain(),
    vertical: plain(),
  }),
);
