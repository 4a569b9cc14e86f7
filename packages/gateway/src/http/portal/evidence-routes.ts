/**
 * Evidence of brands and campaigns: files in, files out, files removed. What goes out can run in no browser: it is always saved. The
 * company brings that of its brands, the operator that of an outcome.
 */
import { type Evidence, evidenceLimits } from '../../domain/evidence.ts';
import type { Campaign } from '../../domain/records.ts';
import type { Brand } from '../../domain/registration.ts';
import type { EditOutcome, RegistrationParts } from '../../flow/registration/edits.ts';
import type { EvidenceRefused, EvidenceService, NewEvidence } from '../../flow/registration/evidence.ts';
import { isoTime } from '../envelope.ts';
import { type Answer, type Exchange, rejection, retryAfter } from '../exchange.ts';
import { param } from '../guard.ts';
import { valuesOnce } from '../list-query.ts';
import type { PortalRoutes } from './portal-guard.ts';
import { editAnswer } from './registration-answers.ts';

export type EvidenceParts = RegistrationParts & { evidence: EvidenceService };

const room = { bytesMax: evidenceLimits.bytesMax, atOnce: 4, atOncePerAccount: 2 };
const removed = 'The file is removed.';
const missing = rejection('NOT_FOUND', 'There is no such file.');

export function addBrandEvidence(routes: PortalRoutes, parts: EvidenceParts, shown: (brand: Brand) => object): void {
  const service = parts.evidence;
  routes.file('/brands/:brandId/evidence', 'manageCampaigns', room, async (call) => {
    const { bytes, exchange, person } = call;
    const file = fileOf(exchange, bytes);
    if ('status' in file) return file;
    return kept(await service.addToBrand(person, param(call, 'brandId'), file), shown);
  });
  routes.delete('/brands/:brandId/evidence/:evidenceId', 'manageCampaigns', async (call) =>
    editAnswer(
      await service.removeFromBrand(call.person, param(call, 'brandId'), param(call, 'evidenceId')),
      removed,
      shown,
    ),
  );
  routes.get('/brands/:brandId/evidence/:evidenceId', 'read', (call) => {
    const { account } = call;
    const brand = parts.directory().brand(param(call, 'brandId'));
    return brand?.accountId === account.accountId ? answerWith(service, brand, param(call, 'evidenceId')) : missing;
  });
}

export function addCampaignEvidence(
  routes: PortalRoutes,
  parts: EvidenceParts,
  shown: (campaign: Campaign) => object,
): void {
  const service = parts.evidence;
  routes.file('/campaigns/:campaignId/evidence', 'operator', room, async (call) => {
    const { bytes, exchange, person } = call;
    const file = fileOf(exchange, bytes);
    if ('status' in file) return file;
    return kept(await service.addToCampaign(person, param(call, 'campaignId'), file), shown);
  });
  routes.delete('/campaigns/:campaignId/evidence/:evidenceId', 'operator', async (call) =>
    editAnswer(
      await service.removeFromCampaign(call.person, param(call, 'campaignId'), param(call, 'evidenceId')),
      removed,
      shown,
    ),
  );
  routes.get('/campaigns/:campaignId/evidence/:evidenceId', 'read', (call) => {
    const { account, may } = call;
    const campaign = parts.directory().campaign(param(call, 'campaignId'));
    const isTheirs = campaign !== undefined && (campaign.accountId === account.accountId || may('operator'));
    return isTheirs ? answerWith(service, campaign, param(call, 'evidenceId')) : missing;
  });
}

/** Without the names of files on disk. */
export function shownEvidence({ evidence = [] }: { evidence?: Evidence[] }): object[] {
  return evidence.map(({ hash: _, at, ...one }) => ({ ...one, at: isoTime(at) }));
}

function fileOf({ query }: Exchange, bytes: Buffer): NewEvidence | Answer {
  const values = valuesOnce(query, ['fileName']);
  if (typeof values === 'string') return rejection('INVALID_FIELD', `${values} Nothing was kept.`);
  return { fileName: values.fileName ?? '', bytes };
}

function kept<T extends object>(outcome: EditOutcome<T> | EvidenceRefused, shown: (record: T) => object): Answer {
  return outcome.kind === 'refused' ? refusals[outcome.why] : editAnswer(outcome, 'The file is kept.', shown);
}

async function answerWith(service: EvidenceService, record: Brand | Campaign, evidenceId: string): Promise<Answer> {
  const found = await service.read(record, evidenceId);
  if (found === null) return missing;
  const { fileName, type } = found.evidence;
  const headers = ['Content-Disposition', `attachment; filename="${fileName}"`];
  return { status: 200, reason: 'SUCCESS', body: found.bytes, contentType: type, headers };
}

const refusals: Readonly<Record<EvidenceRefused['why'], Answer>> = {
  type: rejection(
    'UNSUPPORTED_CONTENT_TYPE',
    'The file is, by its content, no PDF, PNG, JPEG or plain text. Bring it as one of these. Nothing was kept.',
  ),
  full: rejection('INVALID_FIELD', `There are ${evidenceLimits.perRecord} files already, the most there may be.`),
  disk: rejection('TEMPORARILY_UNAVAILABLE', 'The disk is full. Nothing was kept.', { headers: retryAfter(60) }),
};
