/**
 * Evidence files of brands and campaigns: upload, download, delete. Downloads are always saved, never opened in the
 * browser. Companies add evidence to brands, operators to outcomes.
 */
import { isoTime } from '../../http/envelope.ts';
import { type Answer, type Exchange, rejection, retryAfter } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { valuesOnce } from '../../http/list-query.ts';
import type { PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers, answersFile, fileBody } from '../../http/route.ts';
import type { TypeOf } from '../../http/shape.ts';
import { type Evidence, evidenceLimits } from '../../model/evidence.ts';
import type { Campaign } from '../../model/records.ts';
import type { Brand } from '../../model/registration.ts';
import { brand as brandShape } from './brand-shapes.ts';
import { campaign as campaignShape } from './campaign-shapes.ts';
import type { EditOutcome, RegistrationParts } from './edits.ts';
import type { EvidenceRefused, EvidenceService, NewEvidence } from './evidence.ts';
import { editAnswer } from './registration-answers.ts';

export type EvidenceParts = RegistrationParts & { evidence: EvidenceService };

const fileSlots = { bytesMax: evidenceLimits.bytesMax, atOnce: 4, atOncePerAccount: 2 };
const removed = 'The file is removed.';
const missing = rejection('NOT_FOUND', 'There is no such file.');

export function addBrandEvidence(
  routes: PortalRoutes,
  parts: EvidenceParts,
  shown: (brand: Brand) => TypeOf<typeof brandShape>,
): void {
  const service = parts.evidence;
  routes.add({
    method: 'POST',
    path: '/brands/:brandId/evidence',
    access: 'manageCampaigns',
    audit: ['brand.evidence'],
    body: fileBody(fileSlots),
    answer: answers(brandShape, 'With the file'),
    work: async (call) => {
      const { bytes, exchange, person } = call;
      const file = fileOf(exchange, bytes);
      if ('status' in file) return file;
      return kept(await service.addToBrand(person, param(call, 'brandId'), file), shown);
    },
  });
  routes.add({
    method: 'DELETE',
    path: '/brands/:brandId/evidence/:evidenceId',
    access: 'manageCampaigns',
    audit: ['brand.evidence_removed'],
    answer: answers(brandShape, 'Without the file'),
    work: async (call) =>
      editAnswer(
        await service.removeFromBrand(call.person, param(call, 'brandId'), param(call, 'evidenceId')),
        removed,
        shown,
      ),
  });
  routes.add({
    method: 'GET',
    path: '/brands/:brandId/evidence/:evidenceId',
    access: 'read',
    answer: answersFile('The file', fileHeaders),
    work: (call) => {
      const { account } = call;
      const brand = parts.directory().brand(param(call, 'brandId'));
      return brand?.accountId === account.accountId ? answerWith(service, brand, param(call, 'evidenceId')) : missing;
    },
  });
}

export function addCampaignEvidence(
  routes: PortalRoutes,
  parts: EvidenceParts,
  shown: (campaign: Campaign) => TypeOf<typeof campaignShape>,
): void {
  const service = parts.evidence;
  routes.add({
    method: 'POST',
    path: '/campaigns/:campaignId/evidence',
    access: 'operator',
    audit: ['campaign.evidence'],
    body: fileBody(fileSlots),
    answer: answers(campaignShape, 'With the file'),
    work: async (call) => {
      const { bytes, exchange, person } = call;
      const file = fileOf(exchange, bytes);
      if ('status' in file) return file;
      return kept(await service.addToCampaign(person, param(call, 'campaignId'), file), shown);
    },
  });
  routes.add({
    method: 'DELETE',
    path: '/campaigns/:campaignId/evidence/:evidenceId',
    access: 'operator',
    audit: ['campaign.evidence_removed'],
    answer: answers(campaignShape, 'Without the file'),
    work: async (call) =>
      editAnswer(
        await service.removeFromCampaign(call.person, param(call, 'campaignId'), param(call, 'evidenceId')),
        removed,
        shown,
      ),
  });
  routes.add({
    method: 'GET',
    path: '/campaigns/:campaignId/evidence/:evidenceId',
    access: 'read',
    answer: answersFile('The file', fileHeaders),
    work: (call) => {
      const { account, may } = call;
      const campaign = parts.directory().campaign(param(call, 'campaignId'));
      const isTheirs = campaign !== undefined && (campaign.accountId === account.accountId || may('operator'));
      return isTheirs ? answerWith(service, campaign, param(call, 'evidenceId')) : missing;
    },
  });
}

/** Without the names of the stored files. */
export function shownEvidence({ evidence = [] }: { evidence?: Evidence[] }) {
  return evidence.map(({ hash: _, at, ...one }) => ({ ...one, at: isoTime(at) }));
}

function fileOf({ query }: Exchange, bytes: Buffer): NewEvidence | Answer<never> {
  const values = valuesOnce(query, ['fileName']);
  if (typeof values === 'string') return rejection('INVALID_FIELD', `${values} Nothing was kept.`);
  return { fileName: values.fileName ?? '', bytes };
}

function kept<T extends object, S>(outcome: EditOutcome<T> | EvidenceRefused, shown: (record: T) => S) {
  return outcome.kind === 'refused' ? refusals[outcome.why] : editAnswer(outcome, 'The file is kept.', shown);
}

async function answerWith(
  service: EvidenceService,
  record: Brand | Campaign,
  evidenceId: string,
): Promise<Answer<never>> {
  const found = await service.read(record, evidenceId);
  if (found === null) return missing;
  const { fileName, type } = found.evidence;
  const headers = ['Content-Disposition', `attachment; filename="${fileName}"`];
  return { status: 200, reason: 'SUCCESS', body: found.bytes, contentType: type, headers };
}

const fileHeaders = { 'Content-Disposition': { schema: { type: 'string' } } };

const refusals: Readonly<Record<EvidenceRefused['why'], Answer<never>>> = {
  type: rejection(
    'UNSUPPORTED_CONTENT_TYPE',
    'The content of the file is not PDF, PNG, JPEG or plain text. Upload it as one of these. Nothing was stored.',
  ),
  full: rejection('INVALID_FIELD', `There are ${evidenceLimits.perRecord} files already, which is the limit.`),
  disk: rejection('TEMPORARILY_UNAVAILABLE', 'The disk is full. Nothing was stored.', { headers: retryAfter(60) }),
};
