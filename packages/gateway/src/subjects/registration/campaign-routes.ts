/** `/campaigns`: drafts, checks, submission, recorded outcome, history, and use of the network limits. */

import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { forbidden } from '../../http/portal/answers.ts';
import { form, lateForm, optional, optionalFlags, optionalOrNull, optionalTexts } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalCall, PortalRoutes } from '../../http/portal/portal-guard.ts';
import { textQueries } from '../../http/query-fields.ts';
import { answers, ownBody } from '../../http/route.ts';
import { list } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { Pace } from '../../messaging/pace/pace.ts';
import { attLimits, tMobileLimits } from '../../messaging/pace/pacing-data.ts';
import { pacingFor } from '../../messaging/pace/pacing-limits.ts';
import type { Campaign } from '../../model/records.ts';
import { type CampaignForm, campaignFlags, emptyRegistration, useCases } from '../../model/registration.ts';
import { campaignCheck } from './brand-shapes.ts';
import { outcomeFields, readOutcome } from './campaign-outcome-form.ts';
import { outcomesOf } from './campaign-rules.ts';
import { campaign, campaignRow } from './campaign-shapes.ts';
import { type CampaignService, createCampaignService, formOf } from './campaigns.ts';
import { addCampaignEvidence, type EvidenceParts, shownEvidence } from './evidence-routes.ts';
import { editAnswer, withVersion } from './registration-answers.ts';

export type CampaignRouteParts = EvidenceParts & { pace: Pick<Pace, 'use'> };

const text = (charactersMax: number) => ({ ...optional, charactersMax }) as const;
const keywords = optionalTexts(20, 40);

/** Drafts may be longer or shorter than the registry allows: the checks report that. */
const campaignFields = {
  name: text(100),
  brandId: optionalOrNull,
  useCase: text(40),
  description: text(8_192),
  messageFlow: text(8_192),
  samples: optionalTexts(10, 2_048),
  optInKeywords: keywords,
  optOutKeywords: keywords,
  helpKeywords: keywords,
  flags: optionalFlags(campaignFlags),
  privacyUrl: text(2_048),
  termsUrl: text(2_048),
  optOutText: text(640),
  optInText: text(640),
  helpText: text(640),
} as const;

export function campaignRoutes(parts: CampaignRouteParts): PortalModule {
  const service = createCampaignService(parts);
  return (routes) => {
    addReading(routes, parts, service);
    addEdits(routes, parts, service);
    addCampaignEvidence(routes, parts, (campaign) => shownCampaign(campaign, parts, service));
  };
}

const missing = rejection('NOT_FOUND', 'Your company has no such campaign.');

function addReading(routes: PortalRoutes, parts: CampaignRouteParts, service: CampaignService): void {
  routes.add({
    method: 'GET',
    path: '/campaigns',
    access: 'read',
    query: textQueries({ waiting: '`true`: those of all companies that wait for the operator.' }),
    answer: answers(
      list(campaignRow),
      'All of them; with `waiting=true` those of all companies that wait for the operator',
    ),
    work: ({ account, environment, may, query }) => {
      const all = query.waiting === 'true';
      if (all && !may('operator')) return forbidden('operator');
      const campaigns = all ? service.waiting() : service.list(account.accountId, environment);
      const list = campaigns.map((campaign) => shownInList(campaign, parts));
      return success(`${counted(list.length, 'campaign')}.`, list);
    },
  });

  routes.add({
    method: 'GET',
    path: '/campaigns/:campaignId',
    access: 'read',
    answer: answers(campaign, 'The campaign'),
    work: (call) => {
      const { account, may } = call;
      const campaign = service.get(account.accountId, param(call, 'campaignId'), may('operator'));
      return campaign === null ? missing : success('The campaign.', shownCampaign(campaign, parts, service));
    },
  });

  routes.add({
    method: 'POST',
    path: '/campaigns/:campaignId/check',
    access: 'read',
    body: ownBody(null, { optional: true }),
    answer: answers(list(campaignCheck), 'What each rule says of it'),
    work: (call) => {
      const { account, may } = call;
      const campaign = service.get(account.accountId, param(call, 'campaignId'), may('operator'));
      if (campaign === null) return missing;
      const checks = service.checks(campaign);
      const open = checks.filter(({ ok }) => !ok).length;
      return success(
        open === 0 ? 'Everything is complete.' : `${counted(open, 'rule')} ${open === 1 ? 'is' : 'are'} not kept yet.`,
        checks,
      );
    },
  });
}

