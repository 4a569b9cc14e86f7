/**
 * Stores evidence files. The bytes are on disk before a record names them and are deleted with the last record that
 * does. Files of other companies do not exist for the caller. One service for each folder.
 */
import { type Evidence, evidenceFileName, evidenceLimits, evidenceType } from '../../model/evidence.ts';
import type { MediaFiles } from '../../model/media.ts';
import type { Person, Refusal } from '../../model/person.ts';
import type { Campaign } from '../../model/records.ts';
import type { Brand } from '../../model/registration.ts';
import { createEdits, type EditOutcome, type Made, type RegistrationParts } from './edits.ts';
import { neededEvidence } from './evidence-keeping.ts';

export interface EvidenceFiles extends Pick<MediaFiles, 'put' | 'read' | 'sweep'> {
  /** How long a file may wait for its record when other nodes store files too; 0 when only this service does. */
  youngMs: number;
}

export interface NewEvidence {
  fileName: string;
  bytes: Uint8Array;
}

/** Why a file was refused. */
export type EvidenceRefused = { kind: 'refused'; why: 'type' | 'full' | 'disk' };

export interface EvidenceService {
  /** Adds to a brand of the person's own company. */
  addToBrand(person: Person, brandId: string, file: NewEvidence): Promise<EditOutcome<Brand> | EvidenceRefused>;
  /** The operator adds to a campaign of any company. */
  addToCampaign(
    person: Person,
    campaignId: string,
    file: NewEvidence,
  ): Promise<EditOutcome<Campaign> | EvidenceRefused>;
  removeFromBrand(person: Person, brandId: string, evidenceId: string): Promise<EditOutcome<Brand>>;
  /** Not for files that an outcome names, because they prove the decision. */
  removeFromCampaign(person: Person, campaignId: string, evidenceId: string): Promise<EditOutcome<Campaign>>;
  /** Null when the record has no such file, or the disk has lost it. */
  read(record: WithEvidence, evidenceId: string): Promise<{ evidence: Evidence; bytes: Buffer } | null>;
}

interface WithEvidence {
  evidence?: Evidence[];
}

const missing: Refusal = { kind: 'missing', detail: 'There is no such brand or campaign.' };
const noFile: Refusal = { kind: 'missing', detail: 'There is no such file.' };
const named: Refusal = {
  kind: 'conflict',
  detail: 'An outcome names this file as its proof, so it cannot be removed.',
};

export function createEvidenceService(parts: RegistrationParts, files: EvidenceFiles): EvidenceService {
  const edits = createEdits(parts);

  async function keep(
    person: Person,
    before: WithEvidence,
    { fileName, bytes }: NewEvidence,
  ): Promise<Evidence | EvidenceRefused> {
    if ((before.evidence ?? []).length >= evidenceLimits.perRecord) return { kind: 'refused', why: 'full' };
    const type = evidenceType(bytes);
    if (type === null) return { kind: 'refused', why: 'type' };
    const put = await files.put(bytes);
    if (!put.ok) return { kind: 'refused', why: 'disk' };
    return {
      evidenceId: parts.ids.next('evd_'),
      hash: put.hash,
      fileName: evidenceFileName(fileName, type),
      type,
      sizeBytes: bytes.length,
      at: parts.clock.now(),
      who: person.user.name || person.user.email,
    };
  }

  /** Serialized: no clean-up may run between writing a file and storing its record. */
  let turn: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work, work);
    turn = mine;
    return mine;
  }

  const ownBrand = (person: Person, brandId: string): Brand | undefined => {
    const brand = parts.directory().brand(brandId);
    return brand?.accountId === person.user.accountId ? brand : undefined;
  };

  /** The same bytes may belong to another brand or campaign too. */
  async function letGo(): Promise<void> {
    const putBefore = parts.clock.now() + 1 - files.youngMs;
    await files.sweep({ needed: neededEvidence(await parts.store.records()), putBefore });
  }

  async function andLetGo<T>(edited: Promise<EditOutcome<T>>): Promise<EditOutcome<T>> {
    const outcome = await edited;
    if (outcome.kind === 'done') await letGo();
    return outcome;
  }

  return {
    addToBrand: (person, brandId, file) =>
      inTurn(async () => {
        const found = ownBrand(person, brandId);
        if (found === undefined) return missing;
        const kept = await keep(person, found, file);
        return 'kind' in kept
          ? kept
          : edits.edit('brands', person, () =>
              withEvidence(ownBrand(person, brandId), kept, 'brand.evidence', brandId),
            );
      }),
    addToCampaign: (person, campaignId, file) =>
      inTurn(async () => {
        const found = parts.directory().campaign(campaignId);
        if (found === undefined) return missing;
        const kept = await keep(person, found, file);
        return 'kind' in kept
          ? kept
          : edits.edit('campaigns', person, (directory) =>
              withEvidence(directory.campaign(campaignId), kept, 'campaign.evidence', campaignId),
            );
      }),
    removeFromBrand: (person, brandId, evidenceId) =>
      inTurn(() =>
        andLetGo(
          edits.edit('brands', person, () =>
            withoutEvidence(ownBrand(person, brandId), evidenceId, 'brand.evidence_removed', brandId),
          ),
        ),
      ),
    removeFromCampaign: (person, campaignId, evidenceId) =>
      inTurn(() =>
        andLetGo(
          edits.edit('campaigns', person, (directory) => {
            const before = directory.campaign(campaignId);
            const isNamed = before?.history?.some(({ evidence = [] }) => evidence.includes(evidenceId));
            return isNamed === true
              ? named
              : withoutEvidence(before, evidenceId, 'campaign.evidence_removed', campaignId);
          }),
        ),
      ),
    read: async ({ evidence = [] }, evidenceId) => {
      const found = evidence.find((one) => one.evidenceId === evidenceId);
      const bytes = found === undefined ? null : await files.read(found.hash);
      return found === undefined || bytes === null ? null : { evidence: found, bytes };
    },
  };
}

function withEvidence<T extends WithEvidence>(
  before: T | undefined,
  evidence: Evidence,
  what: string,
  target: string,
): Made<T> {
  if (before === undefined) return missing;
  const record = { ...before, evidence: [...(before.evidence ?? []), evidence] };
  return { kind: 'made', record, before, what, target };
}

function withoutEvidence<T extends WithEvidence>(
  before: T | undefined,
  evidenceId: string,
  what: string,
  target: string,
): Made<T> {
  if (before === undefined) return missing;
  const { evidence = [] } = before;
  const left = evidence.filter((one) => one.evidenceId !== evidenceId);
  if (left.length === evidence.length) return noFile;
  return { kind: 'made', record: { ...before, evidence: left }, before, what, target };
}
