/** Shapes of the answers in `campaign-routes.ts`. */
import { byName, flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';
import { campaignCheck, evidenceFile } from './brand-shapes.ts';

export const campaignRow = named(
  'CampaignRow',
  object({
    campaignId: plain(),
    environment: oneOf(['sandbox', 'live']),
    name: plain(),
    status: plain(),
    numbers: whole(),
    useCase: plain(),
    brandId: orNull(plain()),
    brandName: orNull(plain()),
    company: plain(),
    updatedAt: orNull(time),
  }),
);

export const campaignForm = named(
  'CampaignForm',
  object({
    name: plain(),
    brandId: orNull(plain()),
    useCase: plain(),
    description: plain(),
    messageFlow: plain(),
    samples: list(plain()),
    optInKeywords: list(plain()),
    optOutKeywords: list(plain()),
    helpKeywords: list(plain()),
    flags: object({
      embeddedLink: flag(),
      embeddedPhone: flag(),
      numberPool: flag(),
      ageGated: flag(),
      directLending: flag(),
      affiliateMarketing: flag(),
    }),
    privacyUrl: plain(),
    termsUrl: plain(),
    optInText: plain(),
    optOutText: plain(),
    helpText: plain(),
  }),
);

export const campaignPacing = named(
  'CampaignPacing',
  object({
    segmentsPerMinute: orNull(whole()),
    mmsPerMinute: orNull(whole()),
    segmentsPerDay: orNull(whole()),
  }),
);

export const limitUse = named(
  'LimitUse',
  object({
    used: whole(),
    limit: whole(),
  }),
);

export const campaignReason = named(
  'CampaignReason',
  object({
    field: plain(),
    sentence: plain(),
  }),
);

export const campaignHistory = named(
  'CampaignHistory',
  object({
    at: time,
    who: plain(),
    what: plain(),
    status: plain(),
    version: whole(),
    note: plain(),
    reasons: list(campaignReason),
    evidence: optional(list(plain())),
  }),
);

export const campaign = named(
  'Campaign',
  object({
    outcomes: list(plain()),
    version: plain(),
    form: campaignForm,
    checks: list(campaignCheck),
    useCases: list(
      object({
        mixed: flag(),
        name: plain(),
        samplesMin: whole(),
      }),
    ),
    tcrId: plain(),
    numberList: list(
      object({
        number: plain(),
        name: plain(),
      }),
    ),
    carriers: byName(plain()),
    pacing: orNull(campaignPacing),
    tables: object({
      pacing: campaignPacing,
      date: plain(),
      sources: list(plain()),
    }),
    use: object({
      segmentsThisMinute: orNull(limitUse),
      mmsThisMinute: orNull(limitUse),
      segmentsToday: orNull(
        object({
          used: whole(),
          limit: whole(),
          resetsAt: time,
        }),
      ),
    }),
    evidence: list(evidenceFile),
    history: list(campaignHistory),
    versions: list(
      object({
        version: whole(),
        at: time,
        form: campaignForm,
      }),
    ),
    campaignId: plain(),
    environment: oneOf(['sandbox', 'live']),
    name: plain(),
    status: plain(),
    numbers: whole(),
    useCase: plain(),
    brandId: orNull(plain()),
    brandName: orNull(plain()),
    company: plain(),
    updatedAt: orNull(time),
  }),
);