function addEdits(routes: PortalRoutes, parts: CampaignRouteParts, service: CampaignService): void {
  const shown = (campaign: Campaign) => shownCampaign(campaign, parts, service);
  const fields = { ...campaignFields, version: optional };
  const versionOf = ({ body }: { body: unknown }): string | null => {
    const version: unknown = Object(body).version;
    return typeof version === 'string' ? version : null;
  };
  const id = (call: PortalCall): string => param(call, 'campaignId');

  routes.add({
    method: 'POST',
    path: '/campaigns',
    access: 'manageCampaigns',
    audit: ['campaign.added'],
    body: form(fields),
    answer: answers(campaign, 'The campaign as it is now'),
    work: async ({ body, person, environment }) => {
      const { version: _, ...draft } = body;
      const outcome = await service.add(person, environment, draft as Partial<CampaignForm>);
      return editAnswer(outcome, 'The draft is there.', shown);
    },
  });

  routes.add({
    method: 'POST',
    path: '/campaigns/:campaignId',
    access: 'manageCampaigns',
    audit: ['campaign.changed'],
    body: form(fields),
    answer: answers(campaign, 'The campaign as it is now'),
    work: async (call) => {
      const { version = null, ...draft } = call.body;
      const outcome = await service.change(call.person, id(call), draft as Partial<CampaignForm>, version);
      return editAnswer(outcome, 'The campaign is saved.', shown);
    },
  });

  routes.add({
    method: 'POST',
    path: '/campaigns/:campaignId/submit',
    access: 'manageCampaigns',
    body: lateForm({ version: optional }, { optional: true }),
    answer: answers(campaign, 'The campaign as it is now'),
    work: async (call) => {
      const outcome = await service.submit(call.person, id(call), versionOf(call));
      return editAnswer(outcome, 'The campaign is submitted. Record its outcome here when you know it.', shown);
    },
  });

  routes.add({
    method: 'POST',
    path: '/campaigns/:campaignId/withdraw',
    access: 'manageCampaigns',
    body: ownBody(null, { optional: true }),
    answer: answers(campaign, 'The campaign as it is now'),
    work: async (call) => {
      return editAnswer(await service.withdraw(call.person, id(call)), 'The campaign is a draft again.', shown);
    },
  });

  routes.add({
    method: 'POST',
    path: '/campaigns/:campaignId/outcome',
    access: 'operator',
    body: lateForm(outcomeFields),
    answer: answers(campaign, 'The campaign as it is now'),
    work: async (call) => {
      const sent = readOutcome(call.body);
      if (!sent.ok) return sent.answer;
      return editAnswer(await service.outcome(call.person, id(call), sent.outcome), 'The outcome is recorded.', shown);
    },
  });
}

function shownInList(campaign: Campaign, { directory }: CampaignRouteParts) {
  const { campaignId, accountId, environment, name, status, registration } = campaign;
  const brand = registration?.brandId == null ? undefined : directory().brand(registration.brandId);
  const numbers = directory().records.numbers.filter((one) => one.campaignId === campaignId).length;
  return {
    campaignId,
    environment,
    name,
    status,
    numbers,
    useCase: registration?.useCase ?? '',
    brandId: brand?.brandId ?? null,
    brandName: brand?.displayName || brand?.legalName || null,
    company: directory().account(accountId)?.name ?? '',
    updatedAt: lastTime(campaign),
  };
}

function lastTime({ changedAt, history = [] }: Campaign): string | null {
  const last = changedAt ?? history.at(-1)?.at;
  return last === undefined ? null : isoTime(last);
}

function shownCampaign(campaign: Campaign, parts: CampaignRouteParts, service: CampaignService) {
  const { campaignId, registration = emptyRegistration(), pacing, carriers = {} } = campaign;
  const { directory, pace } = parts;
  const brand = registration.brandId === null ? undefined : directory().brand(registration.brandId);
  const { segmentsToday, ...minute } = pace.use(campaignId);
  return {
    ...shownInList(campaign, parts),
    outcomes: outcomesOf[campaign.status],
    version: withVersion(campaign).version,
    form: formOf(campaign),
    checks: service.checks(campaign),
    useCases,
    tcrId: registration.tcrId,
    numberList: directory()
      .records.numbers.filter((one) => one.campaignId === campaignId)
      .map(({ number, name = '' }) => ({ number, name })),
    carriers,
    pacing: pacing ?? null,
    tables: {
      pacing: pacingFor(brand, registration),
      date: attLimits.date,
      sources: [attLimits.source, tMobileLimits.source],
    },
    use: { ...minute, segmentsToday: segmentsToday && { ...segmentsToday, resetsAt: isoTime(segmentsToday.resetsAt) } },
    evidence: shownEvidence(campaign),
    history: (campaign.history ?? []).map((one) => ({ ...one, at: isoTime(one.at) })),
    versions: (campaign.versions ?? []).map((one) => ({ ...one, at: isoTime(one.at) })),
  };
}
